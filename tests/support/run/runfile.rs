//! Reads the header comments of a run test; `tests/run/README.md` is the description of the format.

use super::executor::{ArgData, Range};
use super::expr::{Env, Expr, NAMES, Value};
use super::image::ImageType;
use clotho::ir::{self, eval};

/// The local sizes that `local=*` stands for.
pub const ALL_LOCAL_SIZES: [usize; 9] = [1, 2, 3, 7, 16, 33, 64, 256, 1024];

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elem {
    Int { bytes: usize, signed: bool },
    Half,
    Float,
    Double,
}

impl Elem {
    pub fn parse(name: &str) -> Result<Elem, String> {
        let (bytes, signed) = match name {
            "char" => (1, true),
            "uchar" => (1, false),
            "short" => (2, true),
            "ushort" => (2, false),
            "int" => (4, true),
            "uint" => (4, false),
            "long" => (8, true),
            "ulong" => (8, false),
            "half" => return Ok(Elem::Half),
            "float" => return Ok(Elem::Float),
            "double" => return Ok(Elem::Double),
            _ => return Err(format!("unknown element type `{name}`")),
        };
        Ok(Elem::Int { bytes, signed })
    }

    pub fn size(self) -> usize {
        match self {
            Elem::Int { bytes, .. } => bytes,
            Elem::Half => 2,
            Elem::Float => 4,
            Elem::Double => 8,
        }
    }

    /// What remains of `value` when it is stored as this type: integers wrap, floating point rounds.
    pub fn convert(self, value: Value) -> Value {
        self.decode(&self.encode(value))
    }

    pub fn encode(self, value: Value) -> Vec<u8> {
        match self {
            Elem::Int { bytes, .. } => value.int().to_le_bytes()[..bytes].to_vec(),
            Elem::Half => eval::from_f64(ir::Elem::F16, value.float()).to_le_bytes()[..2].to_vec(),
            Elem::Float => (value.float() as f32).to_le_bytes().to_vec(),
            Elem::Double => value.float().to_le_bytes().to_vec(),
        }
    }

