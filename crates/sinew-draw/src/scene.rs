//! What a picture shows: figures and plain things beside them, in model space
//! (metres, Y up).

use sinew_f64::{GoalSet, ModelPose, Quat, Target, Vec3};

use crate::color::{self, Color};
use crate::figure::Figure;
use crate::limits;

/// Everything that one picture, or one panel of a strip, shows.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// What it is; written at the top.
    pub title: String,
    /// A few more words, smaller.
    pub note: String,
    /// Posed skeletons, the first at the back.
    pub figures: Vec<Figure>,
    /// Marked places.
    pub points: Vec<Point>,
    /// Paths, terrain, triangulations.
    pub polylines: Vec<Polyline>,
    /// Obstacles.
    pub cuboids: Vec<Cuboid>,
    /// Words at places.
    pub labels: Vec<Label>,
    /// Whether the plane y = 0 is drawn where it is near.
    pub ground: bool,
}

/// What a marked place looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Marker {
    /// A small disc.
    Dot,
    /// A ring with a cross: something to reach.
    Target,
    /// The same with the three axes of an orientation.
    Frame(Quat),
}

/// A marked place.
#[derive(Debug, Clone)]
pub struct Point {
    /// Where, in model space.
    pub at: Vec3,
    /// What it looks like.
    pub marker: Marker,
    /// Its colour.
    pub color: Color,
    /// A word beside it; may be empty.
    pub label: String,
}

/// A line through points.
#[derive(Debug, Clone)]
pub struct Polyline {
    /// The points in order, in model space.
    pub points: Vec<Vec3>,
    /// Its colour.
    pub color: Color,
    /// How thick, in the picture's own units.
    pub width: f64,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Whether what lies under it is filled, in views where y is up: terrain.
    pub filled_below: bool,
}

/// A box.
#[derive(Debug, Clone)]
pub struct Cuboid {
    /// Its middle, in model space.
    pub center: Vec3,
    /// Half its size along its own axes.
    pub half: Vec3,
    /// How its axes are turned.
    pub rotation: Quat,
    /// Its colour.
    pub color: Color,
}

/// Words at a place.
#[derive(Debug, Clone)]
pub struct Label {
    /// Where, in model space.
    pub at: Vec3,
    /// The words.
    pub text: String,
}

impl Scene {
    /// An empty scene with a ground.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ground: true, ..Self::default() }
    }

    /// With a few more words under the title.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// With another figure, in front of those before.
    pub fn figure(mut self, figure: Figure) -> Self {
        self.figures.push(figure);
        self
    }

    /// With a place to reach.
    pub fn target(mut self, at: Vec3, label: impl Into<String>) -> Self {
        self.points.push(Point { at, marker: Marker::Target, color: color::TARGET, label: label.into() });
        self
    }

    /// With a disc.
    pub fn dot(mut self, at: Vec3, color: Color) -> Self {
        self.points.push(Point { at, marker: Marker::Dot, color, label: String::new() });
        self
    }

    /// With a path.
    pub fn path(mut self, points: Vec<Vec3>, color: Color) -> Self {
        self.polylines.push(Polyline { points, color, width: 1.8, dashed: false, filled_below: false });
        self
    }

    /// With ground of any shape: a line, filled below where y is up. The plane
    /// y = 0 is then not drawn.
    pub fn terrain(mut self, points: Vec<Vec3>) -> Self {
        self.ground = false;
        self.polylines.push(Polyline {
            points,
            color: color::GROUND,
            width: 1.6,
            dashed: false,
            filled_below: true,
        });
        self
    }

    /// With an obstacle whose axes are those of the model.
    pub fn obstacle(mut self, center: Vec3, half: Vec3) -> Self {
        self.cuboids.push(Cuboid { center, half, rotation: Quat::IDENTITY, color: color::OBSTACLE });
        self
    }

    /// With words at a place.
    pub fn label(mut self, at: Vec3, text: impl Into<String>) -> Self {
        self.labels.push(Label { at, text: text.into() });
        self
    }

    /// With the targets of goals, each joined by a dashed line to the effector
    /// that should be there. Orientations alone stand at their effector.
    pub fn goals(mut self, goals: &GoalSet, model: &ModelPose) -> Self {
        for (_, goal) in goals.iter() {
            if goal.effector.joint.index() >= model.positions().len() {
                continue;
            }
            let now = goal.effector.transform(model);
            let (at, marker) = match goal.target {
                Target::Position(p) => (p, Marker::Target),
                Target::Pose(t) => (t.translation, Marker::Frame(t.rotation)),
                Target::Orientation(q) => (now.translation, Marker::Frame(q)),
                Target::Aim { at, .. } | Target::Contact { at, .. } => (at, Marker::Target),
            };
            self.points.push(Point { at, marker, color: color::TARGET, label: String::new() });
            self.polylines.push(Polyline {
                points: vec![now.translation, at],
                color: color::TARGET,
                width: 1.2,
                dashed: true,
                filled_below: false,
            });
        }
        self
    }

    /// Every finite point that the picture must hold.
    pub(crate) fn extent(&self) -> Vec<Vec3> {
        let figures = self.figures.iter().flat_map(Figure::points);
        let points = self.points.iter().map(|p| p.at);
        let lines = self.polylines.iter().flat_map(|l| l.points.iter().copied());
        let boxes = self.cuboids.iter().flat_map(Cuboid::corners);
        let labels = self.labels.iter().map(|l| l.at);
        let limits = self
            .figures
            .iter()
            .filter(|f| f.show_limits && !f.is_ghost())
            .flat_map(|f| f.limits.iter().flat_map(|mark| limits::reach(mark, f.size)));
        // Beyond this a picture in floating point makes no sense.
        let sane = |p: &Vec3| p.is_finite() && p.abs().max_element() < 1.0e12;
        figures.chain(points).chain(lines).chain(boxes).chain(labels).chain(limits).filter(sane).collect()
    }
}

impl Cuboid {
    /// The eight corners; bit 0 of the place is x, bit 1 is y, bit 2 is z.
    pub(crate) fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            self.center + self.rotation * (self.half * Vec3::new(sign(0), sign(1), sign(2)))
        })
    }
}
