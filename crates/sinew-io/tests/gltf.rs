//! glTF, GLB and VRM, in and out. No file here comes from anywhere else: the
//! rigs are made by the tests. Tests that want real files take their folder
//! from the environment variable `SINEW_DATA` and say so when it is not set.

#[path = "gltf/made.rs"]
mod made;
#[path = "gltf/write.rs"]
mod write;
