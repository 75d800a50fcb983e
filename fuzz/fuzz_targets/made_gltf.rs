//! glTF: made-up nodes, skins and animations.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = sinew_fuzz::documents::gltf(&mut sinew_fuzz::documents::Choices::new(bytes));
    sinew_fuzz::sound::read("made.gltf", text.as_bytes(), &mut |_| None);
});
