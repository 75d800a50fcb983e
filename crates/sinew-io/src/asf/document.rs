//! What the two files say, as they say it.

use glam::DVec3;

use crate::Note;
use crate::bvh::Axis;

/// An ASF file.
#[derive(Debug, Clone, PartialEq)]
pub struct AsfDocument {
    /// The skeleton's name.
    pub name: String,
    /// The `length` of the units: one unit is an inch divided by this.
    pub length: f64,
    /// Whether angles are degrees; radians otherwise.
    pub degrees: bool,
    /// The root, which is a place and not a bone.
    pub root: AsfRoot,
    /// The bones in the file's order.
    pub bones: Vec<AsfBone>,
    /// What was left out on the way in.
    pub notes: Vec<Note>,
}

/// The root's place, frame and channels.
#[derive(Debug, Clone, PartialEq)]
pub struct AsfRoot {
    /// What the root's numbers in a frame mean, in order.
    pub order: Vec<RootChannel>,
    /// The order of the three angles of `orientation`, first turn first.
    pub axis: [Axis; 3],
    /// Where it stands at rest.
    pub position: DVec3,
    /// Its frame, as angles about x, y and z.
    pub orientation: DVec3,
}

/// What one of the root's numbers means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootChannel {
    /// A shift along an axis, in the file's units.
    Translation(Axis),
    /// A turn about an axis.
    Rotation(Axis),
}

/// One bone.
#[derive(Debug, Clone, PartialEq)]
pub struct AsfBone {
    /// The bone's name, unique in the file.
    pub name: String,
    /// The bone above, `None` for one that starts at the root.
    pub parent: Option<usize>,
    /// Where the bone points at rest, in the model's axes; a unit vector as
    /// far as the file's digits go.
    pub direction: DVec3,
    /// How long it is, in the file's units.
    pub length: f64,
    /// The frame of its angles, as angles about x, y and z.
    pub axis: DVec3,
    /// The order of the three angles of `axis`, first turn first.
    pub axis_order: [Axis; 3],
    /// The axes it turns about, first turn first; what the numbers of a frame mean.
    pub dof: Vec<Axis>,
    /// For each of them the least and greatest angle; empty where there are none.
    pub limits: Vec<[f64; 2]>,
}

/// An AMC file.
#[derive(Debug, Clone, PartialEq)]
pub struct AmcDocument {
    /// Whether angles are degrees; `None` where the file does not say.
    pub degrees: Option<bool>,
    /// The bones of every frame, each with its count of numbers, in the order
    /// of the first frame.
    pub bones: Vec<(String, usize)>,
    /// Frame after frame, in each the numbers of every bone in order.
    pub values: Vec<f64>,
    /// What was noticed on the way in.
    pub notes: Vec<Note>,
}

impl AmcDocument {
    /// How many numbers a frame has.
    pub fn width(&self) -> usize {
        self.bones.iter().map(|(_, count)| count).sum()
    }

    /// The frames, each with one number for every channel.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.width().max(1))
    }
}
