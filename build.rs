//! How the shared library is linked: never unloaded (its threads and thread-local destructors outlive a dlclose),
//! and with references bound to itself, so that the loader's functions of the same names are not called instead. LLVM's C++
//! library is linked in.

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Programs may be linked with it, wherever it stands.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libclotho.so");
    // The cache knows by its build id which library made an entry.
    println!("cargo:rustc-link-arg=-Wl,--build-id=sha1");
    // LLVM's constructors run when it is first used: src/codegen/late_init.rs.
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo:rustc-link-arg=-Wl,-T,{folder}/src/codegen/late_init.ld");
    println!("cargo:rerun-if-changed=src/codegen/late_init.ld");
    static_cxx();
    println!("cargo:rerun-if-changed=build.rs");
}

/// LLVM's crate asks for the C++ library as a shared one, which takes a program 0.6 ms to load. A linker script of its name, which is
/// found first, leads to the archive.
fn static_cxx() {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let found = std::process::Command::new(compiler)
        .arg("-print-file-name=libstdc++.a")
        .output();
    // Without the archive, the answer is its bare name: then the shared one serves.
    let path = found.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string());
    let archive = |path: &String| std::path::Path::new(path).is_absolute();
    let Some(path) = path.ok().filter(archive) else {
        return;
    };
    let folder = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(format!("{folder}/libstdc++.so"), format!("INPUT({path})\n"))
        .expect("a file can be written");
    println!("cargo:rustc-link-search=native={folder}");
}
