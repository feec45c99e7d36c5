//! Warnings by name, and which of them a build wants: `-w`, `-Werror`, `-Wall`, `-Wextra`, `-Wname`, `-Wno-name`,
//! `-Werror=name`. Names and groups are clang's, since sources and build scripts carry its options; `-w` and `-Werror`
//! alone are the specification's (OpenCL API specification, "Options to Request or Suppress Warnings").

/// A warning that has a name. Those without one are shown unless `-w` hides all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    IncompatiblePointerTypes,
    DiscardsQualifiers,
    ReturnType,
    Parentheses,
    UnusedValue,
    EmptyBody,
    DivisionByZero,
    ConstantConversion,
    LiteralConversion,
    Uninitialized,
    DivergentBarrier,
    UnusedVariable,
    UnusedFunction,
    UnusedLabel,
    UnusedParameter,
    Shadow,
    DoublePromotion,
}

/// What switches a warning on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Default,
    /// Shown by default, though clang does not: `-Werror` alone, with which a source builds elsewhere, makes no error of it.
    /// It does where `-Wall` has asked for the warning as well,
    ToldOfAll,
    /// or its own name.
    Told,
    /// `-Wall`
    All,
    /// `-Wextra`
    Extra,
    /// Its own name alone.
    Named,
}

const TABLE: [(Warning, &str, Group); 17] = {
    use Group::*;
    use Warning::*;
    [
        (
            IncompatiblePointerTypes,
            "incompatible-pointer-types",
            Default,
        ),
        (
            DiscardsQualifiers,
            "incompatible-pointer-types-discards-qualifiers",
            Default,
        ),
        (ReturnType, "return-type", Default),
        (Parentheses, "parentheses", Default),
        (UnusedValue, "unused-value", Default),
        (EmptyBody, "empty-body", Default),
        (DivisionByZero, "division-by-zero", Default),
        (ConstantConversion, "constant-conversion", Default),
        (LiteralConversion, "literal-conversion", Default),
        (Uninitialized, "uninitialized", ToldOfAll),
        (DivergentBarrier, "divergent-barrier", Told),
        (UnusedVariable, "unused-variable", All),
        (UnusedFunction, "unused-function", All),
        (UnusedLabel, "unused-label", All),
        (UnusedParameter, "unused-parameter", Extra),
        (Shadow, "shadow", Named),
        (DoublePromotion, "double-promotion", Named),
    ]
};

/// What becomes of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Hidden,
    Shown,
    Error,
}

/// The warnings that a build wants: a bit for each name, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warnings {
    /// `-w`: it wins over all else, for a warning that is not shown can't be an error.
    hide_all: bool,
    /// `-Werror`
    all_are_errors: bool,
    shown: u32,
    /// Those that `-Werror` is about, if they are shown.
    counted: u32,
    errors: u32,
}

impl Default for Warnings {
    fn default() -> Warnings {
        Warnings {
            hide_all: false,
            all_are_errors: false,
            shown: group_bits(Group::Default)
                | group_bits(Group::ToldOfAll)
                | group_bits(Group::Told),
            counted: group_bits(Group::Default),
            errors: 0,
        }
    }
}

impl Warning {
    /// As it stands behind `-W`.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }
}

impl Warnings {
    /// No warning at all.
    pub fn hidden() -> Warnings {
        Warnings {
            hide_all: true,
            ..Warnings::default()
        }
    }

    /// Reads one option; false if it is none about warnings. `-Wno-` takes any name: a warning that does not exist is off.
    pub(super) fn set(&mut self, option: &str) -> bool {
        let Some(name) = option.strip_prefix("-W") else {
            self.hide_all |= option == "-w";
            return option == "-w";
        };
        match name {
            "error" => self.all_are_errors = true,
            "no-error" => self.all_are_errors = false,
            "all" => self.ask_for(&[Group::All, Group::ToldOfAll]),
            "extra" => self.ask_for(&[Group::All, Group::ToldOfAll, Group::Extra]),
            "everything" => self.ask_for_bits(u32::MAX),
            _ => return self.set_named(name),
        }
        true
    }

    fn ask_for(&mut self, groups: &[Group]) {
        for &group in groups {
            self.ask_for_bits(group_bits(group));
        }
    }

