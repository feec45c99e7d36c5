//! Links as Clotho does: see src/codegen/late_init.rs.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo:rustc-link-arg=-Wl,-T,{folder}/../src/codegen/late_init.ld");
    println!("cargo:rerun-if-changed=../src/codegen/late_init.ld");
}
