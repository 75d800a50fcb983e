//! From single to double precision; [`narrow`](crate::narrow) goes the other way.
//!
//! For what a program has made or changed in `f32` and a file should hold.

use glam::{DQuat, DVec3, Quat, Vec3};

crate::precision::conversions!(sinew => sinew_f64, f64, Vec3 => DVec3 by as_dvec3, Quat => DQuat by as_dquat);
