//! Sets the one switch between the two precisions (see `math.rs` in `sinew`).
//!
//! A cfg instead of a Cargo feature, because features of one crate are united
//! across a build and the precision must not be.
fn main() {
    println!("cargo:rustc-cfg=sinew_f64");
    println!("cargo:rerun-if-changed=build.rs");
}
