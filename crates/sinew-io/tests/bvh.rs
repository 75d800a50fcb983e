//! BVH files with all their habits: in, out, and broken.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests are tests too

#[path = "bvh/broken.rs"]
mod broken;
#[path = "common/files.rs"]
mod files;
#[path = "bvh/habits.rs"]
mod habits;
#[path = "bvh/made.rs"]
mod made;
#[path = "bvh/real.rs"]
mod real;
#[path = "bvh/round_trip.rs"]
mod round_trip;
