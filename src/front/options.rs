//! Build options (OpenCL API specification, "Compiler Options") and what the device offers to the language.

use super::warn::Warnings;
use std::path::PathBuf;

/// A version of OpenCL C; the number is what `__OPENCL_C_VERSION__` expands to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    Cl10 = 100,
    Cl11 = 110,
    Cl12 = 120,
    Cl20 = 200,
    Cl30 = 300,
}

impl Version {
    /// The versions that -cl-std accepts.
    pub const SUPPORTED: [(&'static str, Version); 5] = [
        ("CL1.0", Version::Cl10),
        ("CL1.1", Version::Cl11),
        ("CL1.2", Version::Cl12),
        ("CL2.0", Version::Cl20),
        ("CL3.0", Version::Cl30),
    ];

    pub fn number(self) -> u32 {
        self as u32
    }
}

/// Everything that a build option string says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontOptions {
    /// `-D`, in their order.
    pub definitions: Vec<Definition>,
    /// `-I`, in their order.
    pub include_dirs: Vec<PathBuf>,
    pub version: Version,
    pub math: MathOptions,
    pub opt_disable: bool,
    pub strict_aliasing: bool,
    pub uniform_work_group_size: bool,
    pub no_subgroup_ifp: bool,
    pub kernel_arg_info: bool,
    /// `-g`
    pub debug_info: bool,
    pub warnings: Warnings,
    /// The source is one of several that are linked: functions that it calls may be defined in another one. (Not an
    /// option of the text: clCompileProgram asks for it.)
    pub separate: bool,
    /// The source is a part of the OpenCL C library: pointers without an address space lead to private memory in
    /// every version. (Not an option of the text either.)
    pub library: bool,
}

/// `-D name=body`; the name may carry a parameter list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub body: String,
}

/// The options on floating-point arithmetic, with what they imply already set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MathOptions {
    pub single_precision_constant: bool,
    pub denorms_are_zero: bool,
    pub correctly_rounded_divide_sqrt: bool,
    pub mad_enable: bool,
    pub no_signed_zeros: bool,
    pub unsafe_math: bool,
    pub finite_math_only: bool,
    /// `-cl-fast-relaxed-math` itself, for `__FAST_RELAXED_MATH__`.
    pub fast_relaxed: bool,
}

/// What the device supports, as far as the language shows it.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// What `__OPENCL_VERSION__` expands to: 300 for OpenCL 3.0.
    pub device_version: u32,
    /// Names of extensions; each becomes a macro that expands to 1.
    pub extensions: &'a [&'a str],
    /// Names of optional features (`__opencl_c_fp64`...); macros in OpenCL C 3.0 and later.
    pub features: &'a [&'a str],
    pub images: bool,
    /// Whether `fma` is as fast as a multiply and an add: FP_FAST_FMAF and FP_FAST_FMA.
    pub fast_fma: bool,
    /// The same for half: FP_FAST_FMA_HALF.
    pub fast_half_fma: bool,
}

/// The option string is wrong: CL_INVALID_BUILD_OPTIONS. The text says why, for the build log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError(pub String);

impl Default for FrontOptions {
    fn default() -> FrontOptions {
        FrontOptions {
            definitions: Vec::new(),
            include_dirs: Vec::new(),
            // If -cl-std is not specified, the highest OpenCL C 1.x version that the device supports is used.
            version: Version::Cl12,
            math: MathOptions::default(),
            opt_disable: false,
            strict_aliasing: false,
            uniform_work_group_size: false,
            no_subgroup_ifp: false,
            kernel_arg_info: false,
            debug_info: false,
            warnings: Warnings::default(),
            separate: false,
            library: false,
        }
    }
}

impl FrontOptions {
    /// Reads an option string as it is given to clBuildProgram.
    pub fn parse(text: &str) -> Result<FrontOptions, OptionError> {
        let mut options = FrontOptions::default();
        let mut words = split_words(text)?.into_iter();
        while let Some(word) = words.next() {
            if let Some(rest) = word.strip_prefix("-D") {
                let text = argument(rest, &mut words, "-D")?;
                options.definitions.push(parse_definition(&text)?);
            } else if let Some(rest) = word.strip_prefix("-I") {
                let dir = argument(rest, &mut words, "-I")?;
                options.include_dirs.push(dir.into());
            } else if let Some(name) = word.strip_prefix("-cl-std=") {
                let found = Version::SUPPORTED.iter().find(|(n, _)| *n == name);
                let &(_, version) =
                    found.ok_or_else(|| error(format!("invalid value '{name}' in '{word}'")))?;
                options.version = version;
            } else {
                options.set_flag(&word)?;
            }
        }
        Ok(options)
    }

    /// Whether variables may be in global memory (6.7.1: OpenCL C 2.0, or 3.0 with
    /// `__opencl_c_program_scope_global_variables`, which this device has).
    pub fn has_global_variables(&self) -> bool {
        self.version >= Version::Cl20 && !self.library
    }

    /// Whether there is a generic address space, in which pointers are that name no other (OpenCL C 3.0, 6.7.5:
    /// OpenCL C 2.0, or 3.0 with `__opencl_c_generic_address_space`, which this device has).
    pub fn has_generic_space(&self) -> bool {
        self.version >= Version::Cl20 && !self.library
    }

