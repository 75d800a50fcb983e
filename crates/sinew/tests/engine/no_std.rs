//! The story that a static library without std tells (`xtask/no-std`), told with std: a
//! change of the API shows here first.
include!("../no_std/story.rs");

#[test]
fn every_step_of_the_no_std_story_is_solved() {
    assert_eq!(story(), Ok(()));
}
