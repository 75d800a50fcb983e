//! Motions that the project makes itself, so that the experiment needs no data:
//! walking, reaching and boxing on the embedded humanoid. They are smooth, every
//! joint moves, and elbows and knees swivel by rules that no method knows.

use anyhow::{Context, Result};
use sinew::analytic::{Limb, Swivel};
use sinew::math::{Quat, Vec3, rotation};
use sinew::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use sinew::{ModelPose, Pose, Skeleton, Target};

use crate::Sequence;

/// Frames of each motion, at 60 a second.
const FRAMES: usize = 600;

/// What the body does at a time in seconds, from standing: shifts and turns of
/// the hips, turns of the spine, and the wrists' and ankles' places from the rest
/// chest and the ground, with the swivel angles of elbows and knees.
struct Beat {
    shift: Vec3,
    hips: Vec3,
    spine: Vec3,
    neck: Vec3,
    wrists: [Vec3; 2],
    ankles: [Vec3; 2],
    swivels: [f32; 4],
}

type Motion = fn(f32) -> Beat;

const MOTIONS: [(&str, Motion); 3] = [("walking", walking), ("reaching", reaching), ("boxing", boxing)];

/// The names of the three motions.
pub const NAMES: [&str; 3] = [MOTIONS[0].0, MOTIONS[1].0, MOTIONS[2].0];

/// The three motions.
pub fn sequences() -> Result<Vec<Sequence>> {
    NAMES.iter().map(|name| sequence(name)).collect()
}

/// One of the motions, frame by frame.
pub struct Made {
    skeleton: Skeleton,
    map: HumanoidMap,
    motion: Motion,
}

impl Made {
    /// How many frames there are.
    pub const FRAMES: usize = FRAMES;
    /// Seconds from one to the next.
    pub const FRAME_TIME: f64 = 1.0 / 60.0;

    /// The motion of this name; `None` if there is none.
    pub fn by_name(name: &str) -> Option<Self> {
        let (_, motion) = MOTIONS.iter().find(|motion| motion.0 == name)?;
        let skeleton = sinew::rigs::humanoid(sinew::rigs::SwingModel::Spline);
        Some(Self { map: HumanoidMap::find(&skeleton), skeleton, motion: *motion })
    }

    /// The humanoid that moves.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Writes a frame; every joint that moves is set.
    pub fn frame(&self, index: usize, pose: &mut Pose) -> Result<()> {
        frame(&self.skeleton, &self.map, &(self.motion)(index as f32 / 60.0), pose)
    }
}

fn walking(t: f32) -> Beat {
    let phase = t * 5.6;
    let step = |p: f32| Vec3::new(0.0, 0.08 * (p.cos()).max(0.0), 0.28 * p.sin());
    let swing = |p: f32| Vec3::new(0.05, -0.55 + 0.05 * p.sin().abs(), 0.22 * p.sin());
    let turn = 0.5 * t;
    Beat {
        shift: Vec3::new(0.0, -0.04 + 0.015 * (2.0 * phase).cos(), 0.0),
        hips: Vec3::new(0.05, turn + 0.08 * phase.sin(), 0.04 * phase.cos()),
        spine: Vec3::new(0.06, -0.16 * phase.sin(), 0.0),
        neck: Vec3::new(-0.03, 0.08 * phase.sin(), 0.0),
        wrists: [swing(-phase), swing(phase)],
        ankles: [step(phase), step(phase + core::f32::consts::PI)],
        swivels: [0.1 * phase.sin(), -0.1 * phase.sin(), 0.05, -0.05],
    }
}

fn reaching(t: f32) -> Beat {
    let (a, b) = ((0.9 * t).sin(), (1.3 * t + 0.7).sin());
    let hand = |s: f32, u: f32| Vec3::new(0.25 + 0.2 * s, -0.15 + 0.45 * u, 0.35 + 0.15 * s * u);
    Beat {
        shift: Vec3::new(0.03 * a, -0.1 - 0.08 * b, 0.02 * b),
        hips: Vec3::new(0.2 + 0.15 * b, 0.4 * a, 0.05 * a),
        spine: Vec3::new(0.25 + 0.2 * b, 0.25 * a, 0.1 * b),
        neck: Vec3::new(-0.15, 0.2 * b, 0.0),
        wrists: [hand(a, b), hand(-b, a)],
        ankles: [Vec3::new(0.05, 0.0, 0.1), Vec3::new(0.05, 0.0, -0.12)],
        swivels: [0.3 * b, -0.25 * a, 0.15, -0.15],
    }
}

