//! What no page would say to the studio, made from a string of bytes: every message with numbers, names and lists that
//! mostly fit. The fuzz target `made_messages` includes this file too.

use serde_json::{Value, json};
use sinew_studio::Act;
use sinew_studio::wire::ServerMessage;

use crate::documents::Choices;

/// A tab's life: messages and steps, until the bytes are used up.
pub fn acts(choices: &mut Choices, most: usize) -> Vec<Act> {
    let mut acts = vec![said(&load(choices))];
    while acts.len() < most && !choices.is_over() {
        acts.push(match choices.below(5) {
            0 | 1 => said(&message(choices)),
            2 => said(&spoiled(choices)),
            _ => Act::Step([1.0 / 60.0, 0.0, 0.1, 1.0e-9, f64::MAX][choices.below(20).saturating_sub(15)]),
        });
    }
    acts
}

/// Every answer is one that the page can read: numbers are numbers, and nothing is said to be a fault.
pub fn check(message: &ServerMessage) {
    let text = serde_json::to_string(message).unwrap();
    assert!(serde_json::from_str::<ServerMessage>(&text).is_ok(), "{text}");
    if let ServerMessage::Frame { frame } = message {
        let numbers = [&frame.pose.positions, &frame.pose.rotations];
        assert!(numbers.into_iter().flatten().all(|x| x.is_finite()), "a pose that is nowhere");
    }
}

fn said(message: &Value) -> Act {
    Act::Say(message.to_string())
}

fn pick<'a>(choices: &mut Choices, list: &[&'a str]) -> &'a str {
    list[choices.below(list.len())]
}

fn number(c: &mut Choices) -> f64 {
    const PLAIN: [f64; 12] = [0.0, 0.5, 1.0, -1.0, 0.25, -0.3, 1.2, 2.0, 0.05, 3.0, 0.9, -0.1];
    const ODD: [f64; 10] = [1.0e10, -1.0e10, 1.0e9, 1.0e-300, 1.0e11, -0.0, 65536.0, 1.0e5, 1.0e-9, 6.5];
    if c.once_in(16) { ODD[c.below(ODD.len())] } else { PLAIN[c.below(PLAIN.len())] }
}

fn numbers(c: &mut Choices, count: usize) -> Vec<f64> {
    (0..count).map(|_| number(c)).collect()
}

fn rotation(c: &mut Choices) -> Value {
    let q = [[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, 0.8], [0.0, -0.6, 0.8, 0.0], [0.0; 4]];
    let some = c.below(5);
    q.get(some).map_or_else(|| json!(numbers(c, 4)), |q| json!(q))
}

fn maybe(c: &mut Choices, make: impl FnOnce(&mut Choices) -> Value) -> Value {
    if c.once_in(2) { make(c) } else { Value::Null }
}

fn joint(c: &mut Choices) -> usize {
    if c.once_in(24) { 4_000_000_000 } else { c.below(36) }
}

fn flag(c: &mut Choices) -> bool {
    c.once_in(2)
}

const RIGS: [&str; 12] = [
    "humanoid",
    "erik-c",
    "chain:8",
    "arm",
    "spider",
    "quadruped",
    "snake:5",
    "chain:1",
    "humanoid:kusudama",
    "tentacle:4",
    "chain:2000",
    "nobody",
];
const SOLVERS: [&str; 10] =
    ["robust", "ewbik", "ccd", "fabrik", "dls", "sdls", "priority", "half", "jt", "none"];
const POINTS: [&str; 8] =
    ["pelvis", "head", "left_wrist", "right_wrist", "left_ankle", "right_ankle", "chest", "nose"];
const NAMES: [&str; 6] = ["a", "left", "target", "upright", "", "plain"];

fn load(c: &mut Choices) -> Value {
    let rig = if c.once_in(20) {
        json!({ "kind": "upload", "id": "none" })
    } else {
        json!({ "kind": "rig", "name": pick(c, &RIGS) })
    };
    let fitting = maybe(c, fitting);
    json!({ "type": "load", "request": 1, "rig": rig, "fitting": fitting })
}

