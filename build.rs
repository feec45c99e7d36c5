//! How the shared library is linked: never unloaded (its threads and thread-local destructors outlive a dlclose),
//! and with references bound to itself, so that the loader's functions of the same names are not called instead.

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Programs may be linked with it, wherever it stands.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libclotho.so");
    // The cache knows by its build id which library made an entry.
    println!("cargo:rustc-link-arg=-Wl,--build-id=sha1");
    println!("cargo:rerun-if-changed=build.rs");
}
