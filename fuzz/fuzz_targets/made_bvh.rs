//! BVH: documents made up of its words; see `documents.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = sinew_fuzz::documents::bvh(&mut sinew_fuzz::documents::Choices::new(bytes));
    sinew_fuzz::sound::read("made.bvh", text.as_bytes(), &mut |_| None);
});
