//! Links what sets the allocator of glibc up, where that is the allocator.

fn main() {
    println!("cargo:rerun-if-changed=src/allocator/thresholds.c");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        let mut build = cc::Build::new();
        // Into the program alone: whoever uses the library has an allocator of their own.
        for object in build.file("src/allocator/thresholds.c").compile_intermediates() {
            println!("cargo:rustc-link-arg-bins={}", object.display());
        }
    }
}
