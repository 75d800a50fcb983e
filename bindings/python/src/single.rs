//! The engine in single precision.

#[path = "work.rs"]
pub mod work;

use std::sync::Arc;

pub use sinew as engine;

use sinew::collision::{CollisionBody, CollisionScene};
use sinew::goal::{BalanceGoal, ClearanceGoal, Mimic, PostureGoal, SpeedGoal};
use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{GoalSet, Skeleton};
use sinew_io::narrow;

/// Its numbers.
pub type Real = f32;

/// The skeleton of a file, in this precision.
pub fn skeleton(skeleton: &sinew_f64::Skeleton) -> Result<Skeleton, String> {
    narrow::skeleton(skeleton).map_err(|error| error.to_string())
}

/// Goals, in this precision.
pub fn goals(skeleton: &Skeleton, goals: &sinew_f64::GoalSet) -> Result<GoalSet, String> {
    let one = |goal| narrow::goal(skeleton, goal);
    let mut narrowed: GoalSet = goals.as_slice().iter().filter_map(one).collect();
    narrowed.set_posture(goals.posture().map(|posture| PostureGoal {
        pose: narrow::pose(skeleton, &posture.pose),
        weight: posture.weight as Real,
        joints: posture.joints.iter().map(|w| *w as Real).collect(),
    }));
    narrowed.set_balance(goals.balance().map(|balance| BalanceGoal {
        masses: balance.masses.iter().map(narrow::mass).collect(),
        support: balance.support.iter().map(|p| narrow::vector(*p)).collect(),
        up: narrow::vector(balance.up),
        margin: balance.margin as Real,
    }));
    narrowed.set_speed(goals.speed().map(|speed| SpeedGoal {
        speeds: speed.speeds.iter().map(|s| *s as Real).collect(),
        time_step: speed.time_step as Real,
    }));
    let mimic = |m: &sinew_f64::goal::Mimic| {
        let (joint, source) = (narrow::id(skeleton, m.joint)?, narrow::id(skeleton, m.source)?);
        Some(Mimic { joint, source, multiplier: m.multiplier as Real, offset: m.offset as Real })
    };
    narrowed.set_mimics(goals.mimics().iter().filter_map(mimic).collect());
    // The binding makes no scenes, so the body alone is made again.
    narrowed.set_clearance(goals.clearance().map(|clearance| ClearanceGoal {
        body: Arc::new(CollisionBody::from_rig(skeleton, &HumanoidMap::find(skeleton))),
        scene: Arc::new(CollisionScene::new()),
        distance: clearance.distance as Real,
    }));
    Ok(narrowed)
}
