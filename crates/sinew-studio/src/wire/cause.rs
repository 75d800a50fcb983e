//! Why a goal is not met: the engine's `Cause` with the names of goals and joints
//! in place of their numbers. `sinew --json` writes the same.

use serde::{Deserialize, Serialize};

/// What stood in the way, or what a solve that met its goals had to do for it. Words for a
/// person go beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WireCause {
    /// The target is further away than the stretched chain is long.
    OutOfReach {
        /// The goal.
        goal: String,
        /// How much too far, in metres.
        by_m: f64,
    },
    /// The target is nearer than the chain can fold.
    TooClose {
        /// The goal.
        goal: String,
        /// How much too near, in metres.
        by_m: f64,
    },
    /// A joint stands at the edge of its limit and would have to go on.
    Limit {
        /// The goal that suffers.
        goal: String,
        /// The joint that blocks.
        joint: String,
        /// What of its motion.
        component: WireComponent,
    },
    /// Two parts would have to pass through each other.
    Collision {
        /// The joint that carries the first part.
        joint: String,
        /// The joint that carries the second; `null` for a thing of the scene.
        other: Option<String>,
        /// The thing of the scene, where its name is known.
        obstacle: Option<String>,
        /// How deep they are in each other, in metres, where that was measured.
        depth_m: Option<f64>,
    },
    /// The centre of mass would have to leave its support.
    Balance {
        /// The goal that suffers; `null` if the body is off balance without one.
        goal: Option<String>,
        /// How far outside of the support it is, in metres; zero while it is kept.
        by_m: f64,
    },
    /// A joint moves as fast as it may and would have to move faster.
    Speed {
        /// The goal that is on its way.
        goal: String,
        /// The joint that is furthest behind.
        joint: String,
    },
    /// Two goals pull the same joints to different places.
    Conflict {
        /// The goal with the larger error.
        goal: String,
        /// The goal it competes with.
        with: String,
    },
    /// The joints between the root and the effector cannot make such a motion at all.
    NoFreedom {
        /// The goal.
        goal: String,
    },
    /// The search is stuck at a pose that no small step improves.
    Stalled {
        /// The goal with the largest error.
        goal: String,
    },
    /// The iterations were used up while still improving.
    IterationBudget,
    /// The time was used up while still improving.
    TimeBudget,
    /// The goal can be had, but not in this time step without a jump.
    Underway {
        /// The goal.
        goal: String,
        /// How much the joint that is furthest behind has still to turn, in radians.
        turn_rad: f64,
    },
    /// Less than the whole way was asked for.
    Faded {
        /// The goal.
        goal: String,
    },
    /// A joint is outside of its limit because an option lets it give way.
    Strained {
        /// The goal it gave way for.
        goal: String,
        /// The joint that is outside.
        joint: String,
        /// What of its motion.
        component: WireComponent,
        /// How far, in radians.
        by_rad: f64,
    },
    /// A joint that no goal moves was given outside of its limit.
    OutsideLimit {
        /// The joint that is furthest outside.
        joint: String,
        /// How far, in radians, or metres for one that slides.
        by: f64,
    },
    /// The pose given held a number that is not finite or a rotation that is none.
    Mended {
        /// The first joint that was mended.
        joint: String,
    },
    /// A target is not finite or no rotation.
    NotFinite {
        /// The goal.
        goal: String,
    },
    /// Skeleton, goals or pose are not those that the solver was built for.
    Mismatch,
}

/// What of a joint's motion a limit stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WireComponent {
    /// The angle of a hinge.
    Angle,
    /// The direction of the bone.
    Swing,
    /// The turn about the bone.
    Twist,
    /// The first angle of an Euler box or of a universal joint.
    FirstAngle,
    /// The second.
    SecondAngle,
    /// The third.
    ThirdAngle,
    /// The way along a slide.
    Displacement,
}

/// A cause of the engine, at either precision.
pub trait Explain {
    /// The skeleton of the same precision.
    type Skeleton;

    /// For programs, with these names of the goals in the order of their set.
    fn typed<S: AsRef<str>>(&self, skeleton: &Self::Skeleton, goals: &[S]) -> WireCause;

    /// For people.
    fn words<S: AsRef<str>>(&self, skeleton: &Self::Skeleton, goals: &[S]) -> String;
}

