//! The task files themselves, from a seed: `sinew eval tasks`.
//!
//! | file | content |
//! |---|---|
//! | `t1_limb` | two bones of 0.30 and 0.25 m, 100 000 points with their poles |
//! | `t2_panda`, `t2_iiwa` | two arms, 2000 poses made by forward kinematics, start in the middle of the ranges |
//! | `t3_chain_N` | chains of N ball joints and length 1, 200 points, the same for all N |
//! | `t4_character` | a character of 19 joints, six poses to follow over 600 frames at 60 Hz |
//!
//! The format is ik-task/1: metres, radians, z up, quaternions x y z w. A system that reads such a
//! file and writes ik-result/1 is judged by `sinew eval score`.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6, TAU};

use anyhow::Result;
use rand::{Rng, RngExt};
use serde_json::{Value, json};

use super::format::ModelFile;
use super::kinematics::{self, Motion, Tree};
use crate::arms::{Arm, IIWA, PANDA};
use crate::sample;

/// The lengths of T3's chains.
pub const CHAINS: [usize; 5] = [10, 30, 100, 300, 1000];

/// Every task: the name of its file and its text. `part` is how much of the targets to make.
pub fn all(part: f64) -> Result<Vec<(String, String)>> {
    let count = |whole: usize| ((whole as f64 * part).ceil() as usize).max(1);
    let mut tasks = vec![("t1_limb".to_owned(), limb(count(100_000)))];
    for arm in [PANDA, IIWA] {
        tasks.push((format!("t2_{}", arm.name), reach(&arm, count(2000))?));
    }
    tasks.extend(CHAINS.map(|bones| (format!("t3_chain_{bones}"), chain(bones, count(200)))));
    tasks.push(("t4_character".to_owned(), follow(count(600))?));
    Ok(tasks.into_iter().map(|(name, task)| (name, whole(task))).collect())
}

fn whole(task: Value) -> String {
    let mut file = json!({
        "format": "ik-task/1", "conventions": "metres, radians, z up, quaternions x y z w",
    });
    if let (Some(file), Value::Object(task)) = (file.as_object_mut(), task) {
        file.extend(task);
    }
    file.to_string()
}

/// Rounded, so that the file is short and every reader sees the same numbers.
fn rounded<const N: usize>(row: [f64; N], digits: i32) -> [f64; N] {
    let scale = 10f64.powi(digits);
    row.map(|x| (x * scale).round() / scale)
}

fn direction(random: &mut impl Rng) -> [f64; 3] {
    loop {
        let v = [(); 3].map(|()| random.random_range(-1.0..1.0));
        let n: f64 = kinematics::length(v);
        if n > 1.0e-2 && n <= 1.0 {
            return v.map(|x| x / n);
        }
    }
}

fn limb(count: usize) -> Value {
    let seed = 101;
    let (upper, lower, bend) = (0.30, 0.25, -FRAC_PI_6);
    let mut random = sample::generator(seed);
    let targets: Vec<[f64; 6]> = (0..count)
        .map(|_| {
            let way = direction(&mut random);
            // The reach is from 0.05 to 0.55 m.
            let far = random.random_range(0.06..0.54);
            let pole = loop {
                let pole = direction(&mut random);
                // A pole along the way says nothing.
                if kinematics::dot(pole, way).abs() < 10f64.to_radians().cos() {
                    break pole;
                }
            };
            let [x, y, z] = way.map(|x| x * far);
            rounded([x, y, z, pole[0], pole[1], pole[2]], 7)
        })
        .collect();
    let turned = kinematics::quaternion(&kinematics::about([0.0, 0.0, 1.0], bend));
    json!({
        "task": "T1", "seed": seed, "upper": upper, "lower": lower,
        "rest": {
            "start": [0.0, 0.0, 0.0], "mid": [upper, 0.0, 0.0],
            "end": [upper + lower * bend.cos(), lower * bend.sin(), 0.0],
            "start_q": [0.0, 0.0, 0.0, 1.0], "mid_q": turned, "mid_axis_local": [0.0, 0.0, 1.0],
            "note": "rotating mid by +angle about mid_axis opens the limb",
        },
        "tolerance": 1e-3, "columns": ["tx", "ty", "tz", "pole_x", "pole_y", "pole_z"], "targets": targets,
    })
}

