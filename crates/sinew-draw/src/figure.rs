//! A posed skeleton as shapes in model space, free of the skeleton it came from.

use sinew_f64::limit::{AngleRange, JointLimit, LimitShape, Outline, SwingShape};
use sinew_f64::math::{any_perpendicular, direction_or};
use sinew_f64::{JointId, JointKind, LimitComponent, ModelPose, Pose, Quat, Skeleton, Vec3};

use crate::color::{self, Color};
use crate::side::{self, Side};

/// How a figure is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum FigureStyle {
    /// Left, right and middle in colours of their own.
    #[default]
    Sides,
    /// All in one colour, to tell compared figures apart.
    Tint(Color),
    /// Pale, without joints, names or limits: what was before, or elsewhere.
    Ghost(Color),
}

/// A posed skeleton, ready to be drawn.
#[derive(Debug, Clone)]
pub struct Figure {
    pub(crate) bones: Vec<Bone>,
    pub(crate) joints: Vec<JointMark>,
    pub(crate) limits: Vec<LimitMark>,
    /// The largest side of the box around it, in metres.
    pub(crate) size: f64,
    pub(crate) style: FigureStyle,
    pub(crate) show_limits: bool,
    pub(crate) show_names: bool,
    /// What the legend calls it; empty for nothing.
    pub(crate) caption: String,
}

/// A bone from joint to joint, or from a joint to its tip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bone {
    pub from: Vec3,
    pub to: Vec3,
    pub side: Side,
    /// The joint whose arrival or tip it is, by its place.
    pub of: usize,
    /// The joint that it starts from.
    pub start: usize,
    /// Whether it ends in no other joint.
    pub is_tip: bool,
    /// Only shows what hangs on what: a line instead of a body.
    pub thin: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct JointMark {
    pub at: Vec3,
    pub side: Side,
    pub name: String,
    pub kind: JointKind,
    /// The kind's axes in model space, zero where there are none.
    pub axes: [Vec3; 2],
    /// The length of the shortest bone that meets here, for the symbol's size.
    pub room: f64,
    /// The length of the longest, for the order in which names are placed.
    pub weight: f64,
}

/// The edge of one component of a joint's limit, in model space.
#[derive(Debug, Clone)]
pub(crate) struct LimitMark {
    pub origin: Vec3,
    /// What the limit is centred on, a unit vector.
    pub center: Vec3,
    /// How long the joint's bone is.
    pub length: f64,
    pub component: LimitComponent,
    pub rims: Vec<Rim>,
    /// The region that the rims bound, for limits of where a bone points.
    pub region: Option<Region>,
}

/// One curve of a limit's edge.
#[derive(Debug, Clone)]
pub(crate) struct Rim {
    /// Unit directions from the origin, or places for a slide.
    pub points: Vec<Vec3>,
    pub closed: bool,
}

/// A region of the sphere of directions.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    /// Turns the limit's frame into model space.
    frame: Quat,
    shape: SwingShape,
}

impl Region {
    /// Whether the bone may point along this unit vector.
    pub(crate) fn holds(&self, direction: Vec3) -> bool {
        self.shape.edge_distance(self.frame.conjugate() * direction) >= 0.0
    }
}

/// How finely limits are outlined: smooth at the size they are drawn.
const OUTLINE_SEGMENTS: usize = 40;

