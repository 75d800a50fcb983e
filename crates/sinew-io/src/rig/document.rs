//! What a rig file says: joints by name, numbers as they mean something to
//! their joint.

use sinew_f64::body::reach::KeyValues;
use sinew_f64::limit::{AngleRange, EulerLimit, SwingTwistLimit};
use sinew_f64::math::Vec2;
use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{JointKind, Quat, Transform, Vec3};

use super::quantity::Quantity;
use crate::error::Place;

/// A rig file.
#[derive(Debug, Clone, PartialEq)]
pub struct RigDocument {
    /// The rig's name; a sidecar may have none.
    pub name: Option<String>,
    /// The file with the skeleton, for a sidecar, and where it is named.
    pub skeleton: Option<(String, Place)>,
    /// The joints, in the file's order.
    pub joints: Vec<RigJoint>,
    /// Parts of the body and the joints that play them, with their places.
    pub roles: Vec<(String, String, Place)>,
    /// Other names of joints.
    pub aliases: Vec<RigAlias>,
    /// Goals that come with the rig.
    pub goals: Vec<RigGoal>,
    /// Postures that come with the rig.
    pub postures: Vec<RigPosture>,
    /// Body behaviours that come with the rig.
    pub behaviours: Vec<RigBehaviour>,
}

/// A joint, or what a sidecar changes of one.
#[derive(Debug, Clone, PartialEq)]
pub struct RigJoint {
    /// Its name.
    pub name: String,
    /// Where it is in the file.
    pub place: Place,
    /// The joint above and where it is named; none at the root.
    pub parent: Option<(String, Place)>,
    /// Where it stands in its parent's frame.
    pub rest: Transform,
    /// How it moves; the skeleton's own kind if a sidecar does not say.
    pub kind: Option<JointKind>,
    /// How far it moves; the skeleton's own limit if a sidecar does not say.
    pub limit: Option<RigLimit>,
    /// Where the bone ends, in its own frame.
    pub tip: Option<Vec3>,
    /// How unwilling it is to move, 0 to 1.
    pub stiffness: Option<f64>,
    /// The joint that it follows.
    pub mimic: Option<RigMimic>,
    /// What its motor can do.
    pub drive: Option<RigDrive>,
    /// The mass that it carries, in kilograms, and its centre in the joint's frame.
    pub mass: Option<(f64, Vec3)>,
}

/// How far a joint moves.
#[derive(Debug, Clone, PartialEq)]
pub struct RigLimit {
    /// The allowed region.
    pub shape: RigLimitShape,
    /// The width of the band inside the edge that pushes back.
    pub soft: Option<Quantity>,
    /// Where it is in the file.
    pub place: Place,
}

/// The region of a limit, before it is known what kind of joint it is for.
#[derive(Debug, Clone, PartialEq)]
pub enum RigLimitShape {
    /// No limit, said explicitly.
    None,
    /// Two ends: of an angle for a hinge, of a length for a prismatic joint.
    Range(Quantity, Quantity),
    /// The two angles of a universal joint.
    Universal(AngleRange, AngleRange),
    /// A box of three angles.
    Euler(EulerLimit),
    /// A region for the bone and a range about it.
    SwingTwist(SwingTwistLimit),
}

/// The joint that a joint follows.
#[derive(Debug, Clone, PartialEq)]
pub struct RigMimic {
    /// The joint to follow, and where it is named.
    pub joint: (String, Place),
    /// How many times as far, in radians and metres.
    pub multiplier: f64,
    /// Where the follower stands when the other is at zero.
    pub offset: Option<Quantity>,
}

/// What a joint's motor can do.
#[derive(Debug, Clone, PartialEq)]
pub struct RigDrive {
    /// The greatest speed: degrees or metres a second.
    pub velocity: Option<Quantity>,
    /// The greatest torque or force: N·m or N.
    pub effort: Option<f64>,
    /// Where the controller begins to hold back, lower end.
    pub soft_lower: Option<Quantity>,
    /// Where the controller begins to hold back, upper end.
    pub soft_upper: Option<Quantity>,
}

/// Another name of a joint.
#[derive(Debug, Clone, PartialEq)]
pub struct RigAlias {
    /// The other name.
    pub name: String,
    /// The joint, and where it is named.
    pub joint: (String, Place),
    /// The frame that has this name, in the joint's own frame.
    pub frame: Transform,
}

/// A goal.
#[derive(Debug, Clone, PartialEq)]
pub struct RigGoal {
    /// Its name.
    pub name: String,
    /// Where it is in the file.
    pub place: Place,
    /// The joint that carries the effector, and where it is named.
    pub joint: (String, Place),
    /// The effector in the joint's own frame.
    pub offset: Transform,
    /// What the effector should do.
    pub target: RigTarget,
    /// How much the position matters.
    pub position_weight: f64,
    /// How much the orientation matters.
    pub orientation_weight: f64,
    /// How much each model axis matters.
    pub position_axes: Vec3,
    /// How much each effector axis matters.
    pub orientation_axes: Vec3,
    /// Zero comes first.
    pub priority: u32,
    /// The joint whose frame the target is given in, and where it is named.
    pub relative_to: Option<(String, Place)>,
}

/// Where an effector should be. What the file leaves out is where the effector
/// stands when the rig is at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RigTarget {
    /// At a point.
    Position(Option<Vec3>),
    /// Turned like this.
    Orientation(Option<Quat>),
    /// Both.
    Pose(Option<Vec3>, Option<Quat>),
    /// With an axis towards a point.
    Aim(Vec3, Vec3),
    /// At a point, with an axis along a normal.
    Contact(Vec3, Option<Vec3>, Vec3),
}

/// A named posture.
#[derive(Debug, Clone, PartialEq)]
pub struct RigPosture {
    /// Its name.
    pub name: String,
    /// The joints that are away from rest, where they are named and how far they moved.
    pub joints: Vec<(String, Place, RigMotion)>,
}

/// How far a joint moved from rest.
#[derive(Debug, Clone, PartialEq)]
pub enum RigMotion {
    /// The angle of a hinge.
    Angle(Quantity),
    /// The angles of a universal joint.
    Angles(Quantity, Quantity),
    /// Any rotation.
    Rotation(Quat),
    /// The way along a prismatic joint.
    Slide(Quantity),
    /// Any shift, in the joint's rest frame.
    Translation(Vec3),
}

/// A body behaviour.
#[derive(Debug, Clone, PartialEq)]
pub struct RigBehaviour {
    /// Its name.
    pub name: String,
    /// Where it is in the file.
    pub place: Place,
    /// The arm that it is for.
    pub side: Side,
    /// How the character stands.
    pub stance: Option<RigKeyPosture>,
    /// The keys, in the file's order.
    pub keys: Vec<RigKey>,
}

/// A key posture of a behaviour.
#[derive(Debug, Clone, PartialEq)]
pub struct RigKey {
    /// Where it is in the file.
    pub place: Place,
    /// Which of the four corners it stands at, if it does.
    pub corner: Option<usize>,
    /// Where it stands otherwise.
    pub swing: Vec2,
    /// The posture.
    pub posture: RigKeyPosture,
    /// What is blended besides.
    pub values: KeyValues,
}

/// A posture by name, or as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum RigKeyPosture {
    /// One of the file's postures, and where it is named.
    Named(String, Place),
    /// Its joints.
    Here(RigPosture),
}
