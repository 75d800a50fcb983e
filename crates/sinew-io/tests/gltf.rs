//! glTF, GLB and VRM, in and out. No file here comes from anywhere else: the
//! rigs are made by the tests. Tests that want real files take their folder
//! from the environment variable `SINEW_DATA` and are ignored unless asked for.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "gltf/data.rs"]
mod data;
#[path = "common/files.rs"]
mod files;
#[path = "gltf/foreign.rs"]
mod foreign;
#[path = "gltf/hostile.rs"]
mod hostile;
#[path = "gltf/kept.rs"]
mod kept;
#[path = "gltf/made.rs"]
mod made;
#[path = "gltf/read.rs"]
mod read;
#[path = "gltf/round_trip.rs"]
mod round_trip;
#[path = "gltf/vrm.rs"]
mod vrm;
#[path = "gltf/write.rs"]
mod write;
