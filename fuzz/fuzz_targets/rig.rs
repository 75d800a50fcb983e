//! sinew's own rig file; a sidecar gets a skeleton that is always the same.
#![no_main]

const SKELETON: &[u8] = include_bytes!("../../crates/sinew-io/tests/seeds/bvh/walk.bvh");

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::sound::read("body.rig.toml", bytes, &mut |_| Some(SKELETON.to_vec()));
});
