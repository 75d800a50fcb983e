//! Over which place a body stands whose feet nobody tracks, and where its pelvis is.
//!
//! * **Support**: the place on the floor that the body stands over. Upright it is where the pelvis of the rest
//!   pose would be. A body that is lower may lean, bow or sit down, so the support stays where it
//!   is while the head moves away, as far as a bow takes it that loses this height ([`Stance::slack`]). Who goes
//!   about at a height, or stoops a little for a while, stands at it: only what is lost beyond it is a bow.
//! * **Sway**: who leans brings head and shoulders over while the arms hang where they were, so that the pelvis of an
//!   upright body, and the support under it, is not under the head but a part of the way towards the middle of the hands.
//!   Who walks has it further ahead.
//! * **Pelvis**: below the head by the length of the spine, which leans forwards as the head comes
//!   down: people who crouch put the pelvis back so that the weight stays over the feet. A head
//!   before the support is a bow, which puts it further back. A head far behind it sits: the pelvis is under it, as low
//!   as the floor, and the back is round where it would be lower.
//!
//! How low a pelvis may be over feet or knees is the rig's ([`Kneeling`]).

use super::{Seen, Stance, flat, steps};
use crate::body::six_point::guard::Bounds;
use crate::math::*;

/// How far ahead of the pelvis people carry the head, more than rest poses do, in radians.
const HEAD_AHEAD: Real = 0.05;
/// How far the trunk leans in a deep crouch, in radians, and at which part of the standing height it leans half of that.
const LEAN: Real = 0.65;
const LEAN_DEPTH: Real = 0.22;
/// How far it leans at most.
const MOST_LEAN: Real = 1.45;
/// What of a bow and of a sideways lean the pelvis does against the head.
const BOW: Real = 1.15;
const SWAY: Real = 0.7;
/// How much of the way that a bow with straight legs takes the head it may go before the support follows, and how much of
/// that sideways.
const STAYS: Real = 0.85;
const SIDEWAYS: Real = 0.55;
/// What of the way from the head to the middle of the hands the pelvis of an upright body has, sideways and forwards: who
/// leans brings head and shoulders over, and the arms hang where they were.
const HANDS_ASIDE: Real = 0.4;
const HANDS_AHEAD: Real = 0.25;
/// How far ahead of the head people's hands are, in heights of the pelvis.
const HANDS_USUALLY: Real = 0.12;
/// How far ahead a walk has the pelvis, in its height, and how far from its place it is at most.
const WALK_AHEAD: Real = 0.06;
const MOST_SWAY: Real = 0.2;
/// The height that is no bow yet, in that of standing.
const NOTHING: Real = 0.04;
/// Up to which height lost, in that of standing, a body that leans takes it for how it stands.
const STOOPED: Real = 0.2;
/// How long the spine is kept, in its length at rest.
const STRETCHED: Real = 1.002;
/// How high the pelvis of somebody who sits on the floor is over the ankles, in that of standing.
const SEATED: Real = 0.05;
/// From where on, and up to where, a head behind the support makes a body sit, in heights of the pelvis.
const SITS: (Real, Real) = (0.15, 0.45);
/// A body that sits by this much does not kneel.
pub(super) const SEATED_ENOUGH: Real = 0.1;
/// How far people's knees fold, in radians: calf and thigh meet.
const MOST_FOLDED: Real = 2.7;
/// How high the middle of a knee is that is on the floor, in heights of the pelvis.
const KNEE: Real = 0.06;

/// A leg on its knee and the ball of its foot.
#[derive(Debug, Clone, Copy)]
pub(in crate::body::six_point) struct Kneeling {
    /// The knee's height over where the ankle of a flat foot is.
    pub knee: Real,
    /// How far the ankle is behind the knee, and how far it goes ahead about the ball.
    pub back: Real,
    pub ahead: Real,
    /// How high the hip is at least over where the ankle of a flat foot is: over the knee by what the folded knee
    /// leaves, and not nearer to the raised ankle of somebody who squats than the folded leg is long.
    pub hip: Real,
}

impl Kneeling {
    /// Measures a leg of a thigh and a shin whose knee folds so far. `ball` is seen from the ankle; `size` is the height of the pelvis,
    /// `ankle` that of the ankles over the floor.
    pub(in crate::body::six_point) fn new(
        (thigh, shin): (Real, Real),
        fold: Real,
        ball: Vec3,
        (size, ankle): (Real, Real),
    ) -> Self {
        let fold = fold.clamp(0.5 * PI, MOST_FOLDED);
        let knee = KNEE * size - ankle;
        let lever = rotation::about(Vec3::X, steps::KNEELING) * ball;
        // Seen from the flat foot: the ankle goes up and ahead about the ball.
        let (rise, ahead) = (ball.y - lever.y, ball.z - lever.z);
        let height = (rise - knee).clamp(-shin, shin);
        let back = (shin * shin - height * height).max(0.0).sqrt();
        let thigh_up = (height.atan2(back) + PI - fold).clamp(0.0, 0.5 * PI).sin();
        let length = (thigh * thigh + shin * shin + 2.0 * thigh * shin * fold.cos()).max(0.0).sqrt();
        Self { knee, back, ahead, hip: (knee + thigh * thigh_up).max(rise + length) }
    }
}

