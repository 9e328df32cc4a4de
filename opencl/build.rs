//! Compiles the tracing layer, a library that OpenCL's loader loads into other programs.

use std::{env, path::PathBuf, process::Command};

const SOURCES: &str = "src/layer";

fn main() {
    println!("cargo::rerun-if-changed={SOURCES}");
    let variable = |name| env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    let library = PathBuf::from(variable("OUT_DIR")).join("layer.so");
    let mut rustc = Command::new(variable("RUSTC"));
    rustc
        .args(["--crate-name", "kerncast_layer", "--crate-type", "cdylib"])
        .args(["--edition", "2024", "--target", &variable("TARGET")])
        .args(["-Copt-level=s", "-Cpanic=abort", "-Cstrip=symbols"]);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    // The same bytes wherever it is built.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(
        flags
            .split('\x1f')
            .filter(|it| it.starts_with("--remap-path-prefix")),
    );
    let status = rustc
        .arg("-o")
        .arg(library)
        .arg(format!("{SOURCES}/mod.rs"))
        .status();
    assert!(
        status.is_ok_and(|it| it.success()),
        "rustc compiles {SOURCES}"
    );
}