fn fitting(c: &mut Choices) -> Value {
    let mut roles = serde_json::Map::new();
    for _ in 0..c.below(6) {
        let role = pick(
            c,
            &["hips", "spine", "head", "leftHand", "leftLowerArm", "leftUpperArm", "rightFoot", "tail"],
        );
        roles.insert(role.into(), json!(joint(c)));
    }
    let up = pick(c, &["y", "z", "x", "minus_y", "minus_z", "w"]);
    json!({ "roles": roles, "scale": number(c), "up": up, "anatomy": flag(c) })
}

fn solver(c: &mut Choices) -> Value {
    let mut options = serde_json::Map::new();
    for _ in 0..c.below(3) {
        let name = pick(
            c,
            &["tolerance.position", "max_iterations", "damping", "restarts", "guard", "order", "passes", "x"],
        );
        let value = match c.below(4) {
            0 => json!(flag(c)),
            1 => json!(pick(c, &["TipToRoot", "RootToTip", "", "nan"])),
            _ => json!(number(c)),
        };
        options.insert(name.into(), value);
    }
    json!({ "name": pick(c, &SOLVERS), "options": options })
}

fn pose(c: &mut Choices) -> Value {
    let goal = |c: &mut Choices| {
        json!({ "id": pick(c, &NAMES), "joint": joint(c), "kind": pick(c, &["position", "orientation", "pose", "aim"]),
            "position": numbers(c, 3), "rotation": rotation(c), "position_weight": number(c),
            "orientation_weight": number(c), "priority": c.below(4), "enabled": !c.once_in(4) })
    };
    let goals: Vec<Value> = (0..c.below(5)).map(|_| goal(c)).collect();
    let pins: Vec<usize> = (0..c.below(3)).map(|_| joint(c)).collect();
    json!({ "goals": goals, "pins": pins, "solver": solver(c), "ghost": maybe(c, solver), "travel": flag(c), "from_rest": flag(c) })
}

fn reach(c: &mut Choices) -> Value {
    let target = |c: &mut Choices| json!({ "position": numbers(c, 3), "rotation": maybe(c, rotation) });
    let obstacle = |c: &mut Choices| {
        let form = match c.below(5) {
            0 => json!({ "kind": "box", "size": numbers(c, 3) }),
            1 => json!({ "kind": "ball", "radius": number(c) }),
            2 => json!({ "kind": "cylinder", "radius": number(c), "height": number(c) }),
            3 => json!({ "kind": "mesh", "file": pick(c, &NAMES), "scale": number(c) }),
            _ => json!({ "kind": "capsule", "radius": number(c), "height": number(c) }),
        };
        json!({ "id": pick(c, &NAMES), "form": form, "position": numbers(c, 3), "rotation": rotation(c) })
    };
    let obstacles: Vec<Value> = (0..c.below(3)).map(|_| obstacle(c)).collect();
    json!({ "behaviour": pick(c, &["plain", "tired", "two-handed", "mine", ""]), "compare": maybe(c, |_| json!("tired")),
        "left": maybe(c, target), "right": maybe(c, target), "collisions": flag(c), "obstacles": obstacles,
        "side": pick(c, &["left", "right"]), "edit_key": maybe(c, |c| json!(c.below(12))) })
}

fn body(c: &mut Choices) -> Value {
    let source = match c.below(3) {
        0 => json!({ "kind": "motion", "motion": c.below(3) }),
        1 => json!({ "kind": "made", "name": pick(c, &["walking", "reaching", "none"]) }),
        _ => {
            let marker = |c: &mut Choices| json!({ "point": pick(c, &POINTS), "position": numbers(c, 3), "rotation": maybe(c, rotation) });
            let markers: Vec<Value> = (0..c.below(7)).map(|_| marker(c)).collect();
            json!({ "kind": "markers", "markers": markers })
        }
    };
    let points: Vec<&str> = (0..c.below(8)).map(|_| pick(c, &POINTS)).collect();
    json!({ "source": source, "method": pick(c, &["sik", "sik+", "sik-paper", "ewbik", ""]), "points": points, "orientations": flag(c),
        "noise": number(c), "playing": flag(c), "speed": number(c), "frame": c.below(200) })
}