impl Figure {
    /// A skeleton in a pose, with its limits and names. A pose that is not of
    /// this skeleton is drawn as the rest pose.
    pub fn new(skeleton: &Skeleton, pose: &Pose) -> Self {
        let rest;
        let pose = if pose.len() == skeleton.len() {
            pose
        } else {
            rest = Pose::rest(skeleton);
            &rest
        };
        let model = ModelPose::new(skeleton, pose);
        let sides = side::sides(skeleton);
        let longest = skeleton.ids().map(|id| skeleton.bone_length(id)).fold(0.0, f64::max);
        let mut figure = Self {
            bones: Vec::new(),
            joints: Vec::new(),
            limits: Vec::new(),
            size: 0.0,
            style: FigureStyle::Sides,
            show_limits: true,
            show_names: true,
            caption: String::new(),
        };
        let mut rooms = vec![(f64::INFINITY, 0.0_f64); skeleton.len()];
        for id in skeleton.ids() {
            let side = sides[id.index()];
            let at = model.position(id);
            let mut ends = Vec::new();
            if let Some(parent) = skeleton.parent(id) {
                ends.push((model.position(parent), at, Some(parent)));
            }
            if let Some(tip) = skeleton.joint(id).tip() {
                ends.push((at, model.transform(id).transform_point(tip), None));
            }
            for (from, to, parent) in ends {
                let length = from.distance(to);
                if !length.is_finite() || length <= 1.0e-3 * longest {
                    continue;
                }
                for joint in [Some(id), parent].into_iter().flatten() {
                    let room = &mut rooms[joint.index()];
                    *room = (room.0.min(length), room.1.max(length));
                }
                let is_tip = parent.is_none();
                let start = parent.unwrap_or(id).index();
                figure.bones.push(Bone { from, to, side, of: id.index(), start, is_tip, thin: false });
            }
        }
        let prefix = shared_prefix(skeleton);
        for id in skeleton.ids() {
            let joint = skeleton.joint(id);
            let frame = model.rest_frame(skeleton, id);
            let axes = match joint.kind() {
                JointKind::Hinge { axis } | JointKind::Prismatic { axis } => [frame * axis, Vec3::ZERO],
                JointKind::Universal { first, second } => [frame * first, model.rotation(id) * second],
                _ => [Vec3::ZERO; 2],
            };
            let (room, weight) = rooms[id.index()];
            figure.joints.push(JointMark {
                at: model.position(id),
                side: sides[id.index()],
                name: joint.name().strip_prefix(prefix).unwrap_or(joint.name()).to_string(),
                kind: joint.kind(),
                axes,
                room: if room.is_finite() { room } else { longest },
                weight,
            });
            figure.limits.extend(limit_marks(skeleton, &model, id));
        }
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = figure.points().fold(start, |(low, high), p| (low.min(p), high.max(p)));
        figure.size = (high - low).max_element().max(0.0);
        figure
    }

    /// Coloured like this.
    pub fn style(mut self, style: FigureStyle) -> Self {
        self.style = style;
        self
    }

    /// With or without the limits of its joints.
    pub fn limits(mut self, shown: bool) -> Self {
        self.show_limits = shown;
        self
    }

    /// With or without the names of its joints.
    pub fn names(mut self, shown: bool) -> Self {
        self.show_names = shown;
        self
    }

    /// With a line in the legend.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Bones that do not hang below this joint are drawn as thin lines: what
    /// carries or controls a character is not part of its body.
    pub fn body_below(mut self, skeleton: &Skeleton, joint: JointId) -> Self {
        if skeleton.contains(joint) {
            let body = skeleton.subtree(joint);
            for bone in &mut self.bones {
                // The bone that leads to the joint itself carries it.
                bone.thin = !body.contains(&bone.of) || (bone.of == body.start && !bone.is_tip);
            }
        }
        self
    }

    pub(crate) fn is_ghost(&self) -> bool {
        matches!(self.style, FigureStyle::Ghost(_))
    }

    /// The colour of a part on this side.
    pub(crate) fn color(&self, side: Side) -> Color {
        match (self.style, side) {
            (FigureStyle::Tint(c) | FigureStyle::Ghost(c), _) => c,
            (FigureStyle::Sides, Side::Left) => color::LEFT,
            (FigureStyle::Sides, Side::Right) => color::RIGHT,
            (FigureStyle::Sides, Side::Middle) => color::MIDDLE,
        }
    }

    /// Every point that the picture must hold.
    pub(crate) fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        let joints = self.joints.iter().map(|j| j.at);
        joints.chain(self.bones.iter().map(|b| b.to)).filter(|p| p.is_finite())
    }
}

