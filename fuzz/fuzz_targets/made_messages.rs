//! The studio's handler of messages: a tab that says what no page would; see `made.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let acts = sinew_fuzz::made::acts(&mut sinew_fuzz::documents::Choices::new(bytes), 12);
    sinew_studio::rehearse(acts, |message| sinew_fuzz::made::check(&message));
});
