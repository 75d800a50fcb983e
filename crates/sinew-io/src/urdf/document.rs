//! What a URDF says, in its own terms: z up, metres, radians.

use sinew_f64::{Transform, Vec3};

use crate::Note;

/// A robot as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct UrdfDocument {
    /// The robot's name; empty if it has none.
    pub name: String,
    /// The links, in the file's order.
    pub links: Vec<UrdfLink>,
    /// The joints, in the file's order.
    pub joints: Vec<UrdfJoint>,
    /// What was repaired or left out on the way.
    pub notes: Vec<Note>,
}

/// A rigid part.
#[derive(Debug, Clone, PartialEq)]
pub struct UrdfLink {
    /// Its name, which no other link has.
    pub name: String,
    /// Where the file's frame of this link stands in the frame that the joint
    /// above moves. The identity until the robot is given another root: a
    /// joint always sits in the origin of its child link, so a link whose
    /// joint is turned round gets a new frame, and this is the way back.
    pub frame: Transform,
    /// Its mass in kilograms and where the mass has its centre, in the link's own frame, if the
    /// file says so.
    pub mass: Option<(f64, Vec3)>,
    /// What it looks like.
    pub visuals: Vec<UrdfShape>,
    /// What it is taken for when it could bump into something.
    pub collisions: Vec<UrdfShape>,
    /// The line of the file on which it begins.
    pub line: usize,
}

/// A shape of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct UrdfShape {
    /// Where it stands in the link's own frame.
    pub origin: Transform,
    /// What it is.
    pub form: UrdfForm,
    /// Red, green and blue, as the screen shows them, if the file says so.
    pub colour: Option<[f64; 3]>,
}

/// The form of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum UrdfForm {
    /// A box about its middle, by its sides.
    Box(Vec3),
    /// A cylinder along z about its middle.
    Cylinder {
        /// In metres.
        radius: f64,
        /// In metres.
        length: f64,
    },
    /// A ball.
    Sphere(f64),
    /// A mesh in a file.
    Mesh {
        /// As the file calls it, mostly `package://…`.
        file: String,
        /// How many times as large along each axis.
        scale: Vec3,
    },
}

/// What joins two links.
#[derive(Debug, Clone, PartialEq)]
pub struct UrdfJoint {
    /// Its name, which no other joint has.
    pub name: String,
    /// How it moves.
    pub kind: UrdfJointKind,
    /// The link it hangs from.
    pub parent: String,
    /// The link it moves.
    pub child: String,
    /// Where it sits in the parent's frame at rest.
    pub origin: Transform,
    /// The axis it turns about or slides along, or the normal of its plane: a
    /// unit vector in its own frame. Meaningless for the other kinds.
    pub axis: Vec3,
    /// How far, how fast and how strongly it moves.
    pub limit: Option<UrdfLimit>,
    /// The joint that it follows.
    pub mimic: Option<UrdfMimic>,
    /// Where its controller starts to hold it back.
    pub safety: Option<UrdfSafetyController>,
    /// Whether parent and child were exchanged when the robot was given another
    /// root. It matters for what does not simply change its axis' sign: a
    /// planar joint then turns first and slides after.
    pub reversed: bool,
    /// The line of the file on which it begins.
    pub line: usize,
}

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrdfJointKind {
    /// Turns about its axis within a range.
    Revolute,
    /// Turns about its axis without end.
    Continuous,
    /// Slides along its axis within a range.
    Prismatic,
    /// Does not move.
    Fixed,
    /// Moves any way.
    Floating,
    /// Slides in the plane that its axis is the normal of, and turns about it.
    Planar,
    /// Turns any way: not of the standard, but pybullet has it.
    Spherical,
}

impl UrdfJointKind {
    /// What the file calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Fixed => "fixed",
            Self::Floating => "floating",
            Self::Planar => "planar",
            Self::Spherical => "spherical",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Revolute,
            Self::Continuous,
            Self::Prismatic,
            Self::Fixed,
            Self::Floating,
            Self::Planar,
            Self::Spherical,
        ]
        .into_iter()
        .find(|kind| kind.name() == name)
    }

    /// Whether it has an axis.
    pub const fn has_axis(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic | Self::Planar)
    }

    /// Whether one number says where it stands.
    pub const fn has_one_value(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

/// How far, how fast and how strongly a joint moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UrdfLimit {
    /// The lower end: radians or metres. The standard's default is zero.
    pub lower: f64,
    /// The upper end: radians or metres. The standard's default is zero.
    pub upper: f64,
    /// The greatest torque or force, if the file gives one.
    pub effort: Option<f64>,
    /// The greatest speed, if the file gives one.
    pub velocity: Option<f64>,
}

impl UrdfLimit {
    /// Whether the range has no ends.
    pub fn is_endless(&self) -> bool {
        self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY
    }
}

/// The joint that a joint follows, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct UrdfMimic {
    /// The joint to follow.
    pub joint: String,
    /// How many times as far.
    pub multiplier: f64,
    /// Where it stands when the other is at zero.
    pub offset: f64,
}

/// Where a joint's controller starts to hold it back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UrdfSafetyController {
    /// The lower end of the free range, if the file gives one.
    pub soft_lower: Option<f64>,
    /// The upper end of the free range, if the file gives one.
    pub soft_upper: Option<f64>,
}
