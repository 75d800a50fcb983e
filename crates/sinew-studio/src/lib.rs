//! The studio: a page where the engine can be seen and touched.
//!
//! The engine runs here, in the server; the page draws and asks. What the two
//! say to each other is [`wire`], and nothing else crosses.
//!
//! ```text
//!            ┌──────────── server: HTTP, who may ask, files in memory ───────────┐
//! browser ◄──┤ socket ──► inbox (newest wins) ──► session's thread ──► workspace │
//!            │ socket ◄── outbox (newest frame) ◄──      │  rig, limits, take    │
//!            └───────────────────────────────────────────────────────────────────┘
//! ```

pub mod limits;
pub mod rig;
pub mod server;
mod session;
pub mod solvers;
mod store;
pub mod wire;
pub mod workspace;

pub use server::{Opening, Server, ServerOptions};
