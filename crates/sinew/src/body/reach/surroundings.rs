//! What a reaching body must not touch: itself and a scene.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::collision::{CollisionBody, CollisionQuery, CollisionScene, Contact, Touched, Way};
use crate::goal::ClearanceGoal;
use crate::math::*;
use crate::pose::ModelPose;
use crate::report::Cause;
use crate::skeleton::humanoid::{HumanoidMap, LimbJoints, Side};
use crate::skeleton::{JointId, Skeleton};

/// The parts of an arm, and which of its three joints each hangs on.
#[derive(Debug, Clone, Default)]
struct ArmParts {
    parts: Vec<usize>,
    /// For each part: the joint of the arm (base, mid, end) that carries it, and where its own
    /// joint stands in that joint's frame at rest.
    carried: Vec<(usize, Transform)>,
}

/// A body's parts, a scene, and who must keep clear of whom while reaching.
///
/// What the body touches in the posture it starts from (the floor under its feet, the
/// chair it sits on, an arm that hangs at its hip) it may go on touching, as deep as it does.
#[derive(Debug, Clone)]
pub struct Surroundings {
    body: CollisionBody,
    scene: CollisionScene,
    query: CollisionQuery,
    arms: [ArmParts; 2],
    /// The parts that belong to no arm, and the same with one arm or both that do
    /// not reach, by which arms reach.
    others: [Vec<usize>; 4],
    /// What touched at the last test, which is asked first at the next.
    last: Option<Contact>,
}

impl Surroundings {
    /// For a body that reaches from the posture of `initial`.
    pub fn new(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        body: CollisionBody,
        scene: CollisionScene,
        initial: &ModelPose,
    ) -> Self {
        let rest = ModelPose::rest(skeleton);
        let arms = Side::BOTH.map(|side| {
            map.arm(side).map_or(ArmParts::default(), |arm| ArmParts::new(skeleton, &body, arm, &rest))
        });
        let mut body = body;
        let mut query = CollisionQuery::new(&body);
        query.place(&body, initial);
        query.accept(&scene);
        query.accept_own(&mut body);
        let of = |side: usize, part: &usize| arms[side].parts.contains(part);
        let others = core::array::from_fn(|reaching| {
            let moves = |part: &usize| (0..2).any(|side| reaching >> side & 1 == 1 && of(side, part));
            query.all_parts().iter().copied().filter(|part| !moves(part)).collect()
        });
        Self { body, scene, query, arms, others, last: None }
    }

    /// The parts of the body.
    pub fn body(&self) -> &CollisionBody {
        &self.body
    }

    /// What stands around it.
    pub fn scene(&self) -> &CollisionScene {
        &self.scene
    }

    /// What stands around it, to move obstacles. What the initial posture touched stays
    /// allowed.
    pub fn scene_mut(&mut self) -> &mut CollisionScene {
        &mut self.scene
    }

    /// Puts the whole body where the pose has it and tests all of it but the
    /// reaching arms against the scene.
    pub(super) fn body_contact(&mut self, model: &ModelPose, reaching: [bool; 2]) -> Option<Contact> {
        self.query.place(&self.body, model);
        let index = usize::from(reaching[0]) | usize::from(reaching[1]) << 1;
        // Until an arm is solved it stands where the last posture had it, which
        // must not be in the way of the other.
        for side in 0..2 {
            if reaching[side] {
                self.query.lift(&self.arms[side].parts);
            }
        }
        self.query.first_scene_contact(&self.scene, &self.others[index])
    }

    /// The same where only whether anything touches matters, not what. If so, not all parts need
    /// stand where the pose has them.
    pub(super) fn body_touches(&mut self, model: &ModelPose, reaching: [bool; 2]) -> bool {
        if let Some(last) = self.last {
            self.query.place_some(&self.body, model, &[last.part]);
            if self.query.still_touches(&self.body, &self.scene, &last).is_some() {
                return true;
            }
        }
        self.last = self.body_contact(model, reaching);
        self.last.is_some()
    }

    /// Begins a row of tests: the first names the first contact there is.
    pub(super) fn begin(&mut self) {
        self.last = None;
    }