fn limit_marks(skeleton: &Skeleton, model: &ModelPose, id: JointId) -> Vec<LimitMark> {
    let joint = skeleton.joint(id);
    let (bone, length) = bone_at_rest(skeleton, id);
    let frame = model.rest_frame(skeleton, id);
    // A slide is measured from where the joint rests, a turn happens where it is.
    let rest = joint.rest().translation;
    let resting = joint.parent().map_or(rest, |parent| model.transform(parent).transform_point(rest));
    let swing_twist = match &joint.limit().shape {
        LimitShape::SwingTwist(limit) => Some(limit),
        _ => None,
    };
    let mut marks: Vec<LimitMark> = Vec::new();
    for (outline, axis) in outlines(joint.limit()) {
        let turn = axis.map_or(Quat::IDENTITY, |axis| arc_onto_bone(axis, bone));
        // A hinge along its bone turns the bone about itself.
        let rolls = axis.is_some_and(|axis| axis.dot(bone).abs() > ALONG);
        let component = if rolls { LimitComponent::Twist } else { outline.component };
        let points = outline.points.iter().map(|p| frame * (turn * *p)).collect();
        let rim = Rim { points, closed: outline.closed };
        // A region may have several rims; it is still one region.
        if let Some(mark) = marks.iter_mut().find(|m| m.component == component) {
            mark.rims.push(rim);
            continue;
        }
        marks.push(LimitMark {
            origin: if component == LimitComponent::Displacement { resting } else { model.position(id) },
            center: frame * swing_twist.map_or(bone, |limit| limit.frame * Vec3::Z),
            length,
            component,
            rims: vec![rim],
            region: swing_twist
                .filter(|_| component == LimitComponent::Swing)
                .map(|limit| Region { frame: frame * limit.frame, shape: limit.swing.clone() }),
        });
    }
    marks
}

/// What nearly all names begin with (`mixamorig:`, `panda_`), which tells
/// nothing in a picture and takes room.
fn shared_prefix(skeleton: &Skeleton) -> &str {
    let names = || skeleton.joints().iter().map(|j| j.name());
    let Some(sample) = names().nth(skeleton.len() / 2) else { return "" };
    let Some(end) = sample.find([':', '_', ' ']).map(|at| at + 1).filter(|end| *end < sample.len()) else {
        return "";
    };
    let prefix = &sample[..end];
    // A prefix of one name alone, or one that is a whole name, says something.
    let sharing = names().filter(|name| name.starts_with(prefix) && name.len() > end).count();
    if sharing >= 3 && sharing * 5 >= skeleton.len() * 4 { prefix } else { "" }
}

/// Cosine between an axis and a bone from which on the axis counts as the bone's own.
const ALONG: f64 = 0.98;

/// The curves of a limit; those of an angle about an axis with that axis. The
/// angles of universal joints and Euler boxes are drawn one by one, each like
/// that of a hinge: people read three arcs more easily than the region of a
/// direction that is not the bone's.
fn outlines(limit: &JointLimit) -> Vec<(Outline, Option<Vec3>)> {
    let angles: Vec<(LimitComponent, Vec3, AngleRange)> = match &limit.shape {
        LimitShape::Hinge(l) => vec![(LimitComponent::Angle, l.axis, l.range)],
        LimitShape::Universal(l) => {
            (0..2).map(|i| (LimitComponent::Euler(i as u8), l.axes[i], l.ranges[i])).collect()
        }
        LimitShape::Euler(l) => (0..3)
            .map(|i| (LimitComponent::Euler(i as u8), l.frame * Vec3::AXES[l.order.axes()[i]], l.ranges[i]))
            .collect(),
        _ => return limit.outlines(OUTLINE_SEGMENTS).into_iter().map(|outline| (outline, None)).collect(),
    };
    let arcs = |(component, axis, range): (LimitComponent, Vec3, AngleRange)| {
        let arcs = JointLimit::hinge(axis, range.min, range.max).outlines(OUTLINE_SEGMENTS);
        arcs.into_iter().map(move |arc| (Outline { component, ..arc }, Some(axis)))
    };
    // An angle that cannot change has no range to show.
    angles.into_iter().filter(|(.., range)| range.max - range.min > 1.0e-6).flat_map(arcs).collect()
}

