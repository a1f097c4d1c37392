//! Leaves the names of functions out of a program that has no line numbers either, which makes it a quarter smaller.
//!
//! The profile's own `strip` has no effect on a package whose level of optimisation is set by name, as this one's is.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("DEBUG", "false") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo:rustc-link-arg-bins=-Wl,--strip-all");
    }
}