    /// `bytes` has exactly [`Elem::size`] bytes.
    pub fn decode(self, bytes: &[u8]) -> Value {
        match self {
            Elem::Int { signed, .. } => {
                let negative = signed && bytes[bytes.len() - 1] & 0x80 != 0;
                let mut wide = [if negative { 0xff } else { 0 }; 16];
                wide[..bytes.len()].copy_from_slice(bytes);
                Value::Int(i128::from_le_bytes(wide))
            }
            Elem::Half => {
                let bits = u16::from_le_bytes(bytes.try_into().expect("size"));
                Value::Float(eval::to_f64(ir::Elem::F16, bits.into()))
            }
            Elem::Float => Value::Float(f32::from_le_bytes(bytes.try_into().expect("size")) as f64),
            Elem::Double => Value::Float(f64::from_le_bytes(bytes.try_into().expect("size"))),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Arg {
    /// Without `init`, every byte is 0xCD, so that an element that nobody wrote is noticed.
    Buffer {
        elem: Elem,
        count: Expr,
        init: Option<Expr>,
        /// For the texels of an image.
        image: Option<ImageType>,
    },
    /// The bits of its CLK_ constants.
    Sampler(Expr),
    /// The parts of a scalar (one), vector or struct, each at its natural alignment; `width` components of the
    /// first part's type make a vector (0: no vector).
    Value {
        parts: Vec<(Elem, Expr)>,
        width: usize,
    },
    Local(Expr),
}

#[derive(Clone, Copy, Debug)]
pub enum Tolerance {
    Exact,
    Ulp(f64),
    Absolute(f64),
    Relative(f64),
}

/// `EXPECT: arg[i] = value +- tolerance where filter`
#[derive(Clone, Debug)]
pub struct Expect {
    pub arg: usize,
    pub value: Expr,
    pub tolerance: Tolerance,
    pub filter: Option<Expr>,
    pub text: String,
}

/// One launch: a RUN line with one of its sizes and option strings.
#[derive(Clone, Debug)]
pub struct Launch {
    pub kernel: String,
    pub options: String,
    pub range: Range,
    pub args: Vec<Arg>,
    pub expects: Vec<Expect>,
    /// Buffer arguments that must hold what the interpreter leaves there.
    pub interpreted: Vec<usize>,
}

#[derive(Debug)]
pub struct RunFile {
    pub source: String,
    pub launches: Vec<Launch>,
    /// Why other implementations are not expected to pass (the behaviour is ours).
    pub skip_peer: Option<String>,
}

impl RunFile {
    pub fn parse(source: &str) -> Result<RunFile, String> {
        let mut file = RunFile {
            source: source.into(),
            launches: Vec::new(),
            skip_peer: None,
        };
        let mut group = Group::default();
        for (number, line) in source.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("// ") else {
                continue;
            };
            let Some((key, text)) = comment.split_once(':') else {
                continue;
            };
            let text = text.trim();
            let place = |error| format!("line {}: {error}", number + 1);
            match key {
                "RUN" => {
                    if !group.args.is_empty() || group.expects_something() {
                        std::mem::take(&mut group).finish(&mut file.launches)?;
                    }
                    group.launches.extend(parse_run(text).map_err(place)?);
                }
                "ARG" => group.args.push(parse_arg(text).map_err(place)?),
                "EXPECT" => match text.strip_suffix(" as interpreted") {
                    Some(arg) => {
                        let bad = |_| place(format!("`{arg}` is no argument index"));
                        group.interpreted.push(arg.trim().parse().map_err(bad)?);
                    }
                    None => group.expects.push(parse_expect(text).map_err(place)?),
                },
                "SKIP-PEER" => file.skip_peer = Some(text.into()),
                _ => {}
            }
        }
        group.finish(&mut file.launches)?;
        Ok(file)
    }
}

/// Consecutive RUN lines and the ARG and EXPECT lines that follow them.
#[derive(Default)]
struct Group {
    launches: Vec<Launch>,
    args: Vec<Arg>,
    expects: Vec<Expect>,
    interpreted: Vec<usize>,
}

impl Group {
    fn expects_something(&self) -> bool {
        !self.expects.is_empty() || !self.interpreted.is_empty()
    }

    fn finish(self, launches: &mut Vec<Launch>) -> Result<(), String> {
        if self.launches.is_empty() || !self.expects_something() {
            return Err(
                "every RUN line needs an EXPECT line after it, and the other way round".into(),
            );
        }
        launches.extend(self.launches.into_iter().map(|launch| Launch {
            args: self.args.clone(),
            expects: self.expects.clone(),
            interpreted: self.interpreted.clone(),
            ..launch
        }));
        Ok(())
    }
}

// RUN := {key '=' value}; a value with spaces stands between double quotes
fn parse_run(text: &str) -> Result<Vec<Launch>, String> {
    let (mut kernel, mut options, mut global, mut local, mut offset, mut groups) =
        (String::new(), String::new(), None, None, None, 3usize);
    let mut rest = text;
    while !rest.is_empty() {
        let (key, after) = rest
            .split_once('=')
            .ok_or_else(|| format!("`key=value` expected at `{rest}`"))?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("unclosed quote")?,
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        rest = after.trim_start();
        match key {
            "kernel" => kernel = value.into(),
            "options" => options = format!("{options} {value}"),
            "std" => options = format!("{options} -cl-std={value}"),
            "global" => global = Some(sizes(value)?),
            "local" => local = Some(value),
            "offset" => offset = Some(sizes(value)?),
            "groups" => groups = value.parse().map_err(|_| format!("groups={value}"))?,
            _ => return Err(format!("unknown key `{key}`")),
        }
    }
    let options = options.trim().to_string();
    let local = local.ok_or("local= is missing")?;
    let launch = |local: Vec<usize>, global: Vec<usize>, options: String| Launch {
        kernel: kernel.clone(),
        options,
        range: Range {
            offset: offset.clone().unwrap_or(vec![0; global.len()]),
            global,
            local,
        },
        args: Vec::new(),
        expects: Vec::new(),
        interpreted: Vec::new(),
    };
    if local == "*" {
        let unoptimised = format!("{options} -cl-opt-disable").trim().to_string();
        let launches = [options, unoptimised].into_iter().flat_map(|options| {
            ALL_LOCAL_SIZES.map(|size| launch(vec![size], vec![size * groups], options.clone()))
        });
        return Ok(launches.collect());
    }
    let local = sizes(local)?;
    let global = global.unwrap_or_else(|| local.iter().map(|size| size * groups).collect());
    if local.len() != global.len()
        || offset
            .as_ref()
            .is_some_and(|offset| offset.len() != global.len())
    {
        return Err("global, local and offset have different numbers of dimensions".into());
    }
    Ok(vec![launch(local, global, options)])
}

fn sizes(text: &str) -> Result<Vec<usize>, String> {
    text.split(',')
        .map(|size| {
            size.parse()
                .map_err(|_| format!("`{text}` is no list of sizes"))
        })
        .collect()
}

// ARG := 'buffer' type '[' expr ']' ('=' expr | 'out') | 'scalar' type expr {',' expr}
//      | 'image' kind order type sizes type '[' expr ']' ('=' expr | 'out') | 'sampler' expr
//      | 'struct' type expr {',' type expr} | 'local' expr
fn parse_arg(text: &str) -> Result<Arg, String> {
    let (kind, rest) = text
        .split_once(' ')
        .ok_or_else(|| format!("incomplete argument `{text}`"))?;
    match kind {
        "image" => {
            let (image, rest) = ImageType::parse(rest)?;
            parse_buffer(rest, Some(image))
        }
        "sampler" => Ok(Arg::Sampler(Expr::parse(rest)?)),
        "buffer" => parse_buffer(rest, None),
        "scalar" => {
            let (name, values) = rest.split_once(' ').ok_or("a value expected")?;
            let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let width = match &name[base.len()..] {
                "" => 0,
                digits => digits
                    .parse()
                    .map_err(|_| format!("malformed type `{name}`"))?,
            };
            let elem = Elem::parse(base)?;
            let parts = split_commas(values).map(|value| Ok((elem, Expr::parse(value)?)));
            let parts: Vec<(Elem, Expr)> = parts.collect::<Result<_, String>>()?;
            if parts.len() != usize::max(width, 1) {
                return Err(format!("`{name}` takes {} values", usize::max(width, 1)));
            }
            Ok(Arg::Value { parts, width })
        }
        "struct" => {
            let parts = split_commas(rest).map(|part| {
                let (name, value) = part.trim().split_once(' ').ok_or("`type value` expected")?;
                Ok((Elem::parse(name)?, Expr::parse(value)?))
            });
            Ok(Arg::Value {
                parts: parts.collect::<Result<_, String>>()?,
                width: 0,
            })
        }
        "local" => Ok(Arg::Local(Expr::parse(rest)?)),
        _ => Err(format!("unknown argument kind `{kind}`")),
    }
}

// type '[' expr ']' ('=' expr | 'out')
fn parse_buffer(text: &str, image: Option<ImageType>) -> Result<Arg, String> {
    let (elem, rest) = text.split_once('[').ok_or("`[` expected")?;
    let (count, init) = rest.split_once(']').ok_or("`]` expected")?;
    let init = match init.trim() {
        "out" => None,
        init => Some(Expr::parse(
            init.strip_prefix('=')
                .ok_or("`= expr` or `out` expected after the size")?,
        )?),
    };
    Ok(Arg::Buffer {
        elem: Elem::parse(elem.trim())?,
        count: Expr::parse(count)?,
        init,
        image,
    })
}

/// Splits at the commas that stand outside parentheses.
fn split_commas(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
}

// EXPECT := arg 'as interpreted'
//         | arg '[i]' '=' expr ['+-' number ['ulp' | 'rel']] ['where' expr]
fn parse_expect(text: &str) -> Result<Expect, String> {
    let (arg, rest) = text.split_once("[i]").ok_or("`ARG[i] = expr` expected")?;
    let rest = rest
        .trim_start()
        .strip_prefix('=')
        .ok_or("`=` expected after `[i]`")?;
    let (rest, filter) = match rest.split_once(" where ") {
        Some((rest, filter)) => (rest, Some(Expr::parse(filter)?)),
        None => (rest, None),
    };
    let (value, tolerance) = match rest.split_once("+-") {
        Some((value, tolerance)) => (value, parse_tolerance(tolerance.trim())?),
        None => (rest, Tolerance::Exact),
    };
    Ok(Expect {
        arg: arg
            .trim()
            .parse()
            .map_err(|_| format!("`{arg}` is no argument index"))?,
        value: Expr::parse(value)?,
        tolerance,
        filter,
        text: text.into(),
    })
}

fn parse_tolerance(text: &str) -> Result<Tolerance, String> {
    let number = |text: &str| {
        text.trim()
            .parse()
            .map_err(|_| format!("malformed tolerance `{text}`"))
    };
    match (text.strip_suffix("ulp"), text.strip_suffix("rel")) {
        (Some(ulp), _) => Ok(Tolerance::Ulp(number(ulp)?)),
        (_, Some(relative)) => Ok(Tolerance::Relative(number(relative)?)),
        _ => Ok(Tolerance::Absolute(number(text)?)),
    }
}

impl Launch {
    /// The sizes that expressions can name; `i` and `N` are set by the caller.
    pub fn vars(&self) -> [i128; NAMES.len()] {
        let at =
            |list: &[usize], d: usize, missing| list.get(d).copied().unwrap_or(missing) as i128;
        let g: [i128; 3] = std::array::from_fn(|d| at(&self.range.global, d, 1));
        let l: [i128; 3] = std::array::from_fn(|d| at(&self.range.local, d, 1));
        let o: [i128; 3] = std::array::from_fn(|d| at(&self.range.offset, d, 0));
        let n: [i128; 3] = std::array::from_fn(|d| (g[d] + l[d] - 1) / l[d]);
        let product = |x: [i128; 3]| x.iter().product();
        [
            0,
            0,
            product(g),
            product(l),
            product(n),
            g[0],
            g[1],
            g[2],
            l[0],
            l[1],
            l[2],
            n[0],
            n[1],
            n[2],
            o[0],
            o[1],
            o[2],
        ]
    }

    /// The arguments as bytes.
    pub fn data(&self) -> Result<Vec<ArgData>, String> {
        let mut env = Env::new(self.vars(), Vec::new());
        self.args.iter().map(|arg| arg.data(&mut env)).collect()
    }
}

impl Arg {
    fn data(&self, env: &mut Env) -> Result<ArgData, String> {
        match self {
            Arg::Buffer {
                elem,
                count,
                init,
                image,
            } => {
                let count = usize::try_from(count.eval(env)?.int()).map_err(|_| "negative size")?;
                let mut bytes = Vec::with_capacity(count * elem.size());
                match init {
                    None => bytes.resize(count * elem.size(), 0xcd),
                    Some(init) => {
                        env.vars[1] = count as i128;
                        for i in 0..count {
                            env.vars[0] = i as i128;
                            bytes.extend(elem.encode(init.eval(env)?));
                        }
                    }
                }
                Ok(match image {
                    None => ArgData::Buffer(bytes),
                    Some(image) => ArgData::Image(image.clone(), bytes),
                })
            }
            Arg::Sampler(bits) => Ok(ArgData::Sampler(bits.eval(env)?.int() as u32)),
            Arg::Value { parts, width } => {
                let mut bytes = Vec::new();
                let mut align = 1;
                for (elem, value) in parts {
                    align = align.max(elem.size());
                    bytes.resize(bytes.len().next_multiple_of(elem.size()), 0);
                    bytes.extend(elem.encode(value.eval(env)?));
                }
                // A vector of three has the size of one of four.
                let size = if *width == 3 {
                    4 * align
                } else {
                    bytes.len().next_multiple_of(align)
                };
                bytes.resize(size, 0);
                Ok(ArgData::Value(bytes))
            }
            Arg::Local(size) => Ok(ArgData::Local(
                usize::try_from(size.eval(env)?.int()).map_err(|_| "negative size")?,
            )),
        }
    }
}
