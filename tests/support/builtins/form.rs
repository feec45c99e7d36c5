//! Reads `tests/builtins/specification.txt`, whose head says how it is written.

use super::{Constness, LANES, Overload, SCALARS, Space, Ty, every_list};
use std::collections::BTreeSet;

/// The overloads of all forms of the file. A mistake in the file panics.
pub fn overloads(text: &str) -> BTreeSet<Overload> {
    let mut all = BTreeSet::new();
    let mut set: Vec<(&str, u8)> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(types) = line.strip_prefix("T = ") {
            set = members(types);
            continue;
        }
        let (form, names) = line
            .split_once("): ")
            .expect("a form ends with ')' and ':'");
        let (ret, params) = form.split_once('(').expect("a form has a parenthesis");
        let one = [("int", 1)];
        let set = if form.contains(['T', '~']) {
            &set[..]
        } else {
            &one
        };
        for &member in set {
            let others: &[u8] = if form.contains('M') {
                &[2, 4, 8, 16]
            } else {
                &[1]
            };
            for &other in others {
                for name in names.split_whitespace() {
                    add(&mut all, name, ret, params, (member, other));
                }
            }
        }
    }
    all
}

// types = scalar { scalar } "/" lanes { lanes }
fn members(types: &str) -> Vec<(&str, u8)> {
    let (scalars, lanes) = types.split_once(" / ").expect("a set has lanes");
    let lanes: Vec<u8> = lanes
        .split_whitespace()
        .map(|n| n.parse().expect("a number of lanes"))
        .collect();
    assert!(lanes.iter().all(|n| LANES.contains(n)), "{types}");
    scalars
        .split_whitespace()
        .inspect(|scalar| assert!(SCALARS.contains(scalar), "{types}"))
        .flat_map(|scalar| lanes.iter().map(move |&n| (scalar, n)))
        .collect()
}

/// What T is, and the lanes of M.
type Binding<'t> = ((&'t str, u8), u8);

fn add(all: &mut BTreeSet<Overload>, name: &str, ret: &str, params: &str, binding: Binding) {
    let lanes = match binding.0.1 {
        1 => String::new(),
        n => n.to_string(),
    };
    let name = name.replace('#', &lanes);
    let params = params.split(',').filter(|p| !p.is_empty());
    let lists = every_list(params.map(|param| parameter(param, binding)));
    all.extend(lists.into_iter().map(|params| Overload {
        name: name.clone(),
        ret: value(ret, binding),
        params,
    }));
}

// parameter = ["const "] value ["*" {space}]
fn parameter(text: &str, binding: Binding) -> Vec<Ty> {
    let Some((to, spaces)) = text.split_once('*') else {
        return vec![value(text, binding)];
    };
    let (to, constness) = match to.strip_prefix("const ") {
        Some(to) => (to, Constness::Const),
        None => (to, Constness::Mutable),
    };
    let to = value(to, binding);
    let spaces = if spaces.is_empty() { "glp" } else { spaces };
    spaces
        .chars()
        .map(|space| match space {
            'g' => Space::Global,
            'l' => Space::Local,
            'p' => Space::Private,
            'c' => Space::Constant,
            _ => panic!("unknown address space {space}"),
        })
        .map(|space| Ty::Pointer(space, constness, Box::new(to.clone())))
        .collect()
}

// value = "T" [".elem" | ".int" | ".uint"] | "M" | "atomic_~" | scalar "~" | name
fn value(text: &str, ((scalar, lanes), other): Binding) -> Ty {
    match text {
        "T" => Ty::vector(scalar, lanes),
        "T.elem" => Ty::vector(scalar, 1),
        "T.int" => Ty::vector(Ty::integer(scalar, true), lanes),
        "T.uint" => Ty::vector(Ty::integer(scalar, false), lanes),
        "M" => Ty::vector(scalar, other),
        "atomic_~" => Ty::vector(&format!("atomic_{scalar}"), 1),
        _ => match text.strip_suffix('~') {
            Some(of) => Ty::vector(of, lanes),
            None => named(text),
        },
    }
}

/// `uchar4`, `size_t`: a scalar's name with lanes behind it, or any other name.
pub fn named(text: &str) -> Ty {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
    match text[digits.len()..].parse() {
        Ok(lanes) if SCALARS.contains(&digits) => Ty::vector(digits, lanes),
        _ => Ty::vector(text, 1),
    }
}
