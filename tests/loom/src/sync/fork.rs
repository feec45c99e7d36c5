//! Models do not fork.

pub trait HeldOverFork: Sync {
    fn hold(&self);

    /// # Safety
    /// As Clotho's.
    unsafe fn let_go(&self);
}