fn boxing(t: f32) -> Beat {
    let punch = |p: f32| (p.sin().max(0.0)).powi(3);
    let (left, right) = (punch(4.0 * t), punch(4.0 * t + core::f32::consts::PI));
    let hand = |p: f32| Vec3::new(0.08, -0.12 + 0.1 * p, 0.25 + 0.33 * p);
    Beat {
        shift: Vec3::new(0.04 * (1.7 * t).sin(), -0.12 + 0.02 * (8.0 * t).sin(), 0.04 * (2.3 * t).sin()),
        hips: Vec3::new(0.15, 0.3 * (right - left) + 0.4 * (0.6 * t).sin(), 0.0),
        spine: Vec3::new(0.3, -0.35 * (left - right), 0.0),
        neck: Vec3::new(-0.2, 0.3 * (left - right), 0.0),
        wrists: [hand(left), hand(right)],
        ankles: [Vec3::new(0.08, 0.0, 0.2), Vec3::new(0.06, 0.02 * right, -0.2)],
        swivels: [0.25 - 0.2 * left, -0.25 + 0.2 * right, 0.2, -0.2],
    }
}

fn sequence(name: &str) -> Result<Sequence> {
    let made = Made::by_name(name).context("one of the three")?;
    let mut frames = Vec::with_capacity(FRAMES);
    let mut pose = Pose::rest(&made.skeleton);
    for i in 0..FRAMES {
        made.frame(i, &mut pose)?;
        frames.push(pose.clone());
    }
    let Made { skeleton, map, .. } = made;
    Ok(Sequence {
        name: name.into(),
        skeleton,
        map,
        frames,
        frame_time: 1.0 / 60.0,
        rigid: name == "walking",
        published: None,
    })
}

fn frame(skeleton: &Skeleton, map: &HumanoidMap, beat: &Beat, pose: &mut Pose) -> Result<()> {
    let facing = map.facing().context("the humanoid faces somewhere")?;
    let hips = map.get(HumanoidBone::Hips).context("the humanoid has hips")?;
    let rest = ModelPose::rest(skeleton);
    let to_model = |v: Vec3| facing.left * v.x + facing.up * v.y + facing.forward * v.z;
    // A turn given about the body's axes, in a joint's own rest frame.
    let own = |joint: sinew::JointId, turn: Vec3| -> Quat {
        let frame = rest.rotation(joint);
        frame.conjugate() * rotation::exp(to_model(turn)) * frame
    };
    pose.set_rotation(hips, own(hips, beat.hips));
    pose.set_translation(hips, rest.rotation(hips).conjugate() * to_model(beat.shift));
    let mut bend = |joints: &[sinew::JointId], whole: Vec3| {
        for &joint in joints {
            let turn = own(joint, whole / joints.len().max(1) as f32);
            pose.set_rotation(joint, skeleton.joint(joint).project(turn));
        }
    };
    bend(map.spine(), beat.spine);
    bend(map.neck(), beat.neck);
    let mut model = ModelPose::new(skeleton, pose);
    let heading = rotation::exp(to_model(Vec3::Y * beat.hips.y));
    for (i, side) in [Side::Left, Side::Right].into_iter().enumerate() {
        let out = if side == Side::Left { 1.0 } else { -1.0 };
        let mirrored = |v: Vec3| to_model(Vec3::new(v.x * out, v.y, v.z));
        let arm = Limb::arm(skeleton, map, side)?;
        let leg = Limb::leg(skeleton, map, side)?;
        let shoulder = model.position(arm.joints().upper);
        let goal = Target::Position(shoulder + heading * mirrored(beat.wrists[i] - Vec3::X * 0.1));
        arm.solve(skeleton, &model, &goal, Swivel::Preferred(beat.swivels[i]), pose);
        let foot = rest.position(leg.joints().end) - rest.position(hips);
        let goal = Target::Position(rest.position(hips) + heading * (foot + mirrored(beat.ankles[i])));
        leg.solve(skeleton, &model, &goal, Swivel::Preferred(beat.swivels[2 + i]), pose);
    }
    model.update(skeleton, pose);
    Ok(())
}
