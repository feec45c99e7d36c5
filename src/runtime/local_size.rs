//! The local size for a launch that gives none (clEnqueueNDRangeKernel with NULL, clGetKernelSuggestedLocalWorkSize).
//!
//! A work-group is one call of machine code, which pays for itself from some dozens of work-items on, and is best
//! along x, where neighbours share a vector. There should be a few groups for each worker, so that none is idle at
//! the end. Invariant: each size is at least 1 and at most the global size (or 1), their product at most `limit`.

/// Work-items in a group, at most: more does not make a call cheaper.
const LARGEST: usize = 256;

/// Work-items in a group, at least, where the range allows.
const SMALLEST: usize = 16;

/// Groups for each worker, so that they end at about the same time.
const GROUPS_PER_WORKER: usize = 4;

/// Chooses a local size. `uniform` says that it must divide the global size (programs before OpenCL C 2.0, or built
/// with -cl-uniform-work-group-size).
pub fn choose(global: [usize; 3], uniform: bool, limit: usize, workers: usize) -> [usize; 3] {
    let items = global
        .iter()
        .fold(1usize, |all, &n| all.saturating_mul(n.max(1)));
    let wanted = (items / (GROUPS_PER_WORKER * workers.max(1))).clamp(SMALLEST, LARGEST);
    let mut budget = 1 << wanted.min(limit.max(1)).ilog2();
    let mut local = [1; 3];
    for (size, &extent) in local.iter_mut().zip(&global) {
        *size = along(extent.max(1), budget, uniform);
        budget /= *size;
        if budget <= 1 {
            break;
        }
    }
    local
}

/// A size of at most `budget` (a power of two for the first dimension) for one dimension.
fn along(extent: usize, budget: usize, uniform: bool) -> usize {
    if extent <= budget {
        return extent;
    }
    if extent.is_multiple_of(budget) {
        return budget;
    }
    let best = (1..=budget)
        .filter(|&size| extent.is_multiple_of(size))
        .max_by_key(|&size| size * lanes(size))
        .unwrap_or(1);
    // A remainder group costs less than many small groups.
    if !uniform && best * 2 < budget {
        budget
    } else {
        best
    }
}

/// Whole vectors are worth more than a larger size.
fn lanes(size: usize) -> usize {
    match size {
        _ if size.is_multiple_of(16) => 4,
        _ if size.is_multiple_of(8) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_divide_where_they_must() {
        for x in (1..3000).chain([1 << 20, (1 << 20) + 7, 1_000_003]) {
            for uniform in [false, true] {
                for workers in [1, 2, 64] {
                    let local = choose([x, 1, 1], uniform, 4096, workers);
                    assert!(local[0] >= 1 && local[0] <= x && local[0] <= LARGEST);
                    if uniform {
                        assert_eq!(x % local[0], 0);
                    }
                }
            }
        }
    }

    #[test]
    fn a_prime_size_gets_a_remainder_group() {
        assert_eq!(choose([1_000_003, 1, 1], false, 4096, 2), [256, 1, 1]);
        assert_eq!(choose([1_000_003, 1, 1], true, 4096, 2), [1, 1, 1]);
    }

    #[test]
    fn narrow_ranges_use_the_other_dimensions() {
        assert_eq!(choose([3, 1000, 1000], true, 4096, 2), [3, 40, 2]);
        assert_eq!(choose([1, 1, 1024], true, 4096, 2), [1, 1, 128]);
        assert_eq!(choose([1920, 1080, 1], true, 4096, 2), [240, 1, 1]);
    }

    #[test]
    fn limits_and_empty_ranges() {
        assert_eq!(choose([0, 0, 0], true, 4096, 2), [1, 1, 1]);
        assert_eq!(choose([1024, 1, 1], true, 8, 2), [8, 1, 1]);
        assert_eq!(choose([usize::MAX; 3], false, 4096, 2)[0], 255);
        assert_eq!(choose([8, 1, 1], true, 1, 2), [1, 1, 1]);
    }
}
