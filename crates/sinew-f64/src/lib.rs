#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]

// The engine's own sources; see `build.rs`.
include!(concat!(env!("OUT_DIR"), "/engine/src/lib.rs"));
