//! What is seen on the poses that come out, whoever made them.
//!
//! Seven points of each foot are looked at: heel and ball with both edges of the sole, and the tip
//! of the toes. The ball belongs to the foot and to the toes, which bend there: it counts as the
//! better of the two has it. How deep a point is inside of the ground is the least way out, straight
//! up or level: a toe in a riser is as deep as it is behind it. Heel or ball stand from the frame in
//! which they are slow and low to the one in which they no longer are, and drift by how far they
//! come from where that began: whether the walker calls them planted does not count.

use sinew::body::walk::{Ground, Terrain, Walker};
use sinew::math::{Real, rotation};
use sinew::{JointId, ModelPose, Pose, Skeleton, Vec3};

use super::sticks::stick;
use crate::stats;

/// A point that is lower than this over the ground, in metres, and slower than this, in metres a
/// second, stands.
const LOW: Real = 0.01;
const SLOW: Real = 0.03;
/// So many frames are no stance yet.
const SHORT: usize = 3;
/// How far level ways out of the ground are tried, and in what steps, in metres.
const WAY_OUT: Real = 0.15;
const WAY_STEP: Real = 0.002;
/// Half the width of a sole, of the leg's length.
const WIDTH: Real = 0.04;

/// The points of a foot.
pub const POINTS: [&str; 7] =
    ["heel", "heel left", "heel right", "ball", "ball left", "ball right", "tip of the toes"];
const HEEL: usize = 0;
const BALL: usize = 3;

/// A foot of the rig, measured at a flat stance.
struct Foot {
    ankle: JointId,
    /// The joint at which the toes bend.
    toes: JointId,
    /// Heel and ball in the ankle's frame, ball and tip in that of the toes.
    heel: Vec3,
    ball: Vec3,
    toes_ball: Vec3,
    tip: Vec3,
    /// From the middle to the left edge, in the ankle's frame and in that of the toes.
    left: Vec3,
    toes_left: Vec3,
}

/// The feet of a rig, and what was last seen of them.
pub struct Measure<'a> {
    skeleton: &'a Skeleton,
    feet: Vec<Foot>,
    rate: Real,
    last: Option<Pose>,
    hips: Vec<Vec3>,
    stances: Vec<[Stance; 2]>,
    seen: Seen,
}

/// Heel or ball, perhaps standing.
#[derive(Clone, Copy, Default)]
struct Stance {
    last: Option<Vec3>,
    begun: Vec3,
    frames: usize,
    drift: Real,
}

/// What was seen on walks.
#[derive(Default, Clone)]
pub struct Seen {
    /// The deepest point of every frame, in metres.
    pub depths: Vec<f64>,
    /// Which point was deepest of all.
    pub deepest: &'static str,
    /// How far heels and balls drift, a stance each, in metres.
    pub drifts: Vec<f64>,
    /// The largest turn of a joint in every frame, in radians.
    pub turns: Vec<f64>,
    /// Whose was the largest.
    pub joint: String,
    /// The acceleration of the hips, in metres a second squared.
    pub accelerations: Vec<f64>,
    /// How far a joint was over its limit, in radians.
    pub over: f64,
}

impl Seen {
    /// Both together.
    pub fn add(&mut self, other: &Self) {
        if stats::largest(&other.depths) > stats::largest(&self.depths) {
            self.deepest = other.deepest;
        }
        if stats::largest(&other.turns) > stats::largest(&self.turns) {
            self.joint.clone_from(&other.joint);
        }
        self.depths.extend(&other.depths);
        self.drifts.extend(&other.drifts);
        self.turns.extend(&other.turns);
        self.accelerations.extend(&other.accelerations);
        self.over = self.over.max(other.over);
    }
}

