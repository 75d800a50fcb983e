//! URDF: made-up robots.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = sinew_fuzz::documents::urdf(&mut sinew_fuzz::documents::Choices::new(bytes));
    sinew_fuzz::sound::read("made.urdf", text.as_bytes(), &mut |_| None);
});
