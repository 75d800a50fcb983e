//! Tabs that say what no page would say: they get words or frames, and never a fault. Whoever has longer
//! than a test takes the fuzz target `made_messages`.

use crate::documents::Choices;
use crate::made_acts::{acts, check};

#[test]
fn a_tab_that_says_anything_gets_words_or_frames() {
    let mut state = 7u64;
    let mut byte = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x >> 40) as u8
    };
    let mut heard = [0; 2];
    for _ in 0..240 {
        let bytes: Vec<u8> = (0..600).map(|_| byte()).collect();
        sinew_studio::rehearse(acts(&mut Choices::new(&bytes), 12), |message| {
            check(&message);
            heard[usize::from(matches!(message, sinew_studio::wire::ServerMessage::Frame { .. }))] += 1;
        });
    }
    // Much is refused; what is understood is stepped.
    assert!(heard.into_iter().all(|count| count > 10), "{heard:?}");
}

#[test]
fn what_fuzzing_found_worth_keeping_is_said_again() {
    for bytes in crate::kept::inputs("made_messages") {
        sinew_studio::rehearse(acts(&mut Choices::new(&bytes), 12), |message| check(&message));
    }
}