impl<'a> Measure<'a> {
    /// For a rig with feet that a walker stands on; `None` if there is none.
    pub fn new(skeleton: &'a Skeleton, rate: f64) -> Option<Self> {
        let mut pose = Pose::rest(skeleton);
        let mut walker = Walker::new(skeleton, Default::default(), &Ground::Flat).ok()?;
        walker.step(skeleton, &Ground::Flat, stick(0.0, 0.0), 0.01, &mut pose);
        let model = ModelPose::new(skeleton, &pose);
        let mut feet = Vec::new();
        for foot in walker.feet() {
            let tips = skeleton.subtree(foot.joint).filter_map(|i| skeleton.id(i));
            let toes = tips.rev().find(|&j| skeleton.joint(j).tip().is_some())?;
            let hip = skeleton.parent(foot.joint).and_then(|knee| skeleton.parent(knee))?;
            let leg = model.position(hip).distance(model.position(foot.joint));
            let ahead = foot.toe - foot.heel;
            let left = Vec3::Y.cross(ahead).normalize_or_zero() * (WIDTH * leg);
            let (ankle, bend) = (model.transform(foot.joint), model.transform(toes));
            feet.push(Foot {
                ankle: foot.joint,
                toes,
                heel: ankle.inverse().transform_point(foot.heel),
                ball: ankle.inverse().transform_point(foot.toe),
                toes_ball: bend.inverse().transform_point(foot.toe),
                tip: skeleton.joint(toes).tip()?,
                left: ankle.rotation.conjugate() * left,
                toes_left: bend.rotation.conjugate() * left,
            });
        }
        let stances = vec![[Stance::default(); 2]; feet.len()];
        let seen = Seen::default();
        Some(Self { skeleton, feet, rate: rate as Real, last: None, hips: Vec::new(), stances, seen })
    }

    /// Looks at the next frame.
    pub fn look(&mut self, terrain: &dyn Terrain, pose: &Pose) {
        let model = ModelPose::new(self.skeleton, pose);
        let mut depth: Real = 0.0;
        for (foot, stances) in self.feet.iter().zip(&mut self.stances) {
            let (points, by_toes) = foot.points(&model);
            for (i, (&point, &other)) in points.iter().zip(&by_toes).enumerate() {
                let own = inside(terrain, point).min(inside(terrain, other));
                if own > depth && f64::from(own) > stats::largest(&self.seen.depths) {
                    self.seen.deepest = POINTS[i];
                }
                depth = depth.max(own);
            }
            for (stance, point) in stances.iter_mut().zip([points[HEEL], points[BALL]]) {
                stance.look(terrain, point, self.rate, &mut self.seen.drifts);
            }
        }
        self.seen.depths.push(f64::from(depth));
        let over = pose.worst_violation(self.skeleton).map_or(0.0, |(_, by)| by);
        self.seen.over = self.seen.over.max(f64::from(over));
        if let Some(last) = &mut self.last {
            let mut largest = (0.0, None);
            for joint in self.skeleton.ids().filter(|&j| self.skeleton.parent(j).is_some()) {
                let turn = rotation::angle(last.rotation(joint).conjugate() * pose.rotation(joint));
                if turn > largest.0 {
                    largest = (turn, Some(joint));
                }
            }
            if f64::from(largest.0) > stats::largest(&self.seen.turns)
                && let Some(joint) = largest.1
            {
                self.seen.joint = self.skeleton.joint(joint).name().into();
            }
            self.seen.turns.push(f64::from(largest.0));
            last.copy_from(pose);
        } else {
            self.last = Some(pose.clone());
        }
        self.hips.push(model.position(self.skeleton.root()));
        if let [.., a, b, c] = self.hips[..] {
            self.seen.accelerations.push(f64::from((a + c - b * 2.0).length() * self.rate * self.rate));
        }
    }

    /// What was seen, with the stances that still go on.
    pub fn seen(mut self) -> Seen {
        for stance in self.stances.iter_mut().flatten() {
            stance.end(&mut self.seen.drifts);
        }
        self.seen
    }
}

impl Foot {
    /// The points as the foot has them and, of the ball, as the toes have them.
    fn points(&self, model: &ModelPose) -> ([Vec3; 7], [Vec3; 7]) {
        let (ankle, toes) = (model.transform(self.ankle), model.transform(self.toes));
        let at = |p: Vec3| ankle.transform_point(p);
        let on_toes = |p: Vec3| toes.transform_point(p);
        let Self { heel, ball, toes_ball, left, toes_left, tip, .. } = *self;
        let tip = on_toes(tip);
        let heels = [at(heel), at(heel + left), at(heel - left)];
        let balls = [at(ball), at(ball + left), at(ball - left)];
        let others = [on_toes(toes_ball), on_toes(toes_ball + toes_left), on_toes(toes_ball - toes_left)];
        let all = |b: [Vec3; 3]| [heels[0], heels[1], heels[2], b[0], b[1], b[2], tip];
        (all(balls), all(others))
    }
}

