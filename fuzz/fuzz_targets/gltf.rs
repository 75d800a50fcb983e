//! glTF, GLB and VRM; buffers beside the file are asked for and not there.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::sound::read("body.glb", bytes, &mut |_| None);
});
