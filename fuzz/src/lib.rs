//! What the fuzz targets share.

#[path = "../../crates/sinew-io/tests/common/documents.rs"]
pub mod documents;
#[path = "../../crates/sinew-studio/tests/support/made.rs"]
pub mod made;
#[path = "../../crates/sinew-io/tests/common/sound.rs"]
pub mod sound;
