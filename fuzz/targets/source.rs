//! `fuzz::source` of tests/support/fuzz on whatever libFuzzer thinks of.
#![no_main]

#[path = "../../tests/support/fuzz/mod.rs"]
#[allow(dead_code)]
mod fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::source(bytes));
