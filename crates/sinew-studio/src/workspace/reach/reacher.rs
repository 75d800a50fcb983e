//! One body with one behaviour: it reaches, or shows the posture of a key.

use sinew_f64::analytic::{Limb, Swivel};
use sinew_f64::body::reach::{Behaviour, ReachOptions, ReachReport, ReachSolver, Surroundings, standing};
use sinew_f64::collision::CollisionBody;
use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{JointId, ModelPose, Pose, Target, Transform};

use super::behaviours;
use super::obstacles::Obstacles;
use crate::rig::Rig;

/// A joint that turns less in a step stands.
const STILL: f64 = 1.0e-5;

/// A body that reaches.
#[derive(Debug)]
pub struct Reacher {
    pub solver: ReachSolver,
    pub around: Option<Surroundings>,
    pub pose: Pose,
    /// Legs with where their feet stand.
    legs: Vec<(Limb, Transform)>,
}

impl Reacher {
    pub fn new(rig: &Rig, behaviour: &str) -> Result<Self, String> {
        let skeleton = &rig.asset.skeleton;
        let behaviours: Vec<Behaviour> =
            Side::BOTH.into_iter().filter_map(|side| behaviours::find(rig, behaviour, side)).collect();
        if behaviours.is_empty() {
            let known = behaviours::names(rig).join(", ");
            return Err(format!("there is no behaviour '{behaviour}'; there are {known}"));
        }
        let stance = behaviours.iter().find_map(|b| b.stance().cloned());
        let stance = stance.filter(|s| s.len() == skeleton.len());
        let mut initial = stance.unwrap_or_else(|| standing(skeleton, &rig.map));
        // Limits may have been edited since it was designed.
        initial.project(skeleton);
        let mut solver = build(rig, &initial)?;
        for behaviour in behaviours {
            solver.set_behaviour(behaviour).map_err(|error| error.to_string())?;
        }
        let leg = |side| {
            let limb = Limb::leg(skeleton, &rig.map, side).ok()?;
            let foot = solver.initial_model().transform(limb.joints().end);
            Some((limb, foot))
        };
        let legs = Side::BOTH.into_iter().filter_map(leg).collect();
        Ok(Self { solver, around: None, pose: initial, legs })
    }

    /// Puts obstacles around it, or takes them away.
    pub fn surround(&mut self, rig: &Rig, body: &CollisionBody, obstacles: Option<&Obstacles>) {
        self.around = obstacles.map(|obstacles| {
            let initial = self.solver.initial_model();
            Surroundings::new(&rig.asset.skeleton, &rig.map, body.clone(), obstacles.scene(), initial)
        });
    }

    /// Reaches for so many seconds; says whether the body moved.
    pub fn reach(&mut self, rig: &Rig, targets: &[(Side, Target)], seconds: f64) -> (ReachReport, bool) {
        let skeleton = &rig.asset.skeleton;
        let before = self.pose.clone();
        let report = match &mut self.around {
            Some(around) => self.solver.solve_among(skeleton, targets, around, seconds, &mut self.pose),
            None => self.solver.solve(skeleton, targets, seconds, &mut self.pose),
        };
        let report = report.clone();
        let off = |a: &sinew_f64::Quat, b: &sinew_f64::Quat| (*a - *b).length().min((*a + *b).length());
        let mut turns = self.pose.rotations().iter().zip(before.rotations());
        let moved = turns.any(|(a, b)| off(a, b) > STILL);
        (report, moved)
    }

    /// Whether a joint belongs to a leg, which the feet decide about.
    pub fn is_of_leg(&self, rig: &Rig, joint: JointId) -> bool {
        let below = |limb: &Limb| rig.asset.skeleton.is_ancestor(limb.joints().upper, joint);
        self.legs.iter().any(|(limb, _)| below(limb))
    }

    /// The feet, and where they stand.
    pub fn feet(&self) -> impl Iterator<Item = (JointId, Transform)> + '_ {
        self.legs.iter().map(|(limb, foot)| (limb.joints().end, *foot))
    }

    /// The body in the posture of a key, its feet where they stand.
    pub fn key_posture(&self, rig: &Rig, behaviour: &Behaviour, key: usize) -> Option<Pose> {
        let skeleton = &rig.asset.skeleton;
        let key = behaviour.keys().get(key).filter(|key| key.pose.len() == skeleton.len())?;
        let mut pose = self.solver.initial().clone();
        for &joint in behaviour.joints() {
            if !self.is_of_leg(rig, joint) {
                pose.set_rotation(joint, key.pose.rotation(joint));
                pose.set_translation(joint, key.pose.translation(joint));
            }
        }
        pose.project(skeleton);
        let model = ModelPose::new(skeleton, &pose);
        for (limb, foot) in &self.legs {
            limb.solve(skeleton, &model, &Target::Pose(*foot), Swivel::Last, &mut pose);
        }
        Some(pose)
    }
}

/// A solver without behaviours.
pub fn build(rig: &Rig, initial: &Pose) -> Result<ReachSolver, String> {
    ReachSolver::new(&rig.asset.skeleton, &rig.map, initial, ReachOptions::default())
        .map_err(|error| error.to_string())
}
