//! Round trips and errors that need no file.

use super::parse_module;
use crate::ir::print::with_locations;

const EVERYTHING: &str = include_str!("../../../tests/filetests/ir/everything.ir");

/// The text without the comments and blank lines that printing drops.
fn canonical(text: &str) -> String {
    let keep = |line: &&str| !line.trim_start().starts_with("//") && !line.trim().is_empty();
    text.lines()
        .filter(keep)
        .map(|l| format!("{l}\n"))
        .collect()
}

#[test]
fn every_construct_round_trips() {
    let module = parse_module(EVERYTHING).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(with_locations(&module).to_string(), canonical(EVERYTHING));
}

#[test]
fn a_text_cut_anywhere_gives_a_module_or_an_error() {
    for end in 0..EVERYTHING.len() {
        let _ = parse_module(&EVERYTHING[..end]);
    }
}

#[test]
fn errors_have_positions() {
    let cases = [
        (
            "func fn0 @f() {\nblock0:\n    return v3\n}",
            "3:5: v3 is not defined",
        ),
        (
            "func fn0 @f() {\nblock0:\n    jump block7\n}",
            "3:5: block7 is not defined",
        ),
        (
            "func fn0 @f() {\nblock0:\n    v0: i8 = iconst 300\n    return\n}",
            "3:21: the number does not fit the type",
        ),
        (
            "func fn0 @f() {\nblock0:\n    v0: i9 = iconst 3\n    return\n}",
            "3:9: expected a type",
        ),
        (
            "func fn0 @f() {\nblock0:\n    bogus v1\n}",
            "3:5: unknown opcode 'bogus'",
        ),
        ("func fn1 @f() {", "1:6: expected fn0 here"),
        (
            "func fn0 @f() {\nblock0:\n    v4000000000: i32 = undef\n    return\n}",
            "3:5: the id is malformed or too large",
        ),
        (
            "func fn0 @f() {\n}",
            "2:1: a function has at least one block",
        ),
        (
            "global g0 constant \"x\" align 1 = zero 99999999999",
            "1:39: the initialisers of the module are too large",
        ),
        (
            "func fn0 @f() {\nblock0:\n    undef\n    return\n}",
            "3:5: this instruction has a result: vN: type = ...",
        ),
    ];
    for (text, expected) in cases {
        let error = parse_module(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn ids_that_the_text_skips_stay_unused() {
    let text =
        "func fn0 @f(v7: i32) -> i32 {\nblock3:\n    v5: i32 = iadd v7, v7\n    return v5\n}\n";
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(module.to_string(), text);
    let body = module.functions[0].body.as_ref().expect("a body");
    assert_eq!((body.num_values(), body.num_blocks()), (8, 4));
}
