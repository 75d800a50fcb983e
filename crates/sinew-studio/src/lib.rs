#![doc = include_str!("../README.md")]

pub mod limits;
pub mod rig;
pub mod server;
mod session;
pub mod solvers;
mod store;
pub mod wire;
pub mod workspace;

pub use server::{Opening, Server, ServerOptions};
pub use session::{Act, rehearse};