macro_rules! explain {
    ($engine:ident) => {
        impl Explain for $engine::Cause {
            type Skeleton = $engine::Skeleton;

            fn typed<S: AsRef<str>>(&self, skeleton: &Self::Skeleton, goals: &[S]) -> WireCause {
                use $engine::{Cause, GoalId, JointId, LimitComponent};
                let goal = |id: GoalId| {
                    let named = goals.get(id.index()).map(|name| name.as_ref().to_string());
                    named.unwrap_or_else(|| format!("goal {}", id.index()))
                };
                let joint = |id: JointId| match skeleton.contains(id) {
                    true => skeleton.joint(id).name().to_string(),
                    false => format!("joint {}", id.index()),
                };
                let component = |component| match component {
                    LimitComponent::Angle => WireComponent::Angle,
                    LimitComponent::Swing => WireComponent::Swing,
                    LimitComponent::Twist => WireComponent::Twist,
                    LimitComponent::Euler(0) => WireComponent::FirstAngle,
                    LimitComponent::Euler(1) => WireComponent::SecondAngle,
                    LimitComponent::Euler(_) => WireComponent::ThirdAngle,
                    LimitComponent::Displacement => WireComponent::Displacement,
                };
                match *self {
                    Cause::OutOfReach { goal: g, by } => {
                        WireCause::OutOfReach { goal: goal(g), by_m: by.into() }
                    }
                    Cause::TooClose { goal: g, by } => WireCause::TooClose { goal: goal(g), by_m: by.into() },
                    Cause::Limit { goal: g, joint: j, component: c } => {
                        WireCause::Limit { goal: goal(g), joint: joint(j), component: component(c) }
                    }
                    Cause::Collision { joint: j, other } => WireCause::Collision {
                        joint: joint(j),
                        other: other.map(joint),
                        obstacle: None,
                        depth_m: None,
                    },
                    Cause::Balance { goal: g, by } => {
                        WireCause::Balance { goal: g.map(goal), by_m: by.into() }
                    }
                    Cause::Speed { goal: g, joint: j } => WireCause::Speed { goal: goal(g), joint: joint(j) },
                    Cause::Conflict { goal: g, with } => {
                        WireCause::Conflict { goal: goal(g), with: goal(with) }
                    }
                    Cause::NoFreedom { goal: g } => WireCause::NoFreedom { goal: goal(g) },
                    Cause::Stalled { goal: g } => WireCause::Stalled { goal: goal(g) },
                    Cause::IterationBudget => WireCause::IterationBudget,
                    Cause::TimeBudget => WireCause::TimeBudget,
                    Cause::Underway { goal: g, turn } => {
                        WireCause::Underway { goal: goal(g), turn_rad: turn.into() }
                    }
                    Cause::Faded { goal: g } => WireCause::Faded { goal: goal(g) },
                    Cause::Strained { goal: g, joint: j, component: c, by } => WireCause::Strained {
                        goal: goal(g),
                        joint: joint(j),
                        component: component(c),
                        by_rad: by.into(),
                    },
                    Cause::OutsideLimit { joint: j, by } => {
                        WireCause::OutsideLimit { joint: joint(j), by: by.into() }
                    }
                    Cause::Mended { joint: j } => WireCause::Mended { joint: joint(j) },
                    Cause::NotFinite { goal: g } => WireCause::NotFinite { goal: goal(g) },
                    Cause::Mismatch => WireCause::Mismatch,
                }
            }

            fn words<S: AsRef<str>>(&self, skeleton: &Self::Skeleton, goals: &[S]) -> String {
                self.in_words(skeleton, goals)
            }
        }
    };
}

explain!(sinew);
explain!(sinew_f64);

impl WireCause {
    /// The cause of a reach. A collision is told with what the contact says: which
    /// thing of the scene, and how deep.
    pub fn of_reach(
        report: &sinew_f64::body::reach::ReachReport,
        skeleton: &sinew_f64::Skeleton,
        around: Option<&sinew_f64::body::reach::Surroundings>,
        hands: &[&str],
    ) -> Option<Self> {
        let mut cause = report.cause?.typed(skeleton, hands);
        if let (Self::Collision { obstacle, depth_m, .. }, Some(contact), Some(around)) =
            (&mut cause, report.contact, around)
        {
            if let sinew_f64::collision::Touched::Obstacle(id) = contact.with {
                *obstacle = around.scene().name(id).map(str::to_string);
            }
            *depth_m = Some(contact.depth);
        }
        Some(cause)
    }
}
