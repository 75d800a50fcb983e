//! The rig file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::sound::read("puppet.rig.toml", bytes, &mut |_| None);
});
