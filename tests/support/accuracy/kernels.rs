//! One kernel for each function, all with the same parameters, run by calling its machine code.

use super::functions::{FUNCTIONS, Function, Shape};
use clotho::compiler::abi::{Group, Launch};
use clotho::compiler::{self, Kernel};
use clotho::ir::{Elem, eval};
use half::f16;
use std::collections::HashMap;
use std::ffi::c_void;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    Single,
    Double,
    Half,
}

impl Precision {
    pub const ALL: [Precision; 3] = [Precision::Single, Precision::Double, Precision::Half];

    /// The nearest number of this precision.
    pub fn round(self, value: f64) -> f64 {
        match self {
            Self::Single => f64::from(value as f32),
            Self::Double => value,
            Self::Half => f16::from_bits(half_bits(value)).to_f64(),
        }
    }
}

fn half_bits(value: f64) -> u16 {
    eval::from_f64(Elem::F16, value) as u16
}

/// Numbers of one precision.
pub enum Column {
    Single(Vec<f32>),
    Double(Vec<f64>),
    /// By their bits.
    Half(Vec<u16>),
}

impl Column {
    pub fn with_capacity(precision: Precision, n: usize) -> Self {
        match precision {
            Precision::Single => Self::Single(Vec::with_capacity(n)),
            Precision::Double => Self::Double(Vec::with_capacity(n)),
            Precision::Half => Self::Half(Vec::with_capacity(n)),
        }
    }

    fn zeros(precision: Precision, n: usize) -> Self {
        match precision {
            Precision::Single => Self::Single(vec![0.0; n]),
            Precision::Double => Self::Double(vec![0.0; n]),
            Precision::Half => Self::Half(vec![0; n]),
        }
    }

    /// `value` is one of the column's precision.
    pub fn push(&mut self, value: f64) {
        match self {
            Self::Single(v) => v.push(value as f32),
            Self::Double(v) => v.push(value),
            Self::Half(v) => v.push(half_bits(value)),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Single(v) => v.len(),
            Self::Double(v) => v.len(),
            Self::Half(v) => v.len(),
        }
    }

    pub fn get(&self, n: usize) -> f64 {
        match self {
            Self::Single(v) => f64::from(v[n]),
            Self::Double(v) => v[n],
            Self::Half(v) => f16::from_bits(v[n]).to_f64(),
        }
    }

    pub fn as_ptr(&self) -> *const c_void {
        match self {
            Self::Single(v) => v.as_ptr().cast(),
            Self::Double(v) => v.as_ptr().cast(),
            Self::Half(v) => v.as_ptr().cast(),
        }
    }
}

/// Arguments of as many calls as each column is long.
pub struct Batch {
    pub x: Column,
    pub y: Column,
    pub k: Vec<i32>,
}

pub struct Results {
    pub value: Column,
    /// What a pointer to a number got.
    pub second: Column,
    /// What a pointer to int got, or an int result.
    pub number: Vec<i32>,
}

pub struct Kernels {
    pub precision: Precision,
    by_name: HashMap<String, Arc<Kernel>>,
}

impl Kernels {
    pub fn build(precision: Precision, options: &'static str) -> Self {
        let source = source(precision);
        let build = move || {
            let output = compiler::build(&source, options, &[]);
            output.result.map_err(|_| output.log)
        };
        let program = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(build)
            .expect("a thread can be made")
            .join()
            .expect("the compiler does not panic")
            .unwrap_or_else(|log| panic!("the kernels do not build:\n{log}"));
        let kernels = program.kernels.iter();
        Self {
            precision,
            by_name: kernels.map(|k| (k.name.clone(), k.clone())).collect(),
        }
    }

    pub fn run(&self, function: &Function, batch: &Batch) -> Results {
        let n = batch.x.len();
        let results = Results {
            value: Column::zeros(self.precision, n),
            second: Column::zeros(self.precision, n),
            number: vec![0; n],
        };
        let kernel = &self.by_name[&format!("test_{}", function.name)];
        assert_eq!(kernel.args_size, 6 * 8, "six pointers");
        let args = [
            batch.x.as_ptr(),
            batch.y.as_ptr(),
            batch.k.as_ptr().cast(),
            results.value.as_ptr(),
            results.second.as_ptr(),
            results.number.as_ptr().cast(),
        ];
        let size = [n as u64, 1, 1];
        let launch = Launch {
            global_offset: [0; 3],
            global_size: size,
            local_size: size,
            num_groups: [1; 3],
            work_dim: 1,
            printf: no_printf,
            divergence: no_divergence,
            device: no_device,
            user: std::ptr::null_mut(),
        };
        let scratch =
            vec![[0u128; 8]; (kernel.scratch_fixed + kernel.scratch_per_item * n) / 128 + 2];
        let scratch = scratch.as_ptr() as *mut u8;
        let group = Group {
            launch: &launch,
            group_id: [0; 3],
            local_size: size,
            scratch: scratch.wrapping_add(scratch.align_offset(128)),
            local: std::ptr::null_mut(),
            scratch_bytes: 0,
            local_bytes: 0,
        };
        let entry = kernel
            .code(0, [1; 3], [1; 3])
            .entry()
            .expect("machine code is made");
        // SAFETY: the block holds the kernel's six pointers in order, each to n elements, and each work-item touches
        // its own element. Nothing else refers to the columns of `results` while the kernel writes to them.
        unsafe { entry(args.as_ptr().cast(), &group) };
        std::hint::black_box(results)
    }
}

/// Nothing is enqueued.
unsafe extern "C" fn no_device(_: *const Launch, _: u32, _: *const u64, _: u32) -> u64 {
    0
}

unsafe extern "C" fn no_printf(_: *const Launch, _: *const u8, _: *const u64, _: u32) {}
unsafe extern "C" fn no_divergence(_: *const Group, _: u32, _: u32, _: u32, _: u32, _: *const u32) {
}

fn source(precision: Precision) -> String {
    let (real, bits) = match precision {
        Precision::Single => ("float", "uint"),
        Precision::Double => ("double", "ulong"),
        Precision::Half => ("half", "ushort"),
    };
    let mut text = String::new();
    for f in FUNCTIONS {
        if f.bound(precision).is_none() {
            continue;
        }
        let name = f.name;
        let body = match f.shape {
            Shape::One => format!("value[i] = {name}(x[i]);"),
            Shape::Two if name == "divide" => "value[i] = x[i] / y[i];".to_string(),
            Shape::Two => format!("value[i] = {name}(x[i], y[i]);"),
            Shape::Power => format!("value[i] = {name}(x[i], k[i]);"),
            Shape::OnePointer => {
                format!("{real} other; value[i] = {name}(x[i], &other); second[i] = other;")
            }
            Shape::OneInt => {
                format!("int other; value[i] = {name}(x[i], &other); number[i] = other;")
            }
            Shape::TwoInt => {
                format!("int other; value[i] = {name}(x[i], y[i], &other); number[i] = other;")
            }
            Shape::ToInt => format!("number[i] = {name}(x[i]);"),
            Shape::FromBits => format!("value[i] = {name}(as_{bits}(x[i]));"),
        };
        writeln!(
            text,
            "__kernel void test_{name}(__global const {real} *x, __global const {real} *y, __global const int *k, \
             __global {real} *value, __global {real} *second, __global int *number) \
             {{ size_t i = get_global_id(0); {body} }}"
        )
        .expect("a string takes all");
    }
    text
}
