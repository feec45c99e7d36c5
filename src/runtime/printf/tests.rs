//! Conversions against the C library's, vectors, and what the specification leaves undefined.

use super::*;
use std::ffi::CString;

fn int(size: u64, values: &[u64]) -> Vec<u64> {
    packed(0, size, values)
}

fn flt(values: &[f64]) -> Vec<u64> {
    let bits: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
    packed(1, 8, &bits)
}

fn packed(kind: u64, size: u64, values: &[u64]) -> Vec<u64> {
    let mut words = vec![kind | size << 8 | (values.len() as u64) << 16];
    words.extend_from_slice(values);
    words
}

fn print(text: &str, args: &[Vec<u64>]) -> String {
    let text = CString::new(text).unwrap();
    let words: Vec<u64> = args.concat();
    let mut out = Vec::new();
    // SAFETY: the words are packed above; each string argument of a test is a C string.
    unsafe {
        format(
            text.as_ptr().cast(),
            words.as_ptr(),
            args.len() as u32,
            &mut out,
        )
    };
    String::from_utf8(out).unwrap()
}

/// What the C library prints for one double.
fn c_print(text: &str, value: f64) -> String {
    let text = CString::new(text).unwrap();
    let mut buffer = vec![0u8; 2000];
    // SAFETY: the buffer's size is given; the format takes one double.
    let length = unsafe {
        libc::snprintf(
            buffer.as_mut_ptr().cast(),
            buffer.len(),
            text.as_ptr(),
            value,
        )
    };
    buffer.truncate(length as usize);
    String::from_utf8(buffer).unwrap()
}

fn c_print_int(text: &str, value: i32) -> String {
    let text = CString::new(text).unwrap();
    let mut buffer = vec![0u8; 200];
    // SAFETY: as above, with one int.
    let length = unsafe {
        libc::snprintf(
            buffer.as_mut_ptr().cast(),
            buffer.len(),
            text.as_ptr(),
            value,
        )
    };
    buffer.truncate(length as usize);
    String::from_utf8(buffer).unwrap()
}

