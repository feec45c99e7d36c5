//! Gathers from tables of constants, whether they become permutations of registers or not, under all kinds of masks.

use super::*;

/// Indices of 32 lanes, the last in reach of every table.
fn index(lane: usize, len: usize) -> usize {
    (lane * 11 + 3) % len
}

/// Gathers elements from a table of `len`, by lanes below `on`, with offsets of `offset` bits, and checks each.
fn check(elem: Elem, lanes: u16, len: usize, on: usize, offset: Elem) {
    let bytes = (elem.bits() / 8) as usize;
    let at = |n: usize| 0x0102_0304_0506_0708u64.wrapping_mul(n as u64 + 1);
    let init: Vec<u8> = (0..len)
        .flat_map(|n| at(n).to_le_bytes()[..bytes].to_vec())
        .collect();
    let mut module = Module::new();
    let global = module.add_global(Global {
        name: "table".to_string(),
        space: AddrSpace::Constant,
        linkage: crate::ir::Linkage::Internal,
        align: 8,
        init,
        relocs: Vec::new(),
    });
    module.add_function(group_function("k", &[GLOBAL, GLOBAL, GLOBAL], |b, p| {
        let offsets = b.load(Type::vector(offset, lanes), p[1], 4, false);
        let flags = b.load(Type::vector(Elem::I32, lanes), p[2], 4, false);
        let zero = b.iconst(Type::vector(Elem::I32, lanes), 0);
        let mask = b.icmp(IntCC::Ne, flags, zero);
        let base = b.global_addr(global, AddrSpace::Constant);
        let value = b.gather(
            Type::vector(elem, lanes),
            (base, offsets, bytes as u32),
            mask,
            4,
        );
        b.store(value, p[0], 4, false);
    }));
    for features in feature_sets() {
        for optimize in [true, false] {
            let options = Options {
                optimize,
                features: features.clone(),
                ..Options::default()
            };
            let loaded = loaded(&module, &options);
            let mut offsets = Vec::new();
            for lane in 0..usize::from(lanes) {
                let n = index(lane, len) as u64;
                offsets.extend_from_slice(&n.to_le_bytes()[..(offset.bits() / 8) as usize]);
            }
            let flags: Vec<u32> = (0..32).map(|lane| u32::from(lane < on)).collect();
            let mut out = vec![0xCDu8; 512];
            let args = [
                out.as_mut_ptr() as u64,
                offsets.as_ptr() as u64,
                flags.as_ptr() as u64,
            ];
            run(loaded.lookup("k").expect("links"), &args);
            for lane in 0..usize::from(lanes) {
                let want = if lane < on { at(index(lane, len)) } else { 0 };
                let got = &out[lane * bytes..(lane + 1) * bytes];
                assert_eq!(
                    got,
                    &want.to_le_bytes()[..bytes],
                    "{elem:?} x {lanes} from {len}, lane {lane} of {on}"
                );
            }
        }
    }
}

#[test]
fn small_tables_are_looked_up() {
    for lanes in [4, 8, 16, 32] {
        for len in [1, 5, 8, 16, 17, 32, 33] {
            check(Elem::F32, lanes, len, 32, Elem::I32);
            check(Elem::F64, lanes, len, 32, Elem::I64);
        }
    }
}

#[test]
fn lanes_that_are_off_read_zero() {
    for on in [0, 3, 15] {
        check(Elem::I32, 16, 32, on, Elem::I64);
        check(Elem::I64, 8, 16, on, Elem::I32);
        check(Elem::I16, 8, 16, on, Elem::I32);
    }
}
