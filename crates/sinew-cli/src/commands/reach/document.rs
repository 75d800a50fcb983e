//! A reach as JSON.

use serde::Serialize;
use sinew_f64::{Cause, ModelPose, Skeleton, Target};

use super::{Reach, side_word};
use crate::cause::{HANDS, Told};

#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    behaviour: String,
    reached: bool,
    #[serde(flatten)]
    told: Told,
    frames: usize,
    frames_on_path: usize,
    seconds: f64,
    microseconds_to_plan: f64,
    microseconds_per_frame: f64,
    largest_joint_step_rad: f64,
    feet_error_m: f64,
    posture_kept: f64,
    contact_tests: u32,
    hands: Vec<HandDocument>,
    joints: Vec<JointDocument>,
}

#[derive(Serialize)]
struct HandDocument {
    side: &'static str,
    target: [f64; 3],
    target_orientation_xyzw: Option<[f64; 4]>,
    outcome: &'static str,
    #[serde(flatten)]
    told: Told,
    position_error_m: f64,
    orientation_error_rad: f64,
    swing_rad: [f64; 2],
    body_weight: f64,
    swivel_rad: f64,
}

#[derive(Serialize)]
struct JointDocument {
    name: String,
    local_translation: [f64; 3],
    local_rotation_xyzw: [f64; 4],
    model_position: [f64; 3],
}

/// A hand's outcome in a word or two. Scripts compare with it, so it keeps its spelling.
const fn outcome(cause: Option<Cause>) -> &'static str {
    match cause {
        None => "reached",
        Some(Cause::Limit { .. }) => "limited",
        Some(cause) => cause.name(),
    }
}

impl Document {
    pub fn new(skeleton: &Skeleton, reach: &Reach) -> Self {
        let report = &reach.report;
        let hands = reach
            .targets
            .iter()
            .filter_map(|(side, target)| Some((*side, report.hand(*side)?, target)))
            .map(|(side, hand, target)| HandDocument {
                side: side_word(side),
                target: target.position().unwrap_or_default().to_array(),
                target_orientation_xyzw: match target {
                    Target::Pose(pose) => Some(pose.rotation.to_array()),
                    _ => None,
                },
                outcome: outcome(hand.outcome.cause),
                // The arm knows of one goal, itself.
                told: Told::new(hand.outcome.cause.as_ref(), skeleton, &HANDS[side as usize..]),
                position_error_m: hand.outcome.residual.position,
                orientation_error_rad: hand.outcome.residual.orientation,
                swing_rad: report.swings[side as usize].to_array(),
                body_weight: report.weights[side as usize],
                swivel_rad: hand.swivel,
            })
            .collect();
        let joints = reach.frames.last().map_or(Vec::new(), |pose| {
            let model = ModelPose::new(skeleton, pose);
            let joint = |id| {
                let local = pose.local(skeleton, id);
                JointDocument {
                    name: skeleton.joint(id).name().to_string(),
                    local_translation: local.translation.to_array(),
                    local_rotation_xyzw: local.rotation.to_array(),
                    model_position: model.position(id).to_array(),
                }
            };
            skeleton.ids().map(joint).collect()
        });
        Self {
            schema: "sinew.reach/1",
            behaviour: reach.behaviour.clone(),
            reached: report.reached(),
            told: reach.told.clone(),
            frames: reach.frames.len(),
            frames_on_path: reach.on_path,
            seconds: reach.frame_time * (reach.frames.len() - 1) as f64,
            microseconds_to_plan: reach.planning,
            microseconds_per_frame: reach.micros,
            largest_joint_step_rad: reach.largest_step,
            feet_error_m: report.feet,
            posture_kept: report.kept,
            contact_tests: report.tests,
            hands,
            joints,
        }
    }
}
