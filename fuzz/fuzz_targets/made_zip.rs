//! Zips: made-up robots and rigs with what they ask for, and lists that lie.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let zip = sinew_fuzz::documents::zip(&mut sinew_fuzz::documents::Choices::new(bytes));
    sinew_fuzz::sound::read("made.zip", &zip, &mut |_| None);
});
