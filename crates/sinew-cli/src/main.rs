//! The command `sinew`.
fn main() {}
