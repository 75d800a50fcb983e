//! Feet planted frame by frame: what stands stays, nothing pops, no influence keeps every bit.

use crate::counting;
use sinew::body::plant::{FootPlanter, PlantOptions};
use sinew::body::walk::{Ground, Terrain, WalkInput, WalkOptions, Walker};
use sinew::math::{Real, rotation};
use sinew::{ModelPose, Pose, Skeleton, Vec3};

const FRAME: Real = 1.0 / 60.0;

/// A walk on flat ground, with a body that slides besides by so many metres a second.
fn walk(rig: &Skeleton, seconds: Real, slide: Real) -> Vec<Pose> {
    let mut walker = Walker::new(rig, WalkOptions::default(), &Ground::Flat).unwrap();
    let mut pose = Pose::rest(rig);
    let mut input = WalkInput::default();
    (input.speed, input.turn) = (0.8, 0.1);
    (0..(seconds / FRAME) as usize)
        .map(|i| {
            walker.step(rig, &Ground::Flat, input, FRAME, &mut pose);
            let mut slid = pose.clone();
            let root = rig.root();
            slid.set_translation(root, pose.translation(root) + Vec3::X * (slide * i as Real * FRAME));
            slid
        })
        .collect()
}

/// The largest turn of a joint from frame to frame, and in which.
fn largest_step(rig: &Skeleton, clip: &[Pose]) -> (Real, String) {
    let mut largest = (0.0, String::new());
    for (i, w) in clip.windows(2).enumerate() {
        for j in rig.ids() {
            let turn = rotation::angle(w[0].rotation(j).conjugate() * w[1].rotation(j));
            if turn > largest.0 {
                largest = (turn, format!("{} at {i}", rig.joint(j).name()));
            }
        }
    }
    largest
}

/// What is seen on the poses: how far what stands slides over the ground, and how deep ankles and toes' joints are
/// under where they are on flat ground.
struct Seen {
    slides: Real,
    stances: usize,
    deep: Real,
}

/// Plants all frames, and looks at what the planter says to stand from its landing on.
fn plant(rig: &Skeleton, ground: &dyn Terrain, planter: &mut FootPlanter, clip: &mut [Pose]) -> Seen {
    let feet: Vec<_> = planter.feet().collect();
    // The lowest point of every foot.
    let tips: Vec<Vec<_>> = feet
        .iter()
        .map(|&f| {
            let own = rig.subtree(f).filter_map(|i| rig.id(i));
            own.filter_map(|j| rig.joint(j).tip().map(|tip| (j, tip))).collect()
        })
        .collect();
    let toes: Vec<_> =
        feet.iter().map(|&f| rig.subtree(f).filter_map(|i| rig.id(i)).next_back().unwrap()).collect();
    let mut begun: Vec<Option<Vec3>> = vec![None; feet.len()];
    let mut seen = Seen { slides: 0.0, stances: 0, deep: 0.0 };
    for pose in clip {
        planter.plant(rig, ground, FRAME, pose);
        assert!(pose.is_finite());
        let model = ModelPose::new(rig, pose);
        let standing: Vec<_> = planter.standing().collect();
        for (k, (_, toe)) in standing.into_iter().enumerate() {
            let tip = rig.joint(toes[k]).tip().unwrap_or(Vec3::ZERO);
            // The joint of the toes, or the end of a foot that has none.
            let has_toes = toes[k] != feet[k];
            let at = match has_toes {
                true => model.position(toes[k]),
                false => model.transform(toes[k]).transform_point(tip),
            };
            for &(j, tip) in &tips[k] {
                let p = model.transform(j).transform_point(tip);
                seen.deep = seen.deep.max(ground.height(p.x, p.z) - p.y);
            }
            match begun[k].filter(|_| toe) {
                Some(from) => {
                    seen.slides = seen.slides.max(Vec3::new(at.x - from.x, 0.0, at.z - from.z).length());
                }
                None => {
                    seen.stances += usize::from(toe);
                    begun[k] = toe.then_some(at);
                }
            }
        }
    }
    seen
}

fn grounds() -> [Ground; 5] {
    [
        Ground::Flat,
        Ground::Slope { grade: 0.15 },
        Ground::Slope { grade: -0.15 },
        Ground::Steps { start: 1.0, rise: 0.12, tread: 0.34, count: 6 },
        Ground::hills(3, 0.25, 6.0),
    ]
}

