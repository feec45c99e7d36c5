//! Keeps LLVM's static objects alive to the very end of the process.
//!
//! C++ registers the destructor of a static object with `__cxa_atexit` when it makes the object, for some of LLVM's in
//! the middle of a compilation. They would be destroyed while threads of ours still compile: no handler of ours can
//! be sure to come before them. So the C++ code that is linked into this library gets a `__cxa_atexit` of its own, which
//! forgets what it is given. The symbol is hidden: nobody else sees it. Memory goes back to the system anyway, and the
//! library is never unloaded (`-z nodelete`).

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".globl __cxa_atexit",
    ".hidden __cxa_atexit",
    ".type __cxa_atexit, @function",
    "__cxa_atexit:",
    "xor eax, eax",
    "ret",
    ".size __cxa_atexit, . - __cxa_atexit",
);

#[cfg(target_arch = "aarch64")]
std::arch::global_asm!(
    ".globl __cxa_atexit",
    ".hidden __cxa_atexit",
    ".type __cxa_atexit, %function",
    "__cxa_atexit:",
    "mov w0, #0",
    "ret",
    ".size __cxa_atexit, . - __cxa_atexit",
);
