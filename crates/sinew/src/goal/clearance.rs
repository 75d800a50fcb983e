//! Keeping clear of oneself and of obstacles.

use alloc::sync::Arc;

use crate::collision::{CollisionBody, CollisionScene};
use crate::math::*;

/// Keeps the parts of a body clear of each other and of a scene: an inequality, which comes
/// before all goals. A goal that would need a collision gives way, and the report names what
/// would touch ([`Cause::Collision`](crate::Cause::Collision)).
///
/// Both are shared, so that many characters can have one scene. A solver keeps to the body that
/// it was built for; the scene may be another one in every frame.
///
/// ```
/// use std::sync::Arc;
/// use sinew::collision::{CollisionBody, CollisionScene, ObstacleShape};
/// use sinew::goal::ClearanceGoal;
/// use sinew::skeleton::humanoid::HumanoidMap;
/// use sinew::{Cause, Goal, GoalSet, Pose, SolverSpec, Transform, Vec3, rigs};
/// let human = rigs::humanoid(rigs::SwingModel::Ellipse);
/// let hand = human.find("r_wrist").unwrap();
/// // Into a ball that hangs there: without the bound the hand would go into it.
/// let cup = Vec3::new(-0.2, 1.2, 0.4);
/// let mut scene = CollisionScene::new();
/// scene.add("ball", ObstacleShape::Sphere { radius: 0.1 }, Transform::from_translation(cup))?;
/// let mut goals = GoalSet::from_iter([Goal::position(hand, cup)]);
/// goals.set_clearance(Some(ClearanceGoal {
///     body: Arc::new(CollisionBody::from_rig(&human, &HumanoidMap::find(&human))),
///     scene: Arc::new(scene),
///     distance: 0.005,
/// }));
/// let mut solver = SolverSpec::default().build(&human, &goals)?;
/// let report = solver.solve(&human, &goals, &mut Pose::rest(&human));
/// assert!(matches!(report.cause, Some(Cause::Collision { .. })), "{report}");
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ClearanceGoal {
    /// The parts, and which of them may touch.
    pub body: Arc<CollisionBody>,
    /// What stands around.
    pub scene: Arc<CollisionScene>,
    /// How far apart surfaces stay, in metres; parts that touch at rest keep no distance.
    pub distance: Real,
}

impl ClearanceGoal {
    pub(crate) fn is_valid(&self, joints: usize) -> bool {
        self.distance.is_finite()
            && self.distance >= 0.0
            && self.body.parts().iter().all(|part| part.joint.index() < joints)
    }
}
