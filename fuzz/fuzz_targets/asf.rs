//! ASF: the skeleton of a CMU recording.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::sound::read("body.asf", bytes, &mut |_| None);
});