    fn ask_for_bits(&mut self, bits: u32) {
        self.shown |= bits;
        self.counted |= bits;
    }

    fn set_named(&mut self, name: &str) -> bool {
        if let Some(off) = name.strip_prefix("no-") {
            let is_name = !off.is_empty()
                && off
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-+=".contains(&b));
            self.shown &= !bit(off);
            return is_name;
        }
        let error = name.strip_prefix("error=");
        let bit = bit(error.unwrap_or(name));
        self.ask_for_bits(bit);
        if error.is_some() {
            self.errors |= bit;
        }
        bit != 0
    }

    pub(super) fn fate(self, warning: Option<Warning>) -> Fate {
        let bit = warning.map_or(u32::MAX, |w| 1 << w as u32);
        if self.hide_all || self.shown & bit == 0 {
            Fate::Hidden
        } else if (self.all_are_errors && self.counted & bit != 0)
            || (warning.is_some() && self.errors & bit != 0)
        {
            Fate::Error
        } else {
            Fate::Shown
        }
    }
}

/// The bit of a warning's name, 0 if there is none of that name.
fn bit(name: &str) -> u32 {
    let found = TABLE.iter().find(|row| row.1 == name);
    found.map_or(0, |row| 1 << row.0 as u32)
}

fn group_bits(group: Group) -> u32 {
    let rows = TABLE.iter().filter(|row| row.2 == group);
    rows.fold(0, |bits, row| bits | 1 << row.0 as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fate(options: &[&str], warning: Warning) -> Fate {
        let mut warnings = Warnings::default();
        for option in options {
            assert!(warnings.set(option), "{option}");
        }
        warnings.fate(Some(warning))
    }

    #[test]
    fn the_table_is_in_the_order_of_the_names() {
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, i);
        }
    }

    #[test]
    fn options_switch_names_and_groups() {
        use Warning::*;
        assert_eq!(fate(&[], ReturnType), Fate::Shown);
        assert_eq!(fate(&[], UnusedVariable), Fate::Hidden);
        assert_eq!(fate(&["-Wall"], UnusedVariable), Fate::Shown);
        assert_eq!(fate(&["-Wall"], UnusedParameter), Fate::Hidden);
        assert_eq!(fate(&["-Wextra"], UnusedParameter), Fate::Shown);
        assert_eq!(fate(&["-Wextra"], Shadow), Fate::Hidden);
        assert_eq!(fate(&["-Wshadow"], Shadow), Fate::Shown);
        assert_eq!(fate(&["-Wno-return-type"], ReturnType), Fate::Hidden);
        assert_eq!(fate(&["-Werror=shadow"], Shadow), Fate::Error);
        assert_eq!(fate(&["-Werror=shadow"], ReturnType), Fate::Shown);
        assert_eq!(fate(&["-Werror"], ReturnType), Fate::Error);
        assert_eq!(fate(&["-Werror", "-w"], ReturnType), Fate::Hidden);
        assert_eq!(fate(&["-Werror", "-Wno-error"], ReturnType), Fate::Shown);
    }

    #[test]
    fn what_clang_does_not_show_counts_when_it_is_asked_for() {
        use Warning::*;
        for warning in [Uninitialized, DivergentBarrier] {
            assert_eq!(fate(&[], warning), Fate::Shown);
            assert_eq!(fate(&["-Werror"], warning), Fate::Shown);
            let by_name = format!("-W{}", warning.name());
            assert_eq!(fate(&["-Werror", &by_name], warning), Fate::Error);
            let by_name = format!("-Werror={}", warning.name());
            assert_eq!(fate(&[&by_name], warning), Fate::Error);
        }
        assert_eq!(fate(&["-Wall", "-Werror"], Uninitialized), Fate::Error);
        assert_eq!(fate(&["-Wall", "-Werror"], DivergentBarrier), Fate::Shown);
    }

    #[test]
    fn unknown_names_can_only_be_switched_off() {
        let mut warnings = Warnings::default();
        assert!(warnings.set("-Wno-pointer-sign"));
        for bad in ["-Wpointers", "-W", "-Wno-", "-Werror=x", "-Wno-a b", "-x"] {
            assert!(!warnings.set(bad), "{bad}");
        }
    }
}
