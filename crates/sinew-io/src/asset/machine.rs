//! What robot files say that the engine's skeleton has no place for.

use sinew_f64::{JointId, Transform};

/// Another name for a joint: the link that the joint carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Alias {
    /// The other name.
    pub name: String,
    /// The joint.
    pub joint: JointId,
    /// The frame that the file gives this name, in the joint's own frame. The
    /// identity, except for links of a robot that was given another root.
    pub frame: Transform,
}

/// What the motor of a joint can do. Nothing is known where it is `None`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// The joint.
    pub joint: JointId,
    /// The greatest speed, in rad/s or m/s.
    pub velocity: Option<f64>,
    /// The greatest torque or force, in N·m or N.
    pub effort: Option<f64>,
    /// Where the controller begins to hold the joint back, lower end: radians or metres.
    pub soft_lower: Option<f64>,
    /// Where the controller begins to hold the joint back, upper end.
    pub soft_upper: Option<f64>,
}

/// The joints that follow others, sources first, where `followed[j]` is the
/// joint that `j` follows; or a joint that follows itself in the end.
pub(crate) fn follow_order(followed: &[Option<usize>]) -> Result<Vec<usize>, usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; followed.len()];
    let mut order = Vec::new();
    for start in 0..followed.len() {
        let mut path = Vec::new();
        let mut at = start;
        while state[at] == State::New {
            state[at] = State::Open;
            path.push(at);
            match followed[at] {
                Some(source) if state[source] == State::Open => return Err(at),
                Some(source) => at = source,
                None => break,
            }
        }
        for joint in path.into_iter().rev() {
            state[joint] = State::Done;
            if followed[joint].is_some() {
                order.push(joint);
            }
        }
    }
    Ok(order)
}
