//! Runs the launches of one file on one executor and compares what came back with what was expected.

use super::executor::{ArgData, Built, Executor};
use super::expr::{Env, Value};
use super::interp::Interp;
use super::runfile::{Arg, Elem, Expect, Launch, RunFile, Tolerance};

/// Runs every launch of `file`. The error names the launch and the first elements that differ.
pub fn run(file: &RunFile, executor: &dyn Executor) -> Result<(), String> {
    let mut built: Option<(&str, Box<dyn Built>)> = None;
    for launch in &file.launches {
        let what = || {
            let range = &launch.range;
            format!(
                "kernel {} global {:?} local {:?} offset {:?} options `{}`",
                launch.kernel, range.global, range.local, range.offset, launch.options
            )
        };
        if built
            .as_ref()
            .is_none_or(|(options, _)| *options != launch.options)
        {
            let program = executor
                .build(&file.source, &launch.options)
                .map_err(|error| format!("build with options `{}`: {error}", launch.options))?;
            built = Some((&launch.options, program));
        }
        let (_, program) = built.as_ref().expect("just built");
        let args = launch
            .data()
            .map_err(|error| format!("{}: {error}", what()))?;
        let results = program
            .run(&launch.kernel, &args, &launch.range)
            .map_err(|error| format!("{}: {error}", what()))?;
        compare(launch, &args, &results).map_err(|error| format!("{}: {error}", what()))?;
        if !launch.interpreted.is_empty() {
            let oracle = Interp::Items
                .build(&file.source, &launch.options)
                .and_then(|built| built.run(&launch.kernel, &args, &launch.range))
                .map_err(|error| format!("{}, interpreted: {error}", what()))?;
            same(launch, &results, &oracle).map_err(|error| format!("{}: {error}", what()))?;
        }
    }
    Ok(())
}

/// Whether the buffers hold what the interpreter left, but for the bits of a NaN.
pub fn same(launch: &Launch, found: &[Vec<u8>], oracle: &[Vec<u8>]) -> Result<(), String> {
    for &arg in &launch.interpreted {
        let Some(Arg::Buffer { elem, .. }) = launch.args.get(arg) else {
            return Err(format!("argument {arg} is no buffer"));
        };
        let pairs = decode(*elem, &found[arg])
            .into_iter()
            .zip(decode(*elem, &oracle[arg]));
        let equal = |a: Value, b: Value| match (a, b) {
            (Value::Float(a), Value::Float(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            _ => a == b,
        };
        let mut wrong = pairs.enumerate().filter(|(_, (a, b))| !equal(*a, *b));
        if let Some((i, (a, b))) = wrong.next() {
            return Err(format!(
                "argument {arg}: [{i}] is {a:?}, interpreted {b:?}, and {} more differ",
                wrong.count()
            ));
        }
    }
    Ok(())
}

fn compare(launch: &Launch, args: &[ArgData], results: &[Vec<u8>]) -> Result<(), String> {
    let initial: Vec<Vec<Value>> = launch
        .args
        .iter()
        .zip(args)
        .map(|(arg, data)| match (arg, data) {
            (Arg::Buffer { elem, .. }, ArgData::Buffer(bytes) | ArgData::Image(_, bytes)) => {
                decode(*elem, bytes)
            }
            _ => Vec::new(),
        })
        .collect();
    let mut env = Env::new(launch.vars(), initial.iter().map(Vec::as_slice).collect());
    for expect in &launch.expects {
        let (Some(Arg::Buffer { elem, .. }), Some(bytes)) =
            (launch.args.get(expect.arg), results.get(expect.arg))
        else {
            return Err(format!(
                "argument {} of `{}` is no buffer",
                expect.arg, expect.text
            ));
        };
        let found = decode(*elem, bytes);
        if found.len() != initial[expect.arg].len() {
            return Err(format!(
                "argument {} came back with another size",
                expect.arg
            ));
        }
        let wrong = differences(expect, *elem, &found, &mut env)?;
        if !wrong.is_empty() {
            let first: Vec<String> = wrong
                .iter()
                .take(5)
                .map(|(i, found, wanted)| format!("[{i}] is {found:?}, expected {wanted:?}"))
                .collect();
            return Err(format!(
                "{} elements fail `{}`: {}",
                wrong.len(),
                expect.text,
                first.join("; ")
            ));
        }
    }
    Ok(())
}

fn differences(
    expect: &Expect,
    elem: Elem,
    found: &[Value],
    env: &mut Env,
) -> Result<Vec<(usize, Value, Value)>, String> {
    let mut wrong = Vec::new();
    let mut checked = 0;
    env.vars[1] = found.len() as i128;
    for (i, found) in found.iter().enumerate() {
        env.vars[0] = i as i128;
        if let Some(filter) = &expect.filter
            && filter.eval(env)?.int() == 0
        {
            continue;
        }
        checked += 1;
        let wanted = expect.value.eval(env)?;
        if !agrees(elem, *found, wanted, expect.tolerance) {
            wrong.push((i, *found, wanted));
        }
    }
    if checked == 0 {
        return Err(format!("`{}` checks nothing", expect.text));
    }
    Ok(wrong)
}

fn agrees(elem: Elem, found: Value, wanted: Value, tolerance: Tolerance) -> bool {
    if let Tolerance::Exact = tolerance {
        let wanted = elem.convert(wanted);
        return found == wanted || (found.float().is_nan() && wanted.float().is_nan());
    }
    let (found, exact) = (found.float(), wanted.float());
    let rounded = elem.convert(wanted).float();
    if !found.is_finite() || !rounded.is_finite() {
        return found == rounded || (found.is_nan() && rounded.is_nan());
    }
    let error = (found - exact).abs();
    match tolerance {
        Tolerance::Exact => unreachable!("handled above"),
        Tolerance::Ulp(limit) => error <= limit * ulp(elem, exact),
        Tolerance::Absolute(limit) => error <= limit,
        Tolerance::Relative(limit) => error <= limit * exact.abs(),
    }
}

/// The distance between the two numbers of the type that are nearest to `x` (OpenCL C, relative error as ULPs).
fn ulp(elem: Elem, x: f64) -> f64 {
    let (digits, least) = match elem {
        Elem::Half => (10, -14),
        Elem::Double => (52, -1022),
        _ => (23, -126),
    };
    let exponent = if x == 0.0 {
        least
    } else {
        (x.abs().log2().floor() as i32).max(least)
    };
    2f64.powi(exponent - digits)
}

fn decode(elem: Elem, bytes: &[u8]) -> Vec<Value> {
    bytes
        .chunks_exact(elem.size())
        .map(|bytes| elem.decode(bytes))
        .collect()
}