fn look(c: &mut Choices) -> Value {
    let target = match c.below(3) {
        0 => json!({ "kind": "at", "position": numbers(c, 3) }),
        1 => json!({ "kind": "toward", "rotation": rotation(c) }),
        _ => json!({ "kind": "path", "path": pick(c, &["circle", "eight", "jumps"]), "speed": number(c) }),
    };
    let filter = |c: &mut Choices| {
        json!({ "order": c.below(5), "velocity": number(c), "acceleration": number(c), "jerk": number(c),
            "smoothness": number(c), "responsiveness": number(c) })
    };
    let (values, turns) = (c.below(12), c.below(12));
    json!({ "endpoint": maybe(c, |c| json!(joint(c))), "values": numbers(c, values), "rotations": numbers(c, turns),
        "target": target, "keep_sides": flag(c), "symmetric": flag(c), "filter": maybe(c, filter), "plotted": joint(c) })
}

fn walk(c: &mut Choices) -> Value {
    let terrain = match c.below(6) {
        0 => json!({ "kind": "flat" }),
        1 => json!({ "kind": "slope", "grade": number(c) }),
        2 => json!({ "kind": "stairs", "rise": number(c), "tread": number(c) }),
        3 => json!({ "kind": "mesh", "file": pick(c, &NAMES), "scale": number(c) }),
        4 => json!({ "kind": "map", "file": pick(c, &NAMES), "height": number(c), "cell": number(c) }),
        _ => json!({ "kind": "hills", "seed": c.below(9), "height": number(c) }),
    };
    json!({ "terrain": terrain, "solver": pick(c, &["half", "full", "hybrid", "limb", "ewbik", ""]),
        "speed": maybe(c, |c| json!(number(c))), "lift": number(c), "arms": number(c) })
}

fn limit(c: &mut Choices) -> Value {
    let range = |c: &mut Choices| json!({ "min": number(c), "max": number(c) });
    let swing = |c: &mut Choices| match c.below(6) {
        0 => json!({ "kind": "free" }),
        1 => json!({ "kind": "cone", "radius": number(c) }),
        2 => json!({ "kind": "ellipse", "x": number(c), "y": number(c) }),
        3 => {
            json!({ "kind": "polygon", "vertices": (0..c.below(6)).map(|_| numbers(c, 3)).collect::<Vec<_>>() })
        }
        4 => {
            let knot = |c: &mut Choices| json!({ "circumduction": number(c), "amplitude": number(c) });
            json!({ "kind": "spline", "knots": (0..c.below(6)).map(|_| knot(c)).collect::<Vec<_>>() })
        }
        _ => {
            let cone =
                |c: &mut Choices| json!({ "axis": numbers(c, 3), "radius": number(c), "tangent": null });
            json!({ "kind": "kusudama", "cones": (0..c.below(4)).map(|_| cone(c)).collect::<Vec<_>>() })
        }
    };
    let shape = match c.below(6) {
        0 => json!({ "kind": "none" }),
        1 => json!({ "kind": "hinge", "axis": numbers(c, 3), "range": range(c) }),
        2 => {
            json!({ "kind": "universal", "axes": [numbers(c, 3), numbers(c, 3)], "ranges": [range(c), range(c)] })
        }
        3 => {
            json!({ "kind": "euler", "frame": rotation(c), "order": "zxy", "ranges": [range(c), range(c), range(c)] })
        }
        4 => json!({ "kind": "prismatic", "axis": numbers(c, 3), "min": number(c), "max": number(c) }),
        _ => {
            json!({ "kind": "swing_twist", "frame": rotation(c), "rest": rotation(c), "swing": swing(c), "twist": range(c) })
        }
    };
    json!({ "shape": shape, "soft_zone": number(c), "outlines": [], "handles": [] })
}

