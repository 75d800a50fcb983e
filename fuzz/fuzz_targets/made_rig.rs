//! Rig files, made up.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = sinew_fuzz::documents::rig(&mut sinew_fuzz::documents::Choices::new(bytes));
    sinew_fuzz::sound::read("made.rig.toml", text.as_bytes(), &mut |_| None);
});