impl Stance {
    fn look(&mut self, terrain: &dyn Terrain, point: Vec3, rate: Real, drifts: &mut Vec<f64>) {
        let low = point.y - terrain.height(point.x, point.z) < LOW;
        let Some(last) = self.last.replace(point) else { return };
        // A heel that lifts does not slide.
        if !(low && level(point, last) < SLOW / rate) {
            self.end(drifts);
            return;
        }
        if self.frames == 0 {
            self.begun = last;
        }
        self.frames += 1;
        self.drift = self.drift.max(level(point, self.begun));
    }

    fn end(&mut self, drifts: &mut Vec<f64>) {
        if self.frames > SHORT {
            drifts.push(f64::from(self.drift));
        }
        (self.frames, self.drift) = (0, 0.0);
    }
}

/// How far two places are from each other on the map.
fn level(a: Vec3, b: Vec3) -> Real {
    (a.x - b.x).hypot(a.z - b.z)
}

/// How deep a point is inside of the ground: the least way out, straight up or level.
fn inside(terrain: &dyn Terrain, point: Vec3) -> Real {
    let over = |x: Real, z: Real| terrain.height(x, z) - point.y;
    let mut least = over(point.x, point.z).max(0.0);
    let mut away = WAY_STEP;
    while away < least.min(WAY_OUT) {
        for (x, z) in [(away, 0.0), (-away, 0.0), (0.0, away), (0.0, -away)] {
            least = least.min(over(point.x + x, point.z + z).max(away));
        }
        away += WAY_STEP;
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_as_deep_as_the_least_way_out() {
        let step = |_: Real, z: Real| if z > 1.0 { 0.2 } else { 0.0 };
        let deep = |y: Real, z: Real| inside(&step, Vec3::new(0.3, y, z));
        assert_eq!(deep(0.0, 0.5), 0.0);
        assert!((deep(-0.02, 0.5) - 0.02).abs() < 1.0e-6);
        // Behind the riser by a centimetre, under the tread by fifteen.
        assert!((deep(0.05, 1.01) - 0.01).abs() < WAY_STEP * 1.01);
        assert!((deep(0.05, 2.0) - 0.15).abs() < 1.0e-6);
    }

    /// A stance pushed into the ground, slid and turned is measured as what was done to it.
    #[test]
    fn depth_drift_turn_and_acceleration_are_what_was_done() {
        let skeleton = sinew::rigs::by_name("humanoid").unwrap();
        let mut pose = Pose::rest(&skeleton);
        let mut walker = Walker::new(&skeleton, Default::default(), &Ground::Flat).unwrap();
        walker.step(&skeleton, &Ground::Flat, stick(0.0, 0.0), 0.01, &mut pose);
        let root = skeleton.root();
        let see = |each: &dyn Fn(usize, &mut Pose)| {
            let mut measure = Measure::new(&skeleton, 60.0).unwrap();
            for frame in 0..30 {
                let mut shown = pose.clone();
                each(frame, &mut shown);
                measure.look(&Ground::Flat, &shown);
            }
            measure.seen()
        };
        let shift = |pose: &mut Pose, by: Vec3| pose.set_translation(root, pose.translation(root) + by);
        let still = see(&|_, _| {});
        assert!(stats::largest(&still.depths) < 1.0e-4 && stats::largest(&still.drifts) < 1.0e-6);
        assert_eq!(still.drifts.len(), 4);
        let sunk = see(&|_, pose| shift(pose, Vec3::NEG_Y * 0.012));
        assert!((stats::largest(&sunk.depths) - 0.012).abs() < 1.0e-4);
        // A tenth of a millimetre a frame is slow enough to stand: 29 of them in all.
        let slid = see(&|frame, pose| shift(pose, Vec3::X * (1.0e-4 * frame as Real)));
        assert!((stats::largest(&slid.drifts) - 2.9e-3).abs() < 1.0e-5);
        let head = skeleton.find("skullbase").unwrap();
        let turned = see(&|frame, pose| {
            pose.set_rotation(head, rotation::about(Vec3::Y, if frame > 9 { 0.2 } else { 0.0 }));
        });
        assert!((stats::largest(&turned.turns) - 0.2).abs() < 1.0e-3 && turned.joint == "skullbase");
        let fallen = see(&|frame, pose| {
            let time = frame as Real / 60.0;
            shift(pose, Vec3::Y * (0.5 * 9.0 * time * time));
        });
        assert!((stats::median(&fallen.accelerations) - 9.0).abs() < 0.3);
    }
}
