//! Vector instructions at every width that OpenCL C has.

use super::*;

const WIDTHS: [u16; 5] = [2, 3, 4, 8, 16];

/// Runs `build` over a vector of `lanes` i32 numbered from 100; gives what it stored.
fn transform(
    lanes: u16,
    build: impl Fn(&mut Builder, Value, Value) -> Value,
    extra: u64,
) -> Vec<u32> {
    let mut results = Vec::new();
    for optimize in [true, false] {
        let mut module = Module::new();
        module.add_function(group_function("k", &[GLOBAL, GLOBAL, I32], |b, p| {
            let vec = b.load(Type::vector(Elem::I32, lanes), p[1], 4, false);
            let value = build(b, vec, p[2]);
            b.store(value, p[0], 4, false);
        }));
        let options = Options {
            optimize,
            ..Options::default()
        };
        let loaded = loaded(&module, &options);
        let input: Vec<u32> = (100..132).collect();
        let mut out = vec![0u32; 32];
        let args = [out.as_mut_ptr() as u64, input.as_ptr() as u64, extra];
        run(loaded.lookup("k").expect("links"), &args);
        results.push(out);
    }
    assert_eq!(results[0], results[1]);
    results.remove(0)
}

#[test]
fn a_dynamic_lane_is_taken_modulo_the_lanes() {
    for lanes in WIDTHS {
        let whole = u64::from(lanes.next_power_of_two());
        for lane in [0, 1, 2, whole - 1, whole, whole + 1, u64::from(u32::MAX)] {
            let there = lane % whole < u64::from(lanes);
            let got = transform(lanes, |b, v, lane| b.extract_dyn(v, lane), lane);
            if there {
                assert_eq!(u64::from(got[0]), 100 + lane % whole);
            }
            let insert = |b: &mut Builder, v, lane| {
                let seven = b.iconst(I32, 7);
                b.insert_dyn(v, seven, lane)
            };
            let mut want: Vec<u32> = (100..100 + u32::from(lanes)).collect();
            if there {
                want[(lane % whole) as usize] = 7;
            }
            want.resize(32, 0);
            assert_eq!(transform(lanes, insert, lane), want);
        }
    }
}

#[test]
fn lanes_are_put_together_and_taken_apart() {
    for lanes in WIDTHS {
        let last = lanes - 1;
        let reverse = |b: &mut Builder, v: Value, _| {
            let scalars: Vec<Value> = (0..lanes).rev().map(|n| b.extract(v, n)).collect();
            b.build_vector(scalars)
        };
        let mut want: Vec<u32> = (100..100 + u32::from(lanes)).rev().collect();
        want.resize(32, 0);
        assert_eq!(transform(lanes, reverse, 0), want);
        let shuffle = |b: &mut Builder, v: Value, _| {
            let w = b.binary(BinaryOp::Add, v, v);
            b.shuffle(v, w, vec![last, 0, lanes + last, lanes])
        };
        let top = 100 + u32::from(last);
        assert_eq!(
            transform(lanes, shuffle, 0)[..5],
            [top, 100, 2 * top, 200, 0]
        );
        let splat = |b: &mut Builder, v: Value, extra| {
            let splat = b.splat(extra, lanes);
            let one = b.extract(v, 0);
            b.insert(splat, one, last)
        };
        let got = transform(lanes, splat, 9);
        assert_eq!(
            (got[0], got[usize::from(last)]),
            (if last == 0 { 100 } else { 9 }, 100)
        );
        assert_eq!(got[usize::from(lanes)], 0);
    }
}

#[test]
fn bits_are_reinterpreted_across_widths() {
    let halves =
        |b: &mut Builder, v: Value, _| b.cast(CastOp::Bitcast, v, Type::vector(Elem::I16, 8));
    assert_eq!(transform(4, halves, 0)[..5], [100, 101, 102, 103, 0]);
    let double = |b: &mut Builder, v: Value, _| b.cast(CastOp::Bitcast, v, I64);
    assert_eq!(transform(2, double, 0)[..3], [100, 101, 0]);
    let float3 =
        |b: &mut Builder, v: Value, _| b.cast(CastOp::Bitcast, v, Type::vector(Elem::F32, 3));
    assert_eq!(transform(3, float3, 0)[..4], [100, 101, 102, 0]);
    let three =
        |b: &mut Builder, v: Value, _| b.cast(CastOp::Bitcast, v, Type::vector(Elem::F32, 3));
    assert_eq!(transform(4, three, 0)[..4], [100, 101, 102, 0]);
    let truth = |b: &mut Builder, v: Value, _| {
        let ty = b.func.ty(v);
        let limit = b.iconst(ty, 102);
        let mask = b.icmp(IntCC::Uge, v, limit);
        b.cast(CastOp::Bitcast, mask, I8)
    };
    assert_eq!(transform(8, truth, 0)[0] & 0xFF, 0b1111_1100);
}