fn edit(c: &mut Choices) -> Value {
    match c.below(7) {
        0 => json!({ "kind": "add", "swing": numbers(c, 2) }),
        1 => json!({ "kind": "move", "key": c.below(12), "swing": numbers(c, 2) }),
        2 => json!({ "kind": "remove", "key": c.below(12) }),
        3 => json!({ "kind": "turn", "key": c.below(12), "joint": joint(c), "rotation": rotation(c) }),
        4 => json!({ "kind": "pull", "key": c.below(12), "joint": joint(c), "position": numbers(c, 3) }),
        5 => json!({ "kind": "swivel", "key": c.below(12), "swivel": number(c) }),
        _ => json!({ "kind": "save_as", "name": pick(c, &NAMES) }),
    }
}

fn message(c: &mut Choices) -> Value {
    match c.below(17) {
        0 | 1 => json!({ "type": "pose", "input": 2, "scene": pose(c) }),
        2 | 3 => json!({ "type": "reach", "input": 2, "scene": reach(c) }),
        4 => json!({ "type": "body", "input": 2, "scene": body(c) }),
        5 | 6 => json!({ "type": "look", "input": 2, "scene": look(c) }),
        7 => json!({ "type": "walk", "input": 2, "scene": walk(c) }),
        8 => {
            json!({ "type": "drag", "input": 5, "target": pick(c, &NAMES), "position": numbers(c, 3), "rotation": maybe(c, rotation) })
        }
        9 => json!({ "type": "steer", "input": 6, "speed": number(c), "turn": number(c) }),
        10 => json!({ "type": "set_limit", "request": 6, "joint": joint(c), "limit": limit(c) }),
        11 => {
            json!({ "type": "drag_handle", "request": 7, "joint": joint(c), "handle": c.below(6), "to": numbers(c, 3) })
        }
        12 => {
            json!({ "type": "edit_shape", "request": 8, "joint": joint(c), "add": maybe(c, |c| json!(numbers(c, 3))),
                "remove": maybe(c, |c| json!(c.below(6))) })
        }
        13 => {
            json!({ "type": "edit_behaviour", "request": 6, "side": pick(c, &["left", "right"]), "edit": edit(c) })
        }
        14 => {
            let (turns, values) = (4 * c.below(40), c.below(40));
            json!({ "type": "save_posture", "request": 9, "remove": c.once_in(4),
                "posture": { "name": pick(c, &NAMES), "rotations": numbers(c, turns), "values": numbers(c, values) } })
        }
        15 => {
            json!({ "type": "export", "request": 10, "what": pick(c, &["pose", "take", "rig"]),
                "format": pick(c, &["glb", "bvh", "rig"]),
                "body": maybe(c, |_| json!("none")) })
        }
        _ => match c.below(5) {
            0 => load(c),
            4 => json!({ "type": "bring", "request": 11, "id": pick(c, &NAMES) }),
            1 => json!({ "type": "reset" }),
            2 => json!({ "type": "record", "on": flag(c) }),
            _ => json!({ "type": "ping", "stamp": number(c) }),
        },
    }
}

/// A message with one part in the place of another.
fn spoiled(c: &mut Choices) -> Value {
    let mut whole = message(c);
    let depth = 1 + c.below(4);
    let part = part_of(&mut whole, c, depth);
    *part = match c.below(6) {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!("é"),
        4 => json!(number(c)),
        _ => json!([[[[0.5]]]]),
    };
    whole
}

/// A part of a value, so deep in it as there is one.
fn part_of<'a>(value: &'a mut Value, c: &mut Choices, depth: usize) -> &'a mut Value {
    let count = match &*value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    if depth == 0 || count == 0 {
        return value;
    }
    let at = c.below(count);
    match value {
        Value::Array(list) => part_of(&mut list[at], c, depth - 1),
        Value::Object(map) => {
            let key = map.keys().nth(at).cloned().unwrap_or_default();
            part_of(&mut map[&key], c, depth - 1)
        }
        other => other,
    }
}
