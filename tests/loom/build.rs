//! Says to the sources that are shared with Clotho that loom is what they run on.

fn main() {
    println!("cargo:rustc-cfg=loom");
    println!("cargo:rerun-if-changed=build.rs");
}
