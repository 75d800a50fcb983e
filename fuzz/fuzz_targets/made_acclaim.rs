//! ASF and AMC: a made-up skeleton and a motion of it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (asf, amc) = sinew_fuzz::documents::acclaim(&mut sinew_fuzz::documents::Choices::new(bytes));
    sinew_fuzz::sound::read("made.amc", amc.as_bytes(), &mut |_| Some(asf.clone().into_bytes()));
});