impl Stance {
    /// Over which place the body is when it stands upright, and the height that the head has lost.
    pub(super) fn over(&self, seen: &Seen, bounds: &Bounds) -> (Vec3, Real) {
        let up = bounds.up;
        let lost = |p: Vec3, height: Real| height - (p.dot(up) - self.ground);
        match (seen.pelvis, seen.head) {
            (Some(pelvis), _) => (flat(pelvis, up), lost(pelvis, bounds.standing)),
            (None, Some(head)) => {
                let spine = spine(bounds);
                let over = head - self.left * spine.x - self.forward(up) * spine.z;
                (flat(over, up) + self.sway, lost(head, bounds.standing + spine.y))
            }
            (None, None) => (self.support, 0.0),
        }
    }

    /// How far the pelvis of an upright body is from where it is at rest under the head.
    pub(super) fn sways(&self, seen: &Seen, bounds: &Bounds) -> Vec3 {
        let (up, size) = (bounds.up, bounds.standing);
        let forward = self.forward(up);
        let walk = forward * (WALK_AHEAD * size * self.brisk(bounds));
        let (Some(head), Some([left, right])) = (seen.head, seen.wrists) else { return walk };
        let middle = 0.5 * (left + right) - head;
        let ahead = HANDS_AHEAD * (middle.dot(forward) - HANDS_USUALLY * size);
        let aside = HANDS_ASIDE * middle.dot(self.left);
        walk + (forward * ahead + self.left * aside).clamp_length_max(MOST_SWAY * size)
    }

    /// The support a moment later, and with it the height at which the body stands.
    pub(super) fn support_after(&mut self, over: Vec3, lost: Real, bounds: &Bounds, dt: Real) -> Vec3 {
        let (up, size, lost) = (bounds.up, bounds.standing.max(TINY), lost.max(0.0));
        let slack = self.slack(lost - self.usual, bounds);
        let off = flat(self.support - over, up);
        let away = off.clamp_length_max(slack);
        let sideways = away.dot(self.left);
        let most = SIDEWAYS * slack;
        let support = over + away + self.left * (sideways.clamp(-most, most) - sideways);
        // Whoever walks at a height stands at it; who leans a little for a while does, too.
        let part = |way: Real| 1.0 - (-way.min(4.0 * dt) / size).exp();
        self.usual += (lost.min(STOOPED * size) - self.usual).max(0.0) * part(off.length());
        self.usual += (lost - self.usual) * part(flat(support - self.support, up).length());
        self.usual = self.usual.min(lost);
        support
    }

    /// How far the head may be from where it is over the support, for the height that it lost.
    fn slack(&self, lost: Real, bounds: &Bounds) -> Real {
        let length = bounds.rest[1].length().max(TINY);
        let upright = (1.0 - (lost - NOTHING * bounds.standing).max(0.0) / length).max(0.0);
        STAYS * length * (1.0 - upright * upright).max(0.0).sqrt()
    }

    /// How much a body sits that is over this place when upright, from 0 to 1.
    pub(super) fn sits(&self, over: Vec3, bounds: &Bounds) -> Real {
        let behind = flat(self.support - over, bounds.up).dot(self.forward(bounds.up));
        ((behind / bounds.standing.max(TINY) - SITS.0) / (SITS.1 - SITS.0)).clamp(0.0, 1.0)
    }

    /// Where the pelvis is under a head, of a body that is over this place and has lost this height ([`Stance::over`]).
    pub(super) fn pelvis_below(&self, seen: &Seen, (over, lost): (Vec3, Real), bounds: &Bounds) -> Vec3 {
        let Some(head) = seen.head else { return self.pelvis };
        let up = bounds.up;
        let forward = self.forward(up);
        let spine = spine(bounds);
        let length = spine.length().max(TINY);
        let lost = lost.clamp(0.0, bounds.standing + length);
        let aside = flat(over - self.support, up);
        let sits = self.sits(over, bounds);
        let depth = lost / (LEAN_DEPTH * bounds.standing).max(TINY);
        let crouch = length * (LEAN * depth * depth / (1.0 + depth * depth)).sin() * (1.0 - sits);
        // A crouch brings the head ahead of the feet by itself: it is no bow besides.
        let ahead = crouch.max(BOW * aside.dot(forward));
        let sway = self.sway * (1.0 - sits);
        let lean = forward * ahead + self.left * (SWAY * aside.dot(self.left)) - sway;
        // Not further than a bow with straight legs, and so far that the pelvis is above the floor.
        let upright = (length - lost).max(0.0);
        let most = (length * length - upright * upright).max(0.0).sqrt().min(length * MOST_LEAN.sin());
        let most = most.max(sway.length());
        let angle = (lean.length().min(most) / length).min(1.0).asin();
        let floor = SEATED * bounds.standing;
        let lowest = bounds.folded + (floor - bounds.folded) * sits;
        let room = (head.dot(up) - self.ground - lowest) / length;
        let bent = room.clamp(MOST_LEAN.cos(), 1.0).acos() * (1.0 - sits);
        // What the floor asks for besides is a bow forwards: a small lean to a side is not made a large one.
        let toward = direction_or(lean + forward * (length * bent.sin() - lean.length()).max(0.0), forward);
        let angle = angle.max(bent);
        // A hair longer than at rest: whether a spine of that very length bends or stretches is up to rounding.
        let upright = (self.left * spine.x + up * spine.y + forward * spine.z) * STRETCHED;
        let pelvis = head - rotation::about(up.cross(toward), angle) * upright;
        // Who sits has a round back rather than a pelvis in the floor.
        pelvis + up * (sits * (self.ground + lowest - pelvis.dot(up)).max(0.0))
    }
}

/// From the pelvis to the head of somebody who stands, as the body sees it.
fn spine(bounds: &Bounds) -> Vec3 {
    rotation::about(Vec3::X, HEAD_AHEAD) * bounds.rest[1]
}
