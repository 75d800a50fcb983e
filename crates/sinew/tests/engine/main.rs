//! Tests of the engine through its public face, one module for each part, built once for each
//! precision: `sinew-f64` takes the same file. Run one part with `cargo test -p sinew --test engine walk::`.

#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

#[path = "../support/animated.rs"]
mod animated;
#[path = "../support/animated_body.rs"]
mod animated_body;
#[path = "../support/counting.rs"]
mod counting;
#[path = "../support/numbers.rs"]
mod numbers;
#[path = "../support/people.rs"]
mod people;

mod analytic;
mod collision;
mod continuity;
mod crowd;
mod erik;
mod erik_over_time;
mod ewbik;
mod filter;
mod follower;
mod goals;
mod golden;
mod ground;
mod humanoid;
mod jacobian;
mod limb;
mod limits;
mod math;
mod mimic;
mod natural;
mod no_std;
mod on_animation;
mod plant;
mod plant_live;
mod pose;
mod posture;
mod rates;
mod reach;
mod reach_body;
mod reach_plan;
mod rigs;
mod robust;
mod serde;
mod six_point;
mod six_point_hostile;
mod six_point_motion;
mod six_point_mounts;
mod six_point_returning;
mod six_point_three;
mod skeleton;
mod solvers;
mod steady;
mod walk;
mod walk_on_rigs;