fn reach(arm: &Arm, count: usize) -> Result<Value> {
    let seed = 202;
    let model = arm_model(arm);
    let tree = Tree::new(&serde_json::from_value::<ModelFile>(model.clone())?)?;
    let tip = tree.nodes.len();
    let ranges: Vec<[f64; 2]> = arm.joints.iter().filter_map(|joint| joint.range).collect();
    let mut random = sample::generator(seed);
    let (mut targets, mut witnesses) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let q: Vec<f64> = ranges.iter().map(|&[min, max]| random.random_range(min..max)).collect();
        targets.push(rounded(tree.frames(&q)?[tip].row(), 12));
        witnesses.push(q);
    }
    let start: Vec<f64> = ranges.iter().map(|[min, max]| 0.5 * (min + max)).collect();
    Ok(json!({
        "task": "T2", "robot": arm.name, "seed": seed, "model": model,
        "effectors": [{"name": "tip", "link": "tool", "kind": "pose"}],
        "start": start, "tolerances": [[1e-3, 1e-3], [1e-5, 1e-5]],
        "columns": ["px", "py", "pz", "qx", "qy", "qz", "qw"],
        "targets": targets, "witness_q": witnesses,
    }))
}

fn arm_model(arm: &Arm) -> Value {
    let last = arm.joints.len() - 1;
    let link = |i: usize| if i == last { "tool".to_owned() } else { format!("link{}", i + 1) };
    let joints: Vec<Value> = arm
        .joints
        .iter()
        .enumerate()
        .map(|(i, joint)| {
            let parent = if i == 0 { "base".to_owned() } else { link(i - 1) };
            let turned = kinematics::quaternion(&kinematics::of_angles(joint.turned));
            let mut file = json!({
                "name": format!("joint{}", i + 1), "type": "fixed", "parent": parent, "child": link(i),
                "origin": {"p": joint.at, "q": turned, "rpy": joint.turned},
            });
            if let Some(range) = joint.range {
                file["type"] = "revolute".into();
                file["axis"] = json!([0.0, 0.0, 1.0]);
                file["limit"] = json!(range);
            }
            file
        })
        .collect();
    json!({"base": "base", "joints": joints})
}

fn chain(bones: usize, count: usize) -> Value {
    let seed = 303;
    let mut random = sample::generator(seed);
    let targets: Vec<[f64; 3]> = (0..count)
        .map(|_| {
            let far = 0.98 * random.random_range(0.0..1.0f64).cbrt();
            rounded(direction(&mut random).map(|x| x * far), 9)
        })
        .collect();
    let length = 1.0 / bones as f64;
    // A quarter of a circle, so that no method starts from a straight line.
    let mut points = vec![[0.0; 3]];
    let mut at = [0.0; 3];
    for i in 0..bones {
        let (s, c) = ((i as f64 + 0.5) / bones as f64 * FRAC_PI_2).sin_cos();
        at = [at[0] + c * length, at[1] + s * length, 0.0];
        points.push(rounded(at, 10));
    }
    json!({
        "task": "T3", "bones": bones, "bone_length": length, "seed": seed, "joint": "ball, no limits",
        "start_points": points, "tolerance": 1e-3, "max_iterations": 1000,
        "columns": ["tx", "ty", "tz"], "targets": targets,
    })
}

/// A sum of three slow sines that stays within ±1.
struct Wave([(f64, f64, f64); 3]);

impl Wave {
    fn new(random: &mut impl Rng) -> Self {
        Self(
            [0.6, 0.3, 0.1].map(|part| (part, random.random_range(0.1..0.35), random.random_range(0.0..TAU))),
        )
    }

    fn at(&self, seconds: f64) -> f64 {
        self.0.iter().map(|(part, hertz, phase)| part * (TAU * hertz * seconds + phase).sin()).sum()
    }
}

/// A joint of the character: its link's name, what it hangs on, where, how it is turned on average
/// (about x, y and z), and by how much it swings.
struct Swinging {
    name: String,
    parent: String,
    at: [f64; 3],
    mean: [f64; 3],
    swing: f64,
}