#[test]
fn masks_live_in_memory_as_bytes() {
    let through_memory = |b: &mut Builder, v: Value, _| {
        let ty = b.func.ty(v);
        let limit = b.iconst(ty, 101);
        let mask = b.icmp(IntCC::Ugt, v, limit);
        let slot = b.alloca(16, 16);
        b.store(mask, slot, 1, false);
        b.load(Type::vector(Elem::I8, 4), slot, 1, false)
    };
    assert_eq!(transform(4, through_memory, 0)[..2], [0x0101_0000, 0]);
}

/// Runs code on eight lanes of 100, 101, ...: the mask has those below `limit`.
fn under_mask(limit: u64, build: impl Fn(&mut Builder, Value, Value)) -> Vec<u32> {
    let mut results = Vec::new();
    for optimize in [true, false] {
        let mut module = Module::new();
        module.add_function(group_function("k", &[GLOBAL, I32], |b, p| {
            let ty = Type::vector(Elem::I32, 8);
            let values = b.load(ty, p[0], 4, false);
            let limit = b.splat(p[1], 8);
            let mask = b.icmp(IntCC::Ult, values, limit);
            build(b, p[0], mask);
        }));
        let options = Options {
            optimize,
            ..Options::default()
        };
        let loaded = loaded(&module, &options);
        let mut memory: Vec<u32> = (100..116).collect();
        let args = [memory.as_mut_ptr() as u64, limit];
        run(loaded.lookup("k").expect("links"), &args);
        results.push(memory);
    }
    assert_eq!(results[0], results[1]);
    results.remove(0)
}

#[test]
fn lanes_that_a_mask_leaves_out_are_not_accessed_and_read_as_zero() {
    let ty = Type::vector(Elem::I32, 8);
    // Every second element from the end.
    let places = |b: &mut Builder, base: Value| {
        let offsets = (0..8).map(|n| b.iconst(I64, 56 - 8 * n)).collect();
        (base, b.build_vector(offsets))
    };
    for on in 0..=8u32 {
        let limit = u64::from(100 + on);
        let keep = |n: u32, then: u32, els: u32| if n < on { then } else { els };
        let got = under_mask(limit, |b, base, mask| {
            let value = b.masked_load(ty, base, mask, 4);
            let half = b.iconst(I64, 32);
            let to = b.ptr_add(base, half);
            b.store(value, to, 4, false);
        });
        let want: Vec<u32> = (0..8).map(|n| keep(n, 100 + n, 0)).collect();
        assert_eq!(got[8..], want);
        let got = under_mask(limit, |b, base, mask| {
            let value = b.iconst(ty, 7);
            b.masked_store(value, base, mask, 4);
        });
        let want: Vec<u32> = (0..8).map(|n| keep(n, 7, 100 + n)).collect();
        assert_eq!(got[..8], want);
        let got = under_mask(limit, |b, base, mask| {
            let place = places(b, base);
            let value = b.gather(ty, (place.0, place.1, 1), mask, 4);
            b.store(value, base, 4, false);
        });
        let want: Vec<u32> = (0..8).map(|n| keep(n, 114 - 2 * n, 0)).collect();
        assert_eq!(got[..8], want);
        let got = under_mask(limit, |b, base, mask| {
            let place = places(b, base);
            let value = b.iconst(ty, 7);
            b.scatter(value, (place.0, place.1, 1), mask, 4);
        });
        let written = |n: u32| n.is_multiple_of(2) && (14 - n) / 2 < on;
        let want: Vec<u32> = (0..16)
            .map(|n| if written(n) { 7 } else { 100 + n })
            .collect();
        assert_eq!(got, want);
        let got = under_mask(limit, |b, base, mask| {
            let any = b.any_lane(mask);
            let any = b.cast(CastOp::ZExt, any, I32);
            b.store(any, base, 4, false);
        });
        assert_eq!(got[0], u32::from(on > 0));
    }
}
