//! Markers that are dragged.

use sinew::body::six_point::{Point, SixPointReport, Source, Trackers};
use sinew_f64::{ModelPose, Pose};
use sinew_io::widen;
use sinew_motion::frame_by_frame::FrameByFrame;

use super::{Recipe, points};
use crate::rig::Rig;
use crate::wire::{BodyFrame, BodyMarker, Explain, Q, V3};
use crate::workspace::checked::{place, rotation};

/// The usual time from one step to the next; every step says its own.
const FRAME_TIME: f64 = 1.0 / 60.0;
/// A step is no shorter, in seconds: what moves must be seen to move.
const SHORTEST: f64 = 1.0e-3;
/// A joint that turns less in a step stands.
const STILL: f32 = 1.0e-5;
/// A point that is missed by more is named, in metres.
const MISSED: f64 = 5.0e-3;

/// A body that follows markers.
pub struct Markers {
    recipe: Recipe,
    solver: FrameByFrame,
    /// The points in use, with their joints.
    points: Vec<(Point, usize)>,
    /// Where every point is at rest, and where it was put.
    rest: Trackers,
    put: Trackers,
}

impl Markers {
    pub fn new(rig: &Rig, recipe: Recipe, markers: &[BodyMarker]) -> Result<Self, String> {
        let mut solver = recipe.build(rig, FRAME_TIME)?;
        let rest = sinew::Pose::rest(solver.skeleton());
        let rest = solver.points_of(&rest, &Point::ALL, true);
        let put = read(markers)?;
        let points = in_use(&solver, &recipe)?;
        Ok(Self { recipe, solver, points, rest, put })
    }

    /// Takes another list; the body goes on from where it is.
    pub fn take(&mut self, rig: &Rig, recipe: Recipe, markers: &[BodyMarker]) -> Result<(), String> {
        let put = read(markers)?;
        if recipe.method != self.recipe.method {
            *self = Self::new(rig, recipe, markers)?;
            return Ok(());
        }
        self.points = in_use(&self.solver, &recipe)?;
        if recipe.points != self.recipe.points {
            // A point that is no longer given is not one that was lost for a moment, which would be filled in.
            self.solver.start_anew();
        }
        (self.put, self.recipe) = (put, recipe);
        Ok(())
    }

    pub fn drag(&mut self, target: &str, position: V3, turn: Option<Q>) -> Result<(), String> {
        let point = points::by_name(target)?;
        if !self.recipe.points.contains(&point) {
            return Err(format!("'{target}' is not among the points in use"));
        }
        let marker = BodyMarker { point: target.to_string(), position, rotation: turn };
        read_one(&marker, &mut self.put)?;
        Ok(())
    }

    pub fn restart(&mut self, rig: &Rig) {
        // It was built from the same once, or it stays as it was.
        if let Ok(solver) = self.recipe.build(rig, FRAME_TIME) {
            self.solver = solver;
        }
    }

    /// What the trackers say now.
    fn given(&self) -> Trackers {
        let mut given = Trackers::default();
        for &(point, _) in &self.points {
            let (put, rest) = (&self.put, &self.rest);
            let turn =
                put.orientation(point).or(rest.orientation(point)).filter(|_| self.recipe.orientations);
            given.set(point, put.position(point).or(rest.position(point)), turn);
        }
        given
    }

    /// A frame, its microseconds, and whether the body still moves.
    pub fn step(&mut self, rig: &Rig, seconds: f64, pose: &mut Pose) -> (BodyFrame, f64, bool) {
        let skeleton = &rig.asset.skeleton;
        let given = self.given();
        let before = self.solver.pose().clone();
        let result = self.solver.next_after(seconds.max(SHORTEST), &given, None);
        let now = self.solver.pose();
        let turned = now.rotations().iter().zip(before.rotations()).any(|(a, b)| {
            let off = (*a - *b).length().min((*a + *b).length());
            off > STILL
        });
        let shifted = now.translations().iter().zip(before.translations());
        let moved = turned || shifted.into_iter().any(|(a, b)| a.distance(*b) > STILL);
        *pose = widen::pose(skeleton, now);
        let model = ModelPose::new(skeleton, pose);
        let told = (self.solver.skeleton(), result.report.as_ref());
        let states = points::states(skeleton, &model, &self.points, &given, told);
        let catching = result.report.is_some_and(|r| r.sources.contains(&Source::CatchingUp));
        let frame = BodyFrame {
            frame: 0,
            original: None,
            position_error: None,
            orientation_error: None,
            outcome: outcome(&states, told),
            points: states,
        };
        (frame, result.micros, moved || catching)
    }
}

/// What came of the markers, in words.
fn outcome(
    states: &[crate::wire::PointState],
    (skeleton, report): (&sinew::Skeleton, Option<&SixPointReport>),
) -> String {
    let missed = |s: &crate::wire::PointState| {
        let off = sinew_f64::Vec3::from(s.position).distance(sinew_f64::Vec3::from(s.reached));
        (off > MISSED).then_some(off)
    };
    let mut words: Vec<String> = Vec::new();
    for state in states {
        if state.source != points::word(Source::Measured) && state.source != points::word(Source::Frozen) {
            words.push(format!("{} is {}", state.point, state.source));
            continue;
        }
        let Some(off) = missed(state) else { continue };
        let cause = report.zip(points::by_name(&state.point).ok());
        let cause = cause.and_then(|(report, point)| points::limb_cause(report, point));
        let why = cause.map(|cause| cause.words(skeleton, &[&state.point]));
        words.push(why.unwrap_or_else(|| format!("{} is missed by {:.1} cm", state.point, off * 100.0)));
    }
    if words.is_empty() { "every point is where it should be".into() } else { words.join("; ") }
}

fn in_use(solver: &FrameByFrame, recipe: &Recipe) -> Result<Vec<(Point, usize)>, String> {
    let find = |&point: &Point| {
        let joint = solver.joint(point);
        joint.map(|j| (point, j.index())).ok_or_else(|| format!("the body has no {}", points::name(point)))
    };
    recipe.points.iter().map(find).collect()
}

fn read(markers: &[BodyMarker]) -> Result<Trackers, String> {
    if markers.len() > 4 * Point::COUNT {
        return Err(format!("there are {} markers; a body has {}", markers.len(), Point::COUNT));
    }
    let mut put = Trackers::default();
    for marker in markers {
        read_one(marker, &mut put)?;
    }
    Ok(put)
}

fn read_one(marker: &BodyMarker, put: &mut Trackers) -> Result<(), String> {
    let point = points::by_name(&marker.point)?;
    let position = place(&marker.point, marker.position)?.as_vec3();
    let turn = marker.rotation.map(|turn| rotation(&marker.point, turn)).transpose()?;
    put.set(point, Some(position), turn.map(|q| q.as_quat().normalize()));
    Ok(())
}
