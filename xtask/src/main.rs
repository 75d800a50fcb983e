//! The project's automation: `cargo xtask ci` and friends.
fn main() {}