    /// Whether the arm would touch anything. What it touches need not be the first that it does,
    /// where an earlier test of the same row has found another.
    pub(super) fn arm_contact(&mut self, side: usize, joints: &[Transform; 3]) -> Option<Contact> {
        let arm = &self.arms[side];
        let placed = |i: usize| joints[arm.carried[i].0] * arm.carried[i].1;
        if let Some(last) = self.last {
            let other = match last.with {
                Touched::Part(other) => other,
                Touched::Obstacle(_) => last.part,
            };
            for (i, &part) in arm.parts.iter().enumerate() {
                if part == last.part || part == other {
                    self.query.place_at(&self.body, part, placed(i));
                }
            }
            let still = self.query.still_touches(&self.body, &self.scene, &last);
            if still.is_some() {
                return still;
            }
        }
        for (i, &part) in arm.parts.iter().enumerate() {
            self.query.place_at(&self.body, part, placed(i));
        }
        let contact = self.query.first_contact(&self.body, &self.scene, &arm.parts);
        self.last = contact.or(self.last);
        contact
    }

    /// Puts an arm where the pose has it.
    pub(super) fn place_arm(&mut self, side: usize, model: &ModelPose) {
        self.query.place_some(&self.body, model, &self.arms[side].parts);
    }

    /// Keeps this much further from the scene, but where the body starts nearer to it than that, and
    /// lets parts of the body brush against each other as deep as `give`. Returns what
    /// [`restore`](Self::restore) needs to undo it.
    pub(super) fn keep_away(
        &mut self,
        (clearance, give): (Real, Real),
        initial: &ModelPose,
    ) -> Vec<(usize, usize, Real)> {
        self.query.place(&self.body, initial);
        self.last = None;
        let parts = self.body.parts();
        self.query.keep_away(clearance, give, &self.scene, |part| initial.transform(parts[part].joint))
    }

    /// All of it as a bound of a descent, with what the body may touch and this distance to the
    /// rest. Allocates.
    pub(super) fn as_goal(&self, distance: Real) -> ClearanceGoal {
        let scene = self.scene.for_body(self.query.accepted());
        ClearanceGoal { body: Arc::new(self.body.clone()), scene: Arc::new(scene), distance }
    }

    pub(super) fn restore(&mut self, accepted: Vec<(usize, usize, Real)>) {
        self.last = None;
        self.query.restore(accepted);
    }

    /// Whether a contact is one of a part that hangs on this joint.
    pub(super) fn is_below(&self, skeleton: &Skeleton, joint: JointId, contact: &Contact) -> bool {
        skeleton.is_ancestor(joint, self.body.parts()[contact.part].joint)
    }

    /// The shortest way between two parts that touch, where they were placed last, and the joint of the
    /// second.
    pub(super) fn way_between(&self, part: usize, other: usize) -> Option<(Way, JointId)> {
        let way = self.query.way_between(&self.body, part, other, 0.0)?;
        Some((way, self.body.parts()[other].joint))
    }

    pub(super) fn cause(&self, contact: &Contact) -> Cause {
        self.body.cause(contact)
    }

    /// What a contact is between, in words: "right forearm" and "shelf".
    pub fn names(&self, contact: &Contact) -> (&str, &str) {
        let other = match contact.with {
            Touched::Part(part) => self.body.parts()[part].name.as_str(),
            Touched::Obstacle(id) => self.scene.name(id).unwrap_or_default(),
        };
        (self.body.parts()[contact.part].name.as_str(), other)
    }
}

impl ArmParts {
    fn new(skeleton: &Skeleton, body: &CollisionBody, arm: LimbJoints, rest: &ModelPose) -> Self {
        let parts = body.parts_below(skeleton, arm.upper);
        let carried = parts
            .iter()
            .map(|&part| {
                let joint = body.parts()[part].joint;
                let joints = [arm.upper, arm.lower, arm.end];
                // The last of the three that the part hangs on.
                let carrier = (0..3).rev().find(|&i| skeleton.is_ancestor(joints[i], joint)).unwrap_or(0);
                let place = rest.transform(joints[carrier]).inverse() * rest.transform(joint);
                (carrier, place)
            })
            .collect();
        Self { parts, carried }
    }
}
