//! What a writer hands back.

use crate::Note;

/// A file ready to be saved, and what it could not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// What the format has no place for, and what was done about it.
    pub notes: Vec<Note>,
}
