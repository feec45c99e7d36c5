//! Runs a kernel in every form that the compiler makes of it, and compares the memory afterwards.

use clotho::ir::interp::{Arg, Divergence, Machine, NdRange, Scratch};
use clotho::ir::{AddrSpace, Elem, FuncId, Module, verify};
use clotho::opt;
use clotho::workgroup::{self, Options, Width};

/// Local sizes in three dimensions.
pub const SIZES: [[u64; 3]; 10] = [
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 1],
    [7, 1, 1],
    [16, 1, 1],
    [33, 1, 1],
    [64, 1, 1],
    [256, 1, 1],
    [4, 3, 2],
    [1, 5, 3],
];

/// What a launch left.
#[derive(PartialEq)]
struct Outcome {
    buffers: Vec<Vec<u8>>,
    divergences: Vec<Divergence>,
}

/// The kernel as it is, optimised, and as group functions of both: they must agree.
pub fn compare(module: &Module, name: &str, sizes: &[[u64; 3]]) {
    check(module, name);
    let kernel = module.kernels().next().expect("a kernel");
    let mut optimised = module.clone();
    opt::run(&mut optimised, &[kernel]).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut plain = module.clone();
    opt::run_required(&mut plain, &[kernel]).unwrap_or_else(|e| panic!("{name}: {e}"));
    let cutting = Options {
        clone_percent: 0,
        clone_free: 0,
        stack_limit: 8,
        ..Options::default()
    };
    let wide = |width| Options {
        width: Width::Lanes(width),
        ..Options::default()
    };
    let wide_and_cutting = Options {
        width: Width::Lanes(4),
        ..cutting
    };
    let forms: Vec<(&str, Module, Scratch, FuncId)> = [
        ("plain group", &plain, Options::default()),
        ("cut group", &plain, cutting),
        ("optimised group", &optimised, Options::default()),
        ("optimised cut group", &optimised, cutting),
        ("plain group by 4", &plain, wide(4)),
        ("optimised group by 2", &optimised, wide(2)),
        ("optimised group by 8", &optimised, wide(8)),
        ("optimised cut group by 4", &optimised, wide_and_cutting),
    ]
    .into_iter()
    .map(|(form, module, options)| {
        let mut module = module.clone();
        let group =
            workgroup::run(&mut module, kernel, options).unwrap_or_else(|e| panic!("{name}: {e}"));
        check(&module, &format!("{name}, {form}"));
        let scratch = Scratch {
            fixed: group.scratch_fixed,
            per_item: group.scratch_per_item,
        };
        (form, module, scratch, group.func)
    })
    .collect();
    for &size in sizes {
        for n in [1, 5] {
            let expected = launch(module, kernel, size, n, Scratch::default())
                .unwrap_or_else(|e| panic!("{name}: {e}\n{module}"));
            let optimised_run = launch(&optimised, kernel, size, n, Scratch::default())
                .unwrap_or_else(|e| panic!("{name}: {e}\n{optimised}"));
            // Passes may order blocks anew, and with them the barriers at which divergent items take turns.
            if expected.divergences.is_empty() && expected.buffers != optimised_run.buffers {
                panic!("{name}: size {size:?}, n {n}: optimised differs\n{module}\n{optimised}");
            }
            for (form, group, scratch, func) in &forms {
                let found = launch(group, *func, size, n, *scratch)
                    .unwrap_or_else(|e| panic!("{name}, {form}, {size:?}: {e}\n{group}"));
                let oracle = if form.starts_with("optimised") {
                    &optimised_run
                } else {
                    &expected
                };
                let reported = found.divergences.is_empty() == oracle.divergences.is_empty();
                if found.buffers != oracle.buffers || !reported {
                    panic!(
                        "{name}: size {size:?}, n {n}: the {form} differs:\n{}{group}",
                        first_difference(oracle, &found)
                    );
                }
            }
        }
    }
}

fn check(module: &Module, name: &str) {
    if let Err(errors) = verify(module) {
        let list: Vec<String> = errors.iter().map(|e| format!("{e}\n")).collect();
        panic!("{name}:\n{}\n{module}", list.concat());
    }
}

fn first_difference(a: &Outcome, b: &Outcome) -> String {
    let mut text = format!("reported {:?} and {:?}\n", a.divergences, b.divergences);
    for (n, (x, y)) in a.buffers.iter().zip(&b.buffers).enumerate() {
        if let Some(at) = (0..x.len()).find(|&i| x[i] != y[i]) {
            text += &format!("buffer {n} at byte {at}: {} and {}\n", x[at], y[at]);
        }
    }
    text
}

/// Three groups in x (the last one smaller by one item where it can be). Pointers to global memory get a buffer of 64
/// bytes for each item, pointers to local memory 4 bytes for each item of a group, integers get `n`.
fn launch(
    module: &Module,
    kernel: FuncId,
    local: [u64; 3],
    n: u64,
    scratch: Scratch,
) -> Result<Outcome, String> {
    let func = module.body(kernel).expect("a kernel");
    let mut machine = Machine::new(module);
    machine.set_step_limit(1 << 26);
    let short = u64::from(local[0] > 1);
    let global = [local[0] * 3 - short, local[1], local[2]];
    let items: u64 = global.iter().product();
    let bytes = n.to_le_bytes();
    let mut buffers = Vec::new();
    let mut args = Vec::new();
    for &param in func.param_values() {
        let ty = func.ty(param);
        args.push(match ty.elem {
            Elem::Ptr(AddrSpace::Local) => Arg::Local(4 * local.iter().product::<u64>()),
            Elem::Ptr(_) => {
                let fill = (0..items * 64).map(|i| (i * 7 + i / 64) as u8).collect();
                let id = machine.add_buffer(fill);
                buffers.push(id);
                Arg::Buffer(id, 0)
            }
            _ => Arg::Bytes(&bytes[..ty.bytes() as usize]),
        });
    }
    let range = NdRange {
        dims: 3,
        offset: [2, 0, 1],
        global,
        local,
    };
    machine
        .launch_with_scratch(kernel, &args, &range, scratch)
        .map_err(|fault| format!("{fault:?}"))?;
    Ok(Outcome {
        divergences: machine.take_divergences(),
        buffers: buffers
            .iter()
            .map(|&b| machine.buffer(b).to_vec())
            .collect(),
    })
}
