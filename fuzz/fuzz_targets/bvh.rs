//! BVH: hierarchy and motion.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::sound::read("walk.bvh", bytes, &mut |_| None);
});
