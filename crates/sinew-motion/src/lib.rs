#![doc = include_str!("../README.md")]

pub mod cycle;
pub mod frame_by_frame;
pub mod look;
pub mod made;
pub mod methods;
pub mod metric;
mod published;
pub mod reconstruct;
pub mod sequence;
pub mod splines;
pub mod transfer;

pub use methods::Method;
pub use metric::FrameError;
pub use sequence::Sequence;
