//! The inputs that `cargo xtask fuzz --keep` has put into `fuzz/kept`: one in a line, as hexadecimal digits.

use std::path::Path;

/// Those of a target; there are some.
pub fn inputs(target: &str) -> Vec<Vec<u8>> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/kept").join(target).with_extension("hex");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let digit = |digits: &str| u8::from_str_radix(digits, 16).unwrap();
    let bytes = |line: &str| (0..line.len() / 2).map(|i| digit(&line[2 * i..2 * i + 2])).collect();
    let inputs: Vec<Vec<u8>> = text.lines().map(bytes).collect();
    assert!(!inputs.is_empty(), "nothing is kept for {target}");
    inputs
}
