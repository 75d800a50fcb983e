//! The studio: a page where the engine can be seen and touched.
//!
//! The engine runs here, in the server; the page draws and asks. What the two
//! say to each other is [`wire`], and nothing else crosses.

pub mod rig;
pub mod wire;
pub mod workspace;
