//! URDF.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::sound::read("robot.urdf", bytes, &mut |_| None);
});
