//! Kernels that call one overload each, their data, and the comparison of what they leave.
//!
//! A kernel has two buffers, in which each work-item owns a block of [`SLOTS`] slots of [`SLOT`] bytes. Parameter n is
//! read from slot n of the first; what is behind a pointer to private or local memory, and the result, go to slots of the
//! second, in which a pointer to global memory leads, too.

use super::{Constness, Overload, Space, Ty};
use std::fmt::Write;

pub const SLOT: usize = 256;
pub const SLOTS: usize = 8;
pub const ITEMS: usize = 8;

/// What every source begins with. Functions that read constant memory read this.
pub const PRELUDE: &str = "constant ulong data[32] = {0x3ff8000040200000, 0x4010c00041103e00, 3, 0xc0000000bf80ffff, 5, 6};\n";

/// Whether a call by one work-item alone, with values of its own, means something. Copies, synchronisation and collectives are
/// for the whole group, and their results are not values; images are no values either, and clocks go on. They have run tests. What the library asks
/// of the machine (`__clo_`) is defined for less than every number, and tested with the instructions.
pub fn can_run(overload: &Overload) -> bool {
    let name = &overload.name;
    let others = [
        "barrier",
        "fence",
        "async_",
        "wait_group",
        "work_group",
        "sub_group",
        "prefetch",
        "image",
        "clock_read",
        "reserve_id",
        "__clo_",
    ];
    !others.iter().any(|part| name.contains(part))
}

fn clustered(overload: &Overload) -> bool {
    overload.name.starts_with("sub_group_clustered")
}

/// The text of a kernel that calls it.
pub fn kernel(name: &str, overload: &Overload) -> String {
    let mut before = String::new();
    let mut after = String::new();
    let mut objects = String::new();
    let mut args = Vec::new();
    for (n, param) in overload.params.iter().enumerate() {
        let at = SLOT * n;
        match param {
            Ty::Value(name, _) if name.contains("image") || name == "sampler_t" => {
                let _ = write!(objects, ", {name} object{n}");
                args.push(format!("object{n}"));
            }
            // Clusters have a constant size.
            Ty::Value(..) if n > 0 && n + 1 == overload.params.len() && clustered(overload) => {
                args.push("4u".to_string());
            }
            Ty::Value(..) => args.push(argument(param, at)),
            Ty::Pointer(space, constness, to) => {
                let quals = match constness {
                    Constness::Const => "const ",
                    Constness::Mutable => "",
                };
                let base = match space {
                    Space::Global => format!("o + {at}"),
                    Space::Constant => "data".to_string(),
                    Space::Local => {
                        let _ = writeln!(
                            before,
                            "    for (int n = 0; n < {SLOT}; n++) l[get_local_id(0)][{at} + n] = a[{at} + n];"
                        );
                        let _ = writeln!(
                            after,
                            "    for (int n = 0; n < {SLOT}; n++) o[{at} + n] = l[get_local_id(0)][{at} + n];"
                        );
                        format!("l[get_local_id(0)] + {at}")
                    }
                    Space::Private => {
                        let _ = writeln!(
                            before,
                            "    ulong16 p{n}[2];\n    for (int n = 0; n < {SLOT}; n++) ((uchar *)p{n})[n] = a[{at} + n];"
                        );
                        let _ = writeln!(
                            after,
                            "    for (int n = 0; n < {SLOT}; n++) o[{at} + n] = ((uchar *)p{n})[n];"
                        );
                        format!("p{n}")
                    }
                };
                args.push(format!("({} {quals}{to} *)({base})", space.name()));
            }
        }
    }
    let call = format!("{}({})", overload.name, args.join(", "));
    let at = SLOT * (SLOTS - 1);
    let call = match &overload.ret {
        Ty::Value(name, _) if name == "void" => call,
        Ty::Value(name, _) if name == "bool" => format!("*(global int *)(o + {at}) = {call}"),
        Ty::Value(name, _) if name == "event_t" => {
            format!("event_t e = {call}; wait_group_events(1, &e)")
        }
        ret => format!("*(global {ret} *)(o + {at}) = {call}"),
    };
    let local = if before.contains("l[") {
        format!(
            "    local ulong16 lines[{ITEMS}][{}];\n    local uchar (*l)[{}] = (local uchar (*)[{}])lines;\n",
            SLOT * SLOTS / 128,
            SLOT * SLOTS,
            SLOT * SLOTS
        )
    } else {
        String::new()
    };
    format!(
        "kernel void {name}(global const uchar *in, global uchar *out{objects}) {{\n{local}    size_t i = get_global_id(0);\n    \
         global const uchar *a = in + i * {block};\n    global uchar *o = out + i * {block};\n{before}    {call};\n{after}}}\n",
        block = SLOT * SLOTS
    )
}

