//! loom's atomics, with what it lacks: it takes SeqCst for AcqRel, but knows fences of that order. One after each change
//! with SeqCst, and none at loads, is how x86 does it: of two threads that each change a word and then look at the
//! other's, one sees the change.

use loom::sync::atomic as words;
pub use std::sync::atomic::Ordering;

/// A change of a word; `weaker` is what is left of SeqCst without the fence.
fn change<R>(order: Ordering, weaker: Ordering, work: impl FnOnce(Ordering) -> R) -> R {
    if order != Ordering::SeqCst {
        return work(order);
    }
    let result = work(weaker);
    words::fence(Ordering::SeqCst);
    result
}

macro_rules! word {
    ($name:ident $(<$param:ident>)?, $value:ty, $default:expr) => {
        pub struct $name $(<$param>)? (words::$name $(<$param>)?);

        impl $(<$param>)? $name $(<$param>)? {
            #[track_caller]
            pub fn new(value: $value) -> Self {
                Self(words::$name::new(value))
            }

            #[track_caller]
            pub fn load(&self, order: Ordering) -> $value {
                self.0.load(order)
            }

            #[track_caller]
            pub fn store(&self, value: $value, order: Ordering) {
                change(order, Ordering::Release, |order| self.0.store(value, order));
            }

            #[track_caller]
            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                change(order, Ordering::AcqRel, |order| self.0.swap(value, order))
            }

            #[track_caller]
            pub fn compare_exchange(
                &self,
                old: $value,
                new: $value,
                done: Ordering,
                failed: Ordering,
            ) -> Result<$value, $value> {
                change(done, Ordering::AcqRel, |done| {
                    self.0.compare_exchange(old, new, done, failed)
                })
            }

            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                old: $value,
                new: $value,
                done: Ordering,
                failed: Ordering,
            ) -> Result<$value, $value> {
                self.compare_exchange(old, new, done, failed)
            }
        }

        impl $(<$param>)? Default for $name $(<$param>)? {
            fn default() -> Self {
                Self::new($default)
            }
        }
    };
}

macro_rules! number {
    ($name:ident, $value:ty; $($operation:ident)*) => {
        word!($name, $value, 0);

        impl $name {
            $(
                #[track_caller]
                pub fn $operation(&self, value: $value, order: Ordering) -> $value {
                    change(order, Ordering::AcqRel, |order| self.0.$operation(value, order))
                }
            )*
        }
    };
}

word!(AtomicBool, bool, false);
word!(AtomicPtr<T>, *mut T, std::ptr::null_mut());
number!(AtomicI32, i32; fetch_add);
number!(AtomicU32, u32; fetch_add fetch_sub fetch_or);
number!(AtomicU64, u64; fetch_add fetch_max);
number!(AtomicUsize, usize; fetch_add);