/// The arc of a hinge starts anywhere round its axis; a picture wants angle
/// zero where the bone is at rest.
fn arc_onto_bone(axis: Vec3, bone: Vec3) -> Quat {
    let start = any_perpendicular(axis);
    let flat = bone - axis * bone.dot(axis);
    // A bone along the axis only spins; any start shows that as well.
    if bone.dot(axis).abs() > ALONG {
        return Quat::IDENTITY;
    }
    let angle = start.cross(flat).dot(axis).atan2(start.dot(flat));
    sinew_f64::math::rotation::about(axis, angle)
}

/// The direction and length of a joint's bone in its rest frame: to its
/// longest child, to its tip, or onwards from its parent.
fn bone_at_rest(skeleton: &Skeleton, id: JointId) -> (Vec3, f64) {
    let joint = skeleton.joint(id);
    let ends = skeleton.children(id).map(|c| skeleton.joint(c).rest().translation).chain(joint.tip());
    let onwards = joint.rest().rotation.inverse() * joint.rest().translation;
    let longest = ends.max_by(|a, b| a.length().total_cmp(&b.length())).filter(|v| v.length() > 1.0e-9);
    let bone = longest.unwrap_or(onwards * 0.5);
    (direction_or(bone, Vec3::Y), bone.length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::{JointDef, SkeletonBuilder};

    fn named(names: &[&str]) -> Skeleton {
        let mut b = SkeletonBuilder::new("t");
        for (i, name) in names.iter().enumerate() {
            let def = JointDef::new(*name).at(Vec3::Y);
            b.add(JointDef { parent: i.checked_sub(1), ..def });
        }
        b.build().unwrap()
    }

    #[test]
    fn a_prefix_goes_only_if_nearly_all_share_it() {
        assert_eq!(shared_prefix(&named(&["Armature", "m:a", "m:b", "m:c", "m:d"])), "m:");
        assert_eq!(shared_prefix(&named(&["l_hip", "l_knee", "r_hip", "r_knee"])), "");
        assert_eq!(shared_prefix(&named(&["a", "b_", "c"])), "");
        assert_eq!(shared_prefix(&named(&["only"])), "");
    }

    #[test]
    fn what_is_not_below_the_hips_is_thin() {
        let skeleton = named(&["world", "hips", "knee", "foot"]);
        let hips = skeleton.find("hips").unwrap();
        let figure = Figure::new(&skeleton, &Pose::rest(&skeleton)).body_below(&skeleton, hips);
        let thin: Vec<bool> = figure.bones.iter().map(|b| b.thin).collect();
        assert_eq!(thin, [true, false, false]);
    }

    #[test]
    fn an_arc_begins_where_the_bone_rests() {
        let mut b = SkeletonBuilder::new("t");
        let hinge = b.add(JointDef::new("hinge").hinge_range(Vec3::Z, 0.0, 1.0));
        b.add(JointDef::new("end").under(hinge).at(Vec3::new(0.3, -0.4, 0.0)));
        let skeleton = b.build().unwrap();
        let figure = Figure::new(&skeleton, &Pose::rest(&skeleton));
        let first = figure.limits[0].rims[0].points[0];
        assert!((first - Vec3::new(0.6, -0.8, 0.0)).length() < 1e-9, "{first}");
    }

    #[test]
    fn a_hinge_along_its_bone_is_drawn_as_a_twist() {
        let mut b = SkeletonBuilder::new("t");
        let roll = b.add(JointDef::new("roll").hinge_range(Vec3::Y, -1.0, 1.0));
        b.add(JointDef::new("end").under(roll).at(Vec3::Y));
        let skeleton = b.build().unwrap();
        let figure = Figure::new(&skeleton, &Pose::rest(&skeleton));
        assert_eq!(figure.limits[0].component, LimitComponent::Twist);
    }
}