    fn set_flag(&mut self, word: &str) -> Result<(), OptionError> {
        let math = &mut self.math;
        match word {
            "-cl-single-precision-constant" => math.single_precision_constant = true,
            "-cl-denorms-are-zero" => math.denorms_are_zero = true,
            "-cl-fp32-correctly-rounded-divide-sqrt" => math.correctly_rounded_divide_sqrt = true,
            "-cl-mad-enable" => math.mad_enable = true,
            "-cl-no-signed-zeros" => math.no_signed_zeros = true,
            "-cl-unsafe-math-optimizations" => math.set_unsafe(),
            "-cl-finite-math-only" => math.finite_math_only = true,
            "-cl-fast-relaxed-math" => {
                // "Sets the optimization options -cl-finite-math-only and -cl-unsafe-math-optimizations."
                math.set_unsafe();
                math.finite_math_only = true;
                math.fast_relaxed = true;
            }
            "-cl-opt-disable" => self.opt_disable = true,
            "-cl-strict-aliasing" => self.strict_aliasing = true,
            "-cl-uniform-work-group-size" => self.uniform_work_group_size = true,
            "-cl-no-subgroup-ifp" => self.no_subgroup_ifp = true,
            "-cl-kernel-arg-info" => self.kernel_arg_info = true,
            "-g" => self.debug_info = true,
            _ if self.warnings.set(word) => {}
            _ => return Err(error(format!("unknown build option '{word}'"))),
        }
        Ok(())
    }
}

impl MathOptions {
    /// "This option includes the -cl-no-signed-zeros, -cl-mad-enable, and -cl-denorms-are-zero options."
    fn set_unsafe(&mut self) {
        self.unsafe_math = true;
        self.no_signed_zeros = true;
        self.mad_enable = true;
        self.denorms_are_zero = true;
    }
}

fn error(text: String) -> OptionError {
    OptionError(text)
}

/// The argument of an option: what follows in the same word, or the next word.
fn argument(
    rest: &str,
    words: &mut impl Iterator<Item = String>,
    option: &str,
) -> Result<String, OptionError> {
    if !rest.is_empty() {
        return Ok(rest.into());
    }
    words
        .next()
        .filter(|word| !word.is_empty())
        .ok_or_else(|| error(format!("argument to '{option}' is missing")))
}

fn parse_definition(text: &str) -> Result<Definition, OptionError> {
    let (name, body) = text.split_once('=').unwrap_or((text, "1"));
    let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    if !starts_well || name.contains(['\n', '\r']) {
        return Err(error(format!(
            "macro name is not an identifier: '-D{text}'"
        )));
    }
    // "the definition will be truncated by embedded newline characters"
    let body = body.split(['\n', '\r']).next().unwrap_or("");
    Ok(Definition {
        name: name.into(),
        body: body.into(),
    })
}

/// Splits at white space as a shell does: single and double quotes group, a backslash takes the next character as it
/// is (inside double quotes only before `"`, `\`, `$` and `` ` ``).
fn split_words(text: &str) -> Result<Vec<String>, OptionError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() || c == '\0' => words.extend(word.take()),
            (None, '"' | '\'') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (Some(q), c) if c == q => quote = None,
            (Some('"'), '\\') => {
                let escaped = chars.next_if(|c| matches!(c, '"' | '\\' | '$' | '`'));
                word.get_or_insert_default().push(escaped.unwrap_or('\\'));
            }
            (None, '\\') => {
                let escaped = chars.next().unwrap_or('\\');
                word.get_or_insert_default().push(escaped);
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(error("unterminated quote in the build options".into()));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> FrontOptions {
        FrontOptions::parse(text).unwrap()
    }

    fn definitions(text: &str) -> Vec<(String, String)> {
        let list = parse(text).definitions;
        list.into_iter().map(|d| (d.name, d.body)).collect()
    }

    #[test]
    fn definitions_take_all_forms_and_quotes() {
        let expected: &[(&str, &str)] = &[
            ("A", "1"),
            ("B", "2"),
            ("C", "x y"),
            ("D", "\"s\""),
            ("E", "'a'"),
            ("F", ""),
            ("G(x)", "x"),
            ("H", "1"),
        ];
        let found = definitions(
            "-D A -DB=2  -D \"C=x y\"\t-D D=\\\"s\\\" -D \"E='a'\" -DF= '-DG(x)=x' -D \"H=1\n2\"",
        );
        let found: Vec<_> = found.iter().map(|(n, b)| (&n[..], &b[..])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn include_dirs_may_be_quoted() {
        let dirs = parse("-I a -Ib -I \"c d\" -I\"e f\"").include_dirs;
        assert_eq!(dirs, ["a", "b", "c d", "e f"].map(PathBuf::from));
    }

    #[test]
    fn math_options_imply_others() {
        let math = parse("-cl-fast-relaxed-math").math;
        assert!(math.finite_math_only && math.unsafe_math && math.mad_enable);
        assert!(math.no_signed_zeros && math.denorms_are_zero && math.fast_relaxed);
        assert!(!parse("-cl-unsafe-math-optimizations").math.finite_math_only);
    }

    #[test]
    fn versions() {
        assert_eq!(parse("").version, Version::Cl12);
        assert_eq!(parse("-cl-std=CL3.0").version, Version::Cl30);
        assert_eq!(parse("-cl-std=CL2.0").version, Version::Cl20);
        for bad in ["CL2.1", "CL", "", "CLC++", "cl1.2"] {
            assert!(FrontOptions::parse(&format!("-cl-std={bad}")).is_err());
        }
    }

    #[test]
    fn wrong_options_are_errors() {
        for bad in [
            "-D", "-I", "-D 1x", "-Dx\\", "foo", "-cl-fast", "-O9", "-D \"x", "\"\"", "-", "-Wx",
            "-W", "-D \"\"",
        ] {
            let result = FrontOptions::parse(bad);
            assert_eq!(result.is_err(), bad != "-Dx\\", "{bad}");
        }
    }
}