fn argument(param: &Ty, at: usize) -> String {
    let Ty::Value(name, _) = param else {
        unreachable!("pointers are made above");
    };
    match name.as_str() {
        "memory_order" => "memory_order_seq_cst".to_string(),
        "memory_scope" => "memory_scope_device".to_string(),
        "cl_mem_fence_flags" => "CLK_LOCAL_MEM_FENCE".to_string(),
        "event_t" => "0".to_string(),
        // an offset, a count, a stride, a dimension
        "size_t" => "1".to_string(),
        _ => format!("*(global const {param} *)(a + {at})"),
    }
}

/// The first buffer; the second starts with the same bytes, so that memory behind a pointer has values.
pub fn data(overload: &Overload) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ITEMS * SLOTS * SLOT);
    let mut random = 0x9e37_79b9_7f4a_7c15u64 ^ overload.name.len() as u64;
    for item in 0..ITEMS {
        for slot in 0..SLOTS {
            let scalar = overload.params.get(slot).map_or("int", elem);
            for n in 0.. {
                // xorshift (Marsaglia, 2003)
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let value = element(scalar, random, item + n);
                bytes.extend_from_slice(&value);
                if bytes.len() == (item * SLOTS + slot + 1) * SLOT {
                    break;
                }
            }
        }
    }
    bytes
}

/// The scalar of a parameter or of what it points to.
fn elem(ty: &Ty) -> &str {
    match ty {
        Ty::Value(name, _) => name.strip_prefix("atomic_").unwrap_or(name),
        Ty::Pointer(_, _, to) => elem(to),
    }
}

/// Any integer, or a small one; a moderate float, now and then any.
fn element(scalar: &str, random: u64, n: usize) -> Vec<u8> {
    let moderate = ((random >> 20) as i16) as f64 / 1024.0;
    let small = n % 3 == 1;
    match scalar {
        "half" if n % 7 == 3 => (random as u16).to_le_bytes().to_vec(),
        "half" => half::f16::from_f64(moderate).to_le_bytes().to_vec(),
        "float" if n % 7 == 3 => (random as u32).to_le_bytes().to_vec(),
        "float" => (moderate as f32).to_le_bytes().to_vec(),
        "double" if n % 7 == 3 => random.to_le_bytes().to_vec(),
        "double" => moderate.to_le_bytes().to_vec(),
        "char" | "uchar" if small => vec![random as u8 & 7],
        "char" | "uchar" => vec![random as u8],
        "short" | "ushort" if small => (random as u16 & 7).to_le_bytes().to_vec(),
        "short" | "ushort" => (random as u16).to_le_bytes().to_vec(),
        "long" | "ulong" if small => (random & 7).to_le_bytes().to_vec(),
        "long" | "ulong" => random.to_le_bytes().to_vec(),
        _ if small => (random as u32 & 7).to_le_bytes().to_vec(),
        _ => (random as u32).to_le_bytes().to_vec(),
    }
}

/// Whether two runs left the same in the second buffer. A NaN is as good as another; estimates of the machine may differ
/// from the interpreter's exact values in last places, by `ulps`.
pub fn same(overload: &Overload, a: &[u8], b: &[u8], ulps: i64) -> Result<(), String> {
    for (at, (x, y)) in a.chunks(SLOT).zip(b.chunks(SLOT)).enumerate() {
        let slot = at % SLOTS;
        let ty = match overload.params.get(slot) {
            Some(ty) => ty,
            None => &overload.ret,
        };
        let size = match elem(ty) {
            "half" => 2,
            "float" => 4,
            "double" => 8,
            _ if x == y => continue,
            _ => 0,
        };
        let near = |(x, y): (&[u8], &[u8])| x == y || size > 0 && close(x, y, ulps);
        let parts = if size > 0 { size } else { SLOT };
        if !x.chunks(parts).zip(y.chunks(parts)).all(near) {
            return Err(format!(
                "work-item {}, slot {slot}: {:x?}, interpreted {:x?}",
                at / SLOTS,
                &x[..32],
                &y[..32]
            ));
        }
    }
    Ok(())
}

/// Floats by their bits: NaNs both, or so many steps from each other.
fn close(x: &[u8], y: &[u8], ulps: i64) -> bool {
    let bits = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        i64::from_le_bytes(word)
    };
    let (infinity, sign) = match x.len() {
        2 => (0x7c00, 0x8000),
        4 => (0x7f80_0000, 0x8000_0000),
        _ => (0x7ff0_0000_0000_0000, i64::MIN),
    };
    let (x, y) = (bits(x), bits(y));
    let magnitude = |bits: i64| bits & !sign;
    let nan = |bits: i64| magnitude(bits) > infinity;
    (nan(x) && nan(y)) || ((x ^ y) & sign == 0 && (magnitude(x) - magnitude(y)).abs() <= ulps)
}