#[test]
fn floats_print_as_in_c() {
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        0.25,
        0.1,
        0.6,
        10.3456,
        12345.6789,
        2.3e-6,
        0.023,
        1e15,
        1e16,
        123456789.0,
        99999.95,
        999999.5,
        9.9999995,
        5e-324,
        1e-310,
        f64::MAX,
        f64::MIN_POSITIVE,
        1.25,
        3.125,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e100,
        0.0001,
        0.00001,
        1.0 / 3.0,
    ];
    let flags = ["", "-", "+", " ", "#", "0", "-#", "+#", "0+", "# 0"];
    let sizes = [
        "", "4", "20", ".0", ".1", ".2", "8.3", "10.2", "20.15", ".6", "30.20", ".",
    ];
    for conversion in "fFeEgGaA".chars() {
        for flag in flags {
            for size in sizes {
                let text = format!("%{flag}{size}{conversion}");
                for value in values {
                    // The C library forgets the zeros of `%#g` where rounding gains a digit.
                    let gains = [99999.95, 999999.5, 9.9999995].contains(&value);
                    if gains && flag.contains('#') && "gG".contains(conversion) {
                        continue;
                    }
                    assert_eq!(
                        print(&text, &[flt(&[value])]),
                        c_print(&text, value),
                        "{text} of {value:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn integers_print_as_in_c() {
    let flags = ["", "-", "+", " ", "#", "0", "-+", "-0", "#0", "0 "];
    let sizes = ["", "5", "12", ".0", ".5", "6.5", "06.5", "2.12"];
    for conversion in "dioxXuc".chars() {
        for flag in flags {
            for size in sizes {
                if conversion == 'c' && (size.contains('.') || flag.contains('0')) {
                    continue;
                }
                for length in ["", "h", "hh"] {
                    if conversion == 'c' && !length.is_empty() {
                        continue;
                    }
                    let text = format!("%{flag}{size}{length}{conversion}");
                    for value in [
                        0,
                        1,
                        -1,
                        65,
                        66,
                        100,
                        32767,
                        -32768,
                        12345678,
                        i32::MIN,
                        i32::MAX,
                    ] {
                        if conversion == 'c' && !(65..127).contains(&value) {
                            continue;
                        }
                        let ours = print(&text, &[int(4, &[u64::from(value as u32)])]);
                        assert_eq!(ours, c_print_int(&text, value), "{text} of {value}");
                    }
                }
            }
        }
    }
}

#[test]
fn vectors_print_with_commas() {
    let f = flt(&[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(
        print("f4 = %2.2v4hlf\n", &[f]),
        "f4 = 1.00,2.00,3.00,4.00\n"
    );
    let uc = int(1, &[0xfa, 0xfb, 0xfc, 0xfd]);
    assert_eq!(print("uc = %#v4hhx\n", &[uc]), "uc = 0xfa,0xfb,0xfc,0xfd\n");
    assert_eq!(
        print("%#v2hx", &[int(2, &[0x1234, 0x8765])]),
        "0x1234,0x8765"
    );
    assert_eq!(
        print("%v2ld", &[int(8, &[12345678, 98765432])]),
        "12345678,98765432"
    );
    assert_eq!(print("%v2hhd", &[int(1, &[0x80, 0x7f])]), "-128,127");
    assert_eq!(
        print("%.1v4hla", &[flt(&[0.25, 0.5, 1.0, 1.5])]),
        "0x1.0p-2,0x1.0p-1,0x1.0p+0,0x1.8p+0"
    );
    assert_eq!(
        print("%+v3hli", &[int(4, &[1, 0xffff_fffe, 3])]),
        "+1,-2,+3"
    );
    let sixteen: Vec<u64> = (0..16).collect();
    assert_eq!(
        print("%v16hld", &[int(4, &sixteen)]),
        "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
    );
}

#[test]
fn long_values_strings_and_pointers() {
    assert_eq!(
        print(
            "%5ld|%zu|%td",
            &[int(8, &[10_000_000_000]), int(8, &[7]), int(8, &[u64::MAX])]
        ),
        "10000000000|7|-1"
    );
    let s = CString::new("foo").unwrap();
    let arg = || packed(2, 8, &[s.as_ptr() as u64]);
    assert_eq!(
        print("%s|%4s|%.1s|%-5s|", &[arg(), arg(), arg(), arg()]),
        "foo| foo|f|foo  |"
    );
    assert_eq!(print("%p", &[packed(2, 8, &[0xdead])]), "0xdead");
    assert_eq!(print("%s", &[packed(2, 8, &[0])]), "(null)");
    assert_eq!(print("%%%s%%", &[arg()]), "%foo%");
    assert_eq!(print("%%s%s", &[arg()]), "%sfoo");
}

#[test]
fn what_is_undefined_is_harmless() {
    assert_eq!(print("%", &[]), "%");
    assert_eq!(print("%5", &[]), "%5");
    assert_eq!(print("%d %d", &[int(4, &[1])]), "1 %d");
    assert_eq!(print("%y", &[]), "%y");
    assert_eq!(print("%v5hld", &[int(4, &[1])]), "%v5hld");
    assert_eq!(print("%s", &[int(4, &[1])]), "(null)");
    assert_eq!(print("%d", &[flt(&[2.0])]), "2");
    assert_eq!(print("%f", &[int(4, &[0xffff_ffff])]), "-1.000000");
    assert_eq!(print("%v4hld", &[int(4, &[1, 2])]), "1,2");
    assert_eq!(
        print("%99999999999999999999d", &[int(4, &[1])]).len(),
        FIELD_LIMIT
    );
    assert!(print("%.99999999f", &[flt(&[1.0])]).len() < FIELD_LIMIT + 10);
    assert!(print("%.99999999g", &[flt(&[1.5])]).len() < FIELD_LIMIT + 10);
}
