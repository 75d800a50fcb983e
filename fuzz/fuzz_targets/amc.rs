//! AMC: a motion, on a skeleton that is always the same.
#![no_main]

const SKELETON: &[u8] = include_bytes!("../../crates/sinew-io/tests/seeds/asf/body.asf");

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::sound::read("body.amc", bytes, &mut |_| Some(SKELETON.to_vec()));
});