#[test]
fn what_stands_stays_on_every_ground_and_nothing_pops() {
    let rig = sinew::rigs::by_name("humanoid").unwrap();
    let clip = walk(&rig, 5.0, 0.0);
    let (was, _) = largest_step(&rig, &clip);
    for ground in grounds() {
        let mut planted = clip.clone();
        let mut planter = FootPlanter::new(&rig, PlantOptions::default()).unwrap();
        let seen = plant(&rig, &ground, &mut planter, &mut planted);
        let (is, joint) = largest_step(&rig, &planted);
        let what = format!(
            "{ground:?}: {} slides {} deep {} step {is} {joint}",
            seen.stances, seen.slides, seen.deep
        );
        // Without a future a leg may be too short for a step down for a moment.
        let (slide, step) = match ground {
            Ground::Flat => (1.0e-4, 1.3),
            Ground::Steps { .. } => (5.0e-3, 2.8),
            _ => (2.0e-3, 2.0),
        };
        assert!(seen.stances > 12 && seen.slides < slide && seen.deep < 3.0e-3, "{what}");
        assert!(is < step * was, "{what}: {was}");
    }
}

#[test]
fn a_body_that_slides_is_held() {
    let rig = sinew::rigs::by_name("humanoid").unwrap();
    let clip = walk(&rig, 4.0, 0.05);
    let mut planted = clip.clone();
    let mut planter = FootPlanter::new(&rig, PlantOptions::default()).unwrap();
    let seen = plant(&rig, &Ground::Flat, &mut planter, &mut planted);
    assert!(seen.stances > 10 && seen.slides < 1.0e-4, "{}", seen.slides);
    let (was, is) = (largest_step(&rig, &clip).0, largest_step(&rig, &planted));
    assert!(is.0 < 1.5 * was, "{was} {is:?}");
}

#[test]
fn four_legs_are_planted_too() {
    let rig = sinew::rigs::by_name("quadruped").unwrap();
    let clip = walk(&rig, 3.0, 0.0);
    for ground in [Ground::Flat, Ground::Slope { grade: 0.08 }] {
        let mut planted = clip.clone();
        let mut planter = FootPlanter::new(&rig, PlantOptions::default()).unwrap();
        let seen = plant(&rig, &ground, &mut planter, &mut planted);
        assert!(seen.stances > 8 && seen.slides < 1.0e-3, "{ground:?}: {}", seen.slides);
        let (was, is) = (largest_step(&rig, &clip).0, largest_step(&rig, &planted));
        assert!(is.0 < 1.5 * was, "{ground:?}: {was} {is:?}");
    }
}

#[test]
fn no_influence_keeps_every_bit_and_one_that_fades_does_not_pop() {
    let rig = sinew::rigs::by_name("humanoid").unwrap();
    let clip = walk(&rig, 3.0, 0.03);
    let ground = Ground::Slope { grade: 0.12 };
    let (was, _) = largest_step(&rig, &clip);
    let mut planter = FootPlanter::new(&rig, PlantOptions::default()).unwrap();
    let mut planted = clip.clone();
    for (i, pose) in planted.iter_mut().enumerate() {
        // A second without, half a second of fading in.
        let influence = ((i as Real - 60.0) / 30.0).clamp(0.0, 1.0);
        planter.set_options(PlantOptions { influence, ..PlantOptions::default() });
        planter.plant(&rig, &ground, FRAME, pose);
    }
    assert_eq!(clip[..60], planted[..60]);
    assert_ne!(clip[150], planted[150]);
    let (is, joint) = largest_step(&rig, &planted);
    assert!(is < 2.2 * was, "{was} {is} {joint}");
}

#[test]
fn odd_frames_are_survived_and_nothing_allocates() {
    let other = Pose::rest(&sinew::rigs::by_name("spider").unwrap());
    let holes = |x: Real, z: Real| if x > z { Real::NAN } else { Real::INFINITY };
    for name in ["humanoid", "quadruped"] {
        let rig = sinew::rigs::by_name(name).unwrap();
        let mut clip = walk(&rig, 1.0, 0.0);
        clip[7].set_translation(rig.root(), Vec3::splat(Real::NAN));
        let mut planter = FootPlanter::new(&rig, PlantOptions::default()).unwrap();
        let before = counting::allocations();
        for (i, pose) in clip.iter_mut().enumerate() {
            let seconds = [FRAME, 0.0, Real::NAN, -1.0, 1.0e9][i % 5];
            let ground: &dyn Terrain = if i % 2 == 0 { &holes } else { &Ground::STAIRS };
            planter.plant(&rig, ground, seconds, pose);
            assert!(pose.is_finite());
        }
        assert_eq!(counting::allocations(), before, "{name}");
        let mut same = other.clone();
        planter.plant(&rig, &Ground::Flat, FRAME, &mut same);
        assert_eq!(same, other);
    }
}
