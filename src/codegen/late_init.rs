//! LLVM's static objects are made when LLVM is first wanted, not when the library is loaded.
//!
//! There are hundreds of them (its options, most of all), and to make them takes two thirds of the time that it takes a
//! program to load this library: a program that may be about to use another platform, or whose kernels are all in the
//! cache. So the linker is told (`late_init.ld`, by `build.rs`) to put their constructors in a section of their own, which
//! the loader knows nothing of. Nothing of LLVM may be called before [`run`] but what has no static objects.
//!
//! Source: ELF gABI, "Initialization and Termination Functions"; GNU ld, "INSERT", which LLVM's linker has as well.

use std::sync::Once;

type Constructor = extern "C" fn();

unsafe extern "C" {
    /// Where the section begins and ends: constructors one after the other.
    static clotho_late_init_begin: [Constructor; 0];
    static clotho_late_init_end: [Constructor; 0];
}

/// Makes them, at the first call.
pub fn run() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let mut next = (&raw const clotho_late_init_begin).cast::<Constructor>();
        let end = (&raw const clotho_late_init_end).cast::<Constructor>();
        while next < end {
            // SAFETY: the linker filled the section with the constructors of C++ objects, each of which is called once, here.
            unsafe {
                (*next)();
                next = next.add(1);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_set_llvms_constructors_apart() {
        let [begin, end] = [
            &raw const clotho_late_init_begin,
            &raw const clotho_late_init_end,
        ]
        .map(|place| place.addr());
        assert!(end - begin > 100 * size_of::<Constructor>());
    }
}