/// A game character: free pelvis, ball joints, no limits.
fn character() -> Vec<Swinging> {
    let ball = |name: &str, parent: &str, at, mean, swing| Swinging {
        name: name.into(),
        parent: parent.into(),
        at,
        mean,
        swing,
    };
    let mut joints = vec![
        ball("spine1", "pelvis", [0.0, 0.0, 0.10], [0.0; 3], 0.12),
        ball("spine2", "spine1", [0.0, 0.0, 0.13], [0.0; 3], 0.12),
        ball("spine3", "spine2", [0.0, 0.0, 0.13], [0.0; 3], 0.12),
        ball("neck", "spine3", [0.0, 0.0, 0.16], [0.0; 3], 0.2),
        ball("head", "neck", [0.0, 0.0, 0.10], [0.0; 3], 0.3),
    ];
    for (side, k) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| format!("{part}_{side}");
        let [clavicle, shoulder, elbow] = ["clav", "shoulder", "elbow"].map(name);
        joints.push(ball(&clavicle, "spine3", [0.0, 0.05 * k, 0.12], [0.0; 3], 0.08));
        joints.push(ball(&shoulder, &clavicle, [0.0, 0.13 * k, 0.0], [-0.9 * k, 0.0, 0.0], 0.5));
        joints.push(ball(&elbow, &shoulder, [0.0, 0.28 * k, 0.0], [0.0, 0.0, -0.8 * k], 0.4));
        joints.push(ball(&name("wrist"), &elbow, [0.0, 0.25 * k, 0.0], [0.0; 3], 0.3));
    }
    for (side, k) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| format!("{part}_{side}");
        let [hip, knee] = ["hip", "knee"].map(name);
        joints.push(ball(&hip, "pelvis", [0.0, 0.09 * k, -0.04], [0.0, -0.4, 0.0], 0.35));
        joints.push(ball(&knee, &hip, [0.0, 0.0, -0.42], [0.0, 0.7, 0.0], 0.25));
        joints.push(ball(&name("ankle"), &knee, [0.0, 0.0, -0.41], [0.0; 3], 0.2));
    }
    joints
}

fn follow(frames: usize) -> Result<Value> {
    let seed = 404;
    let still = json!([0.0, 0.0, 0.0, 1.0]);
    let joints = character();
    let mut files = vec![json!({
        "name": "root", "type": "free", "parent": "world", "child": "pelvis",
        "origin": {"p": [0.0, 0.0, 0.0], "q": still},
    })];
    files.extend(joints.iter().map(|joint| {
        json!({
            "name": joint.name, "type": "ball", "parent": joint.parent, "child": joint.name,
            "origin": {"p": joint.at, "q": still},
        })
    }));
    let model = json!({"base": "world", "joints": files});
    let tree = Tree::new(&serde_json::from_value::<ModelFile>(model.clone())?)?;
    let effectors = ["pelvis", "head", "wrist_l", "wrist_r", "ankle_l", "ankle_r"];
    let links = effectors.iter().map(|name| tree.link(name)).collect::<Result<Vec<_>>>()?;
    let mut random = sample::generator(seed);
    let travel = [(); 3].map(|()| Wave::new(&mut random));
    let turns: Vec<[Wave; 3]> =
        (0..=joints.len()).map(|_| [(); 3].map(|()| Wave::new(&mut random))).collect();
    let (mut start, mut targets) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        let seconds = frame as f64 / 60.0;
        let mut q = Vec::with_capacity(tree.width);
        for (k, (node, waves)) in tree.nodes.iter().zip(&turns).enumerate() {
            let (mean, swing) = match k.checked_sub(1).and_then(|j| joints.get(j)) {
                Some(joint) => (joint.mean, joint.swing),
                None => ([0.0; 3], 0.25),
            };
            if node.motion == Motion::Free {
                let [x, y, z] = [0, 1, 2].map(|i: usize| 0.15 * travel[i].at(seconds));
                q.extend([x, y, 0.95 + z]);
            }
            let v = [0, 1, 2].map(|i: usize| swing * waves[i].at(seconds));
            let angle = kinematics::length(v);
            let axis = if angle > 1.0e-12 { v.map(|x| x / angle) } else { [0.0, 0.0, 1.0] };
            let turn = kinematics::product(&kinematics::of_angles(mean), &kinematics::about(axis, angle));
            q.extend(kinematics::quaternion(&turn));
        }
        let placed = tree.frames(&q)?;
        targets.push(links.iter().map(|&link| rounded(placed[link].row(), 10)).collect::<Vec<_>>());
        if frame == 0 {
            start = q;
        }
    }
    let effectors: Vec<Value> =
        effectors.iter().map(|name| json!({"name": name, "link": name, "kind": "pose"})).collect();
    Ok(json!({
        "task": "T4", "robot": "character", "seed": seed, "fps": 60, "model": model, "effectors": effectors,
        "start": start, "columns": "frames x effectors x [px,py,pz,qx,qy,qz,qw]", "targets": targets,
    }))
}
