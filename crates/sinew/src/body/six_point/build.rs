//! Taking a body's measure, once.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::foot::{self, Foot};
use super::guard::{Bounds, Guard};
use super::options::SixPointOptions;
use super::points::Point;
use super::spine::Arch;
use super::stance::Kneeling;
#[cfg(feature = "collision")]
use super::torso::Torso;
use super::{Branch, Memory, Rig, SixPoint, Vertebra};
use crate::analytic::{Limb, LimbFollower};
use crate::error::RigError;
use crate::limit::probe::LimitProbe;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, JointKind, Skeleton};

impl SixPoint {
    /// Measures the body that the map has found.
    pub fn new(skeleton: &Skeleton, map: &HumanoidMap, options: SixPointOptions) -> Result<Self, RigError> {
        check(&options)?;
        let find = |bone| map.get(bone).filter(|j| skeleton.contains(*j)).ok_or(RigError::Missing(bone));
        let (hips, head) = (find(HumanoidBone::Hips)?, find(HumanoidBone::Head)?);
        let facing = map.facing().ok_or(RigError::NoFacing)?;
        let frame = super::basis(facing.left, facing.up);
        let rest = ModelPose::rest(skeleton);
        let chain = skeleton.chain(hips, head).ok_or_else(|| RigError::NotBelow {
            above: skeleton.joint(hips).name().into(),
            below: skeleton.joint(head).name().into(),
        })?;
        let seen = |v: Vec3| frame.conjugate() * v;
        let bones: Vec<Vec3> =
            chain.windows(2).map(|w| seen(rest.position(w[1]) - rest.position(w[0]))).collect();
        let chest = map.spine().last().copied().unwrap_or(hips);
        let at_chest = chain.iter().position(|&j| j == chest).unwrap_or(0);
        let spine: Vec<Vertebra> = chain
            .iter()
            .enumerate()
            .map(|(i, &joint)| Vertebra {
                joint,
                seen: frame.conjugate() * rest.rotation(joint),
                twist: if at_chest == 0 { 0.0 } else { i.min(at_chest) as Real / at_chest as Real },
                probe: match skeleton.joint(joint).kind() {
                    JointKind::Ball => LimitProbe::new(skeleton.joint(joint).limit()),
                    _ => None,
                },
            })
            .collect();

        let mut relaxed = Pose::rest(skeleton);
        relaxed.project(skeleton);
        let branch = |side: Side, is_arm: bool| -> Result<Branch, RigError> {
            let limb = if is_arm { Limb::arm(skeleton, map, side) } else { Limb::leg(skeleton, map, side) }?;
            let base = limb.joints().upper;
            let mut above: Vec<JointId> = skeleton
                .ancestors(base)
                .skip(1)
                .take_while(|j| !chain.contains(j) && skeleton.is_ancestor(hips, *j))
                .collect();
            above.reverse();
            let above: Arc<[JointId]> = above.into();
            let clavicle = is_arm
                .then(|| map.get(HumanoidBone::Shoulder(side)))
                .flatten()
                .filter(|j| above.contains(j) && skeleton.joint(*j).kind() != JointKind::Fixed);
            // A hair short of what the bones have, so that a straight limb counts as reached.
            let (least, _) = limb.bend_range();
            let (upper, lower) = limb.lengths();
            let reach =
                (upper * upper + lower * lower + 2.0 * upper * lower * least.max(0.0).cos()).sqrt() * 0.9995;
            Ok(Branch {
                swivel: side.sign() * options.swivels[usize::from(!is_arm)],
                above,
                clavicle,
                reach,
                follower: LimbFollower::new(limb, options.limbs),
            })
        };
        let arms = [branch(Side::Left, true)?, branch(Side::Right, true)?];
        let legs = [branch(Side::Left, false)?, branch(Side::Right, false)?];

        let carrier = skeleton
            .ancestors(hips)
            .find(|&j| skeleton.joint(j).kind() == JointKind::Free)
            .unwrap_or_else(|| skeleton.root());
        let mut lead: Vec<JointId> = skeleton.ancestors(hips).take_while(|&j| j != carrier).collect();
        lead.reverse();
        let from_hips = rest.transform(hips).inverse() * rest.transform(carrier);
        let carrier_parent =
            skeleton.parent(carrier).map_or(Transform::IDENTITY, |parent| rest.transform(parent));

        let mut joints = [None; Point::COUNT];
        joints[Point::Pelvis.index()] = Some(hips);
        joints[Point::Head.index()] = Some(head);
        joints[Point::Chest.index()] = Some(chest);
        for (i, side) in [Side::Left, Side::Right].into_iter().enumerate() {
            joints[Point::Wrist(side).index()] = Some(arms[i].limb().joints().end);
            joints[Point::Elbow(side).index()] = Some(arms[i].limb().joints().lower);
            joints[Point::Ankle(side).index()] = Some(legs[i].limb().joints().end);
            joints[Point::Knee(side).index()] = Some(legs[i].limb().joints().lower);
        }
        let origin = rest.position(hips);
        let mut six = [Vec3::ZERO; 6];
        for (place, joint) in six.iter_mut().zip(joints) {
            *place = seen(joint.map_or(origin, |j| rest.position(j)) - origin);
        }
        for (side, leg) in legs.iter().enumerate() {
            let joints = leg.limb().joints();
            let hip = seen(rest.position(joints.upper) - origin);
            six[4 + side] = foot::stood_on(hip, six[4 + side], leg.limb().lengths());
        }
        let arch = Arch::new(bones);
        let to_base = |b: &Branch| rest.position(b.limb().joints().upper).distance(origin);
        let length = |b: &Branch| b.limb().lengths().0 + b.limb().lengths().1;
        let far = |pair: &[Branch; 2]| pair.iter().map(|b| to_base(b) + length(b)).fold(0.0, Real::max);
        let ankle_height = |b: &Branch| rest.position(b.limb().joints().end).dot(facing.up);
        let size = -0.5 * (six[4].y + six[5].y);
        let feet = [0, 1].map(|i| Foot::new(skeleton, map, Side::BOTH[i], &legs[i], (&rest, frame, size)));
        let hip = [0, 1].map(|i: usize| seen(rest.position(legs[i].limb().joints().upper) - origin));
        let ankle = -0.5 * (feet[0].ball.y + feet[1].ball.y);
        let kneeling = [0, 1].map(|i: usize| {
            let leg = legs[i].limb();
            Kneeling::new(leg.lengths(), leg.bend_range().1, feet[i].ball, (size, ankle))
        });
        let shoulder = [0, 1].map(|side: usize| seen(rest.position(arms[side].base()) - origin));
        let bounds = Bounds {
            spine: arch.straight_length(),
            wrist: far(&arms),
            ankle: far(&legs),
            rest: six,
            ground: ankle_height(&legs[0]).min(ankle_height(&legs[1])),
            up: facing.up,
            pelvis: origin,
            span: length(&arms[0])
                + length(&arms[1])
                + rest
                    .position(arms[0].limb().joints().upper)
                    .distance(rest.position(arms[1].limb().joints().upper)),
            standing: size,
            ankle_height: ankle,
            thigh: 0.5 * (legs[0].limb().lengths().0 + legs[1].limb().lengths().0),
            reach: legs.each_ref().map(|leg| leg.reach),
            hip,
            kneeling,
            folded: (kneeling[0].hip - hip[0].y).max(kneeling[1].hip - hip[1].y),
            ball: feet.map(|foot| foot.ball),
            leg: (0.5 * (six[4] + six[5]) - six[0]).length(),
            shoulder,
            hang: [0, 1].map(|side| {
                let shoulder = shoulder[side];
                let out = if side == 0 { 0.06 } else { -0.06 };
                shoulder + Vec3::new(out, -0.94, 0.12) * length(&arms[side])
            }),
            hips: 0.5
                * legs
                    .iter()
                    .map(|b| (rest.position(b.limb().joints().upper) - origin).dot(facing.up).abs())
                    .sum::<Real>(),
        };
        // Where the arms hang on the spine.
        let arms_at = skeleton
            .ancestors(arms[0].limb().joints().upper)
            .find_map(|j| chain.iter().position(|&k| k == j))
            .unwrap_or(at_chest);
        let shoulders = arms
            .each_ref()
            .map(|b| seen(rest.position(b.limb().joints().upper) - rest.position(chain[arms_at])));
        let turns = vec![Quat::IDENTITY; spine.len()];
        let upright = rotation::between(direction_or(arch.bones.iter().sum(), Vec3::Y), Vec3::Y, Vec3::X);
        let chest_at_rest = upright * arch.bones[..at_chest.min(arch.bones.len())].iter().sum::<Vec3>();
        Ok(Self {
            turns,
            fitted: Default::default(),
            arms,
            legs,
            guard: Guard::new(origin),
            memory: Memory::at_rest(frame),
            model: ModelPose::new(skeleton, &relaxed),
            #[cfg(feature = "collision")]
            torso: options.elbows_out.then(|| Torso::new(skeleton, map)),
            turns_back: Default::default(),
            steady: Default::default(),
            calibration: Default::default(),
            rig: Arc::new(Rig {
                options,
                joints,
                fingerprint: skeleton.fingerprint(),
                joint_count: skeleton.len(),
                frame,
                carrier,
                to_carrier_parent: carrier_parent.inverse(),
                from_hips,
                lead,
                spine,
                arch,
                chest_at: at_chest,
                chest_at_rest,
                arms_at,
                shoulders,
                feet,
                bounds,
                relaxed,
            }),
        })
    }
}

fn check(options: &SixPointOptions) -> Result<(), RigError> {
    let weights = |w: &super::HeadingWeights| [w.wrists, w.ankles, w.memory, w.front, w.stride, w.travel];
    let bad = |values: &[Real]| values.iter().any(|v| !(v.is_finite() && *v >= 0.0));
    let o = options;
    let numbers = [o.near, o.crossed, o.tilt, o.point_speed, o.stretch, o.frozen, o.turn_speed];
    let wrong = [
        ("pelvis or chest", bad(&weights(&o.pelvis)) || o.chest.is_some_and(|w| bad(&weights(&w)))),
        ("near, crossed, tilt, point_speed, stretch, frozen or turn_speed", bad(&numbers) || o.tilt > 1.0),
        ("limbs", !o.limbs.is_valid()),
        ("noise", o.noise.is_some_and(|n| bad(&[n.position, n.orientation, n.rest, n.gain]))),
        ("ground", o.ground.is_some_and(|v| !v.is_finite())),
        ("swivels", o.swivels.iter().any(|v| !v.is_finite())),
    ];
    wrong.iter().find(|(_, wrong)| *wrong).map_or(Ok(()), |(option, _)| Err(RigError::BadOption(option)))
}
