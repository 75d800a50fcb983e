//! Every message, written and read: the samples are what the page sends and gets.
#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sinew_studio::wire::{ClientMessage, ServerMessage};

fn goal() -> Value {
    json!({ "id": "hand", "joint": 3, "kind": "pose", "position": [0.5, 1.25, -0.5], "rotation": [0.0, 0.0, 0.0, 1.0],
        "position_weight": 1.0, "orientation_weight": 0.5, "priority": 1, "enabled": true })
}

fn placed() -> Value {
    json!({ "positions": [0.5, 1.0, 0.25], "rotations": [0.0, 0.0, 0.0, 1.0] })
}

fn range() -> Value {
    json!({ "min": -0.5, "max": 1.5 })
}

fn limit(shape: Value) -> Value {
    json!({ "shape": shape, "soft_zone": 0.125,
        "outlines": [{ "component": "swing", "points": [0.0, 0.0, 1.0], "closed": true }],
        "handles": [{ "kind": "rim", "at": [0.0, 0.0, 1.0], "label": "the rim", "removable": false }] })
}

fn limits() -> Vec<Value> {
    let q = json!([0.0, 0.0, 0.0, 1.0]);
    let swing = |swing: Value| {
        limit(json!({ "kind": "swing_twist", "frame": q, "rest": q, "swing": swing, "twist": range() }))
    };
    vec![
        limit(json!({ "kind": "none" })),
        limit(json!({ "kind": "hinge", "axis": [0.0, 1.0, 0.0], "range": range() })),
        limit(
            json!({ "kind": "universal", "axes": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "ranges": [range(), range()] }),
        ),
        limit(json!({ "kind": "euler", "frame": q, "order": "zxy", "ranges": [range(), range(), range()] })),
        limit(json!({ "kind": "prismatic", "axis": [0.0, 0.0, 1.0], "min": -0.5, "max": 1.5 })),
        swing(json!({ "kind": "free" })),
        swing(json!({ "kind": "cone", "radius": 0.5 })),
        swing(json!({ "kind": "ellipse", "x": 0.5, "y": 1.0 })),
        swing(json!({ "kind": "polygon", "vertices": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]] })),
        swing(json!({ "kind": "spline", "knots": [{ "circumduction": 0.0, "amplitude": 1.0 }] })),
        swing(
            json!({ "kind": "kusudama", "cones": [{ "axis": [0.0, 0.0, 1.0], "radius": 0.5, "tangent": null }] }),
        ),
    ]
}

fn behaviour() -> Value {
    json!({ "name": "upright", "side": "left", "triangles": [[0, 1, 2]],
        "keys": [{ "swing": [0.5, -0.5], "outer": true, "rotations": [0.0, 0.0, 0.0, 1.0], "swivel": 0.25 }] })
}

fn causes() -> Vec<Value> {
    vec![
        json!({ "kind": "out_of_reach", "goal": "left-wrist", "by_m": 0.25 }),
        json!({ "kind": "limit", "goal": "l_ankle", "joint": "l_knee", "component": "angle" }),
        json!({ "kind": "collision", "joint": "r_elbow", "other": null, "obstacle": "box", "depth_m": 0.125 }),
        json!({ "kind": "mismatch" }),
    ]
}

fn client() -> Vec<Value> {
    let mut all = vec![
        json!({ "type": "load", "request": 1, "rig": { "kind": "rig", "name": "humanoid" }, "fitting": null }),
        json!({ "type": "load", "request": 1, "rig": { "kind": "upload", "id": "abc" },
            "fitting": { "roles": { "hips": 3 }, "scale": 0.5, "up": "minus_z", "anatomy": false } }),
        json!({ "type": "pose", "input": 2, "scene": { "goals": [goal()], "pins": [4], "travel": true, "from_rest": false,
            "solver": { "name": "robust", "options": { "tolerance.position": 0.001, "guard": true, "order": "TipToRoot" } },
            "ghost": { "name": "ccd", "options": {} }, "posture": placed() } }),
        json!({ "type": "walk", "input": 3, "scene": { "terrain": { "kind": "stairs", "rise": 0.15, "tread": 0.3 },
            "solver": "limb", "speed": null, "lift": 1.0, "arms": 1.0 } }),
        json!({ "type": "look", "input": 4, "scene": { "endpoint": null, "values": [0.5], "rotations": [],
            "target": { "kind": "path", "path": "eight", "speed": 0.5 }, "keep_sides": true, "symmetric": true, "plotted": 2,
            "filter": { "order": 3, "velocity": 1.0, "acceleration": 2.0, "jerk": 3.0, "smoothness": 0.5,
                "responsiveness": 0.25 } } }),
        json!({ "type": "drag", "input": 5, "target": "hand", "position": [0.5, 1.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0] }),
        json!({ "type": "steer", "input": 6, "speed": 1.0, "turn": -0.5 }),
        json!({ "type": "reset" }),
        json!({ "type": "drag_handle", "request": 7, "joint": 3, "handle": 1, "to": [0.0, 1.0, 0.0] }),
        json!({ "type": "edit_shape", "request": 8, "joint": 3, "add": [0.0, 1.0, 0.0], "remove": null }),
        json!({ "type": "save_posture", "request": 9, "remove": false,
            "posture": { "name": "bow", "rotations": [0.0, 0.0, 0.0, 1.0], "values": [0.0] } }),
        json!({ "type": "record", "on": true }),
        json!({ "type": "export", "request": 10, "what": "take", "format": "bvh",
            "clip": { "motion": 1, "trim": [3, 9], "name": "wave" }, "body": "abc" }),
        json!({ "type": "stand", "input": 11, "pose": placed(), "time": 0.25 }),
        json!({ "type": "play", "input": 12, "play": { "motion": 1, "running": true, "frame": 2.5, "speed": 1.0,
            "looped": true, "trim": null } }),
        json!({ "type": "adopt", "request": 13, "id": "abc" }),
        json!({ "type": "bring", "request": 14, "id": "abc" }),
        json!({ "type": "ping", "stamp": 123.5 }),
    ];
    for source in [
        json!({ "kind": "markers", "markers": [{ "point": "head", "position": [0.0, 1.5, 0.0], "rotation": null }] }),
        json!({ "kind": "motion", "motion": 1 }),
        json!({ "kind": "made", "name": "walking" }),
    ] {
        all.push(json!({ "type": "body", "input": 3, "scene": { "source": source, "method": "sik", "points": ["head"],
            "orientations": true, "noise": 0.0, "playing": true, "speed": 1.0, "frame": 7 } }));
    }
    for form in [
        json!({ "kind": "box", "size": [1.0, 2.0, 3.0] }),
        json!({ "kind": "ball", "radius": 0.5 }),
        json!({ "kind": "cylinder", "radius": 0.5, "height": 1.0 }),
        json!({ "kind": "capsule", "radius": 0.5, "height": 1.0 }),
    ] {
        all.push(json!({ "type": "reach", "input": 3, "scene": { "behaviour": "upright", "compare": null,
            "left": { "position": [0.0, 1.0, 0.5], "rotation": null }, "right": null, "collisions": true,
            "obstacles": [{ "id": "a", "form": form, "position": [0.0, 1.0, 0.5], "rotation": [0.0, 0.0, 0.0, 1.0] }],
            "side": "right", "edit_key": 2 } }));
    }
    for edit in [
        json!({ "kind": "add", "swing": [0.5, 0.25] }),
        json!({ "kind": "move", "key": 5, "swing": [0.5, 0.25] }),
        json!({ "kind": "remove", "key": 5 }),
        json!({ "kind": "turn", "key": 5, "joint": 3, "rotation": [0.0, 0.0, 0.0, 1.0] }),
        json!({ "kind": "pull", "key": 5, "joint": 3, "position": [0.0, 1.0, 0.0] }),
        json!({ "kind": "swivel", "key": 5, "swivel": 0.25 }),
        json!({ "kind": "replace", "behaviour": behaviour() }),
        json!({ "kind": "save_as", "name": "mine" }),
    ] {
        all.push(json!({ "type": "edit_behaviour", "request": 6, "side": "left", "edit": edit }));
    }
    let joint = |limit| json!({ "type": "set_limit", "request": 6, "joint": 3, "limit": limit });
    all.extend(limits().into_iter().map(joint));
    all
}

fn frame(workspace: &str, details: Value) -> Value {
    let mut details = details;
    details["workspace"] = workspace.into();
    json!({ "type": "frame", "frame": { "input": 3, "number": 7, "time": 1.5, "pose": placed(), "micros": 80.5, "rate": 60.0,
        "recorded": 0, "playing": { "motion": 1, "frame": 2.5, "running": true }, "details": details } })
}

fn server() -> Vec<Value> {
    let joint = |limit: Value| {
        json!({ "name": "elbow", "parent": 2, "rest_position": [0.0, 0.5, 0.0], "rest_rotation": [0.0, 0.0, 0.0, 1.0],
            "model_position": [0.0, 1.0, 0.0], "model_rotation": [0.0, 0.0, 0.0, 1.0], "kind": "hinge", "freedoms": 1,
            "tip": null, "role": "leftLowerArm", "limit": limit, "range": [0.0, 2.5] })
    };
    let rig = json!({ "name": "mine", "source": { "kind": "rig", "name": "humanoid" },
        "joints": limits().into_iter().map(joint).collect::<Vec<_>>(), "size": 1.75, "floor": 0.0,
        "mesh": { "url": "/api/upload/a", "turn": [0.0, 1.0, 0.0, 0.0], "scale": 0.5,
            "pose": { "positions": [0.0, 1.0, 0.5], "rotations": [0.0, 0.0, 0.0, 1.0] } },
        "fitting": { "roles": { "hips": 3 }, "scale": 0.5, "up": "y", "anatomy": true }, "anatomical": 4,
        "parts": [{ "role": "hips", "joint": 3, "found": "name", "needed": true }],
        "motions": [{ "name": "walk", "frames": 30, "frame_time": 0.03125, "added": false }],
        "postures": [{ "name": "bow", "rotations": [], "values": [] }], "behaviours": ["upright"], "goals": [goal()],
        "workspaces": { "reach": null, "body": null, "look": "it has no eyes", "walk": null }, "notes": ["scaled"] });
    let error = json!({ "id": "hand", "position": 0.5, "orientation": 0.25 });
    let hand = json!({ "typed_cause": null, "position_error": 0.5, "orientation_error": 0.25, "swing": [0.5, 0.25], "weight": 0.5, "swivel": 0.25,
        "blend": [[3, 0.5]] });
    vec![
        json!({ "type": "welcome", "welcome": { "protocol": 1, "version": "0.1.0",
            "rigs": [{ "name": "arm", "summary": "an arm", "joints": 8 }],
            "solvers": [{ "name": "robust", "summary": "good", "options": [{ "path": "iterations", "value": 60 }] }],
            "methods": [{ "name": "sik", "summary": "quick" }], "leg_solvers": ["limb"], "open": null,
            "largest_upload": 1024 } }),
        json!({ "type": "loaded", "request": 1, "rig": rig }),
        json!({ "type": "limit", "request": 2, "joint": 3, "limit": limits()[1] }),
        json!({ "type": "behaviour", "request": 0, "behaviour": behaviour() }),
        json!({ "type": "postures", "request": 3, "postures": [] }),
        json!({ "type": "motions", "request": 6, "notes": ["scaled"],
            "motions": [{ "name": "take 1", "frames": 30, "frame_time": 0.03125, "added": true }] }),
        json!({ "type": "track", "track": { "method": "sik", "frames": 9, "frame_time": 0.03125, "done": 4, "stride": 2,
            "position": [0.5], "orientation": [0.25], "rms": [0.5, 0.25], "micros": 40.5 } }),
        json!({ "type": "ground", "ground": { "xs": [0.0, 1.0], "zs": [0.0, 1.0], "heights": [0.0, 0.0, 0.5, 0.5] } }),
        json!({ "type": "exported", "request": 4, "url": "/api/export/a", "name": "a.glb", "notes": [] }),
        json!({ "type": "brought", "request": 6, "thing": { "id": "abc", "name": "box.obj",
            "form": { "kind": "mesh", "triangles": 12, "low": [0.0, 0.0, 0.0], "high": [1.0, 0.5, 0.25] } } }),
        json!({ "type": "failed", "request": 5, "message": "no" }),
        json!({ "type": "pong", "stamp": 123.5 }),
        frame(
            "pose",
            json!({ "reached": false, "cause": "stuck", "typed_cause": { "kind": "stalled", "goal": "hand" },
            "blocking": 3, "iterations": 9, "position_error": 0.5,
            "orientation_error": 0.25, "goals": [error], "ghost": { "pose": placed(), "position_error": 0.5,
                "orientation_error": 0.25, "iterations": 3, "micros": 9.5, "cause": null, "typed_cause": null } }),
        ),
        frame(
            "reach",
            json!({ "reached": true, "outcome": "there", "typed_cause": causes()[2], "left": hand, "right": null, "kept": 0.5, "feet": 0.0,
            "tests": 4, "contact": ["head", "box"], "ghost": placed(), "ghost_outcome": "there",
            "ghost_typed_cause": causes()[3] }),
        ),
        frame(
            "body",
            json!({ "frame": 7, "original": placed(), "position_error": 0.5, "orientation_error": null,
            "points": [{ "point": "head", "position": [0.0, 1.5, 0.0], "reached": [0.0, 1.5, 0.0], "source": "measured",
                "typed_cause": causes()[0] }],
            "outcome": "fine" }),
        ),
        frame(
            "look",
            json!({ "reached": true, "outcome": "there", "typed_cause": null, "target": [0.0, 1.0, 2.0], "phase": 0.25, "eye": [0.0, 1.0, 0.0],
            "sight": [0.0, 0.0, 1.0], "orientation_error": 0.0, "posture_error": 0.0, "combined_error": 0.0,
            "posture": placed(), "wanted": placed(), "samples": [{ "time": 0.5, "wanted": 0.5, "position": 0.5,
                "velocity": 0.5, "acceleration": 0.5, "jerk": 0.5 }] }),
        ),
        frame(
            "walk",
            json!({ "feet": [{ "joint": 3, "heel": [0.0, 0.0, 0.0], "heel_planted": true, "toe": [0.0, 0.0, 0.25],
            "toe_planted": false, "height": 0.125 }], "place": [0.0, 0.0, 1.0], "heading": 0.5, "standing": false,
            "iterations": 5, "slip": 0.0, "cause": "stuck", "typed_cause": causes()[1], "gait": "walk", "blocked": null }),
        ),
    ]
}

/// The words of a tag in a type that the page knows: those of `"type": "load"` and so on.
fn tags(of: &str, tag: &str) -> BTreeSet<String> {
    // A test beside the messages says that these files are theirs.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text: String = files.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let start = text.find(&format!("export type {of} = ")).unwrap();
    let end = text[start..].find(";\n").unwrap() + start;
    let needle = format!("\"{tag}\": \"");
    let found =
        text[start..end].split(&needle).skip(1).map(|rest| rest.split('"').next().unwrap().to_string());
    found.collect()
}

fn used(samples: &[Value], tag: &str) -> BTreeSet<String> {
    samples.iter().map(|s| s[tag].as_str().unwrap().to_string()).collect()
}

#[test]
fn every_message_of_the_page_is_read_as_it_was_written() {
    let samples = client();
    assert_eq!(used(&samples, "type"), tags("ClientMessage", "type"));
    for sample in samples {
        let text = sample.to_string();
        let message: ClientMessage = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(serde_json::to_value(&message).unwrap(), sample);
    }
}

#[test]
fn every_message_of_the_server_is_read_as_it_was_written() {
    let samples = server();
    assert_eq!(used(&samples, "type"), tags("ServerMessage", "type"));
    for sample in samples {
        let text = sample.to_string();
        let message: ServerMessage = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(serde_json::to_value(&message).unwrap(), sample);
    }
}

#[test]
fn every_kind_has_a_sample() {
    let shapes: Vec<Value> = limits().into_iter().map(|l| l["shape"].clone()).collect();
    assert_eq!(used(&shapes, "kind"), tags("LimitShape", "kind"));
    let swings: Vec<Value> =
        shapes.iter().filter(|s| s["kind"] == "swing_twist").map(|s| s["swing"].clone()).collect();
    assert_eq!(used(&swings, "kind"), tags("Swing", "kind"));
    let edits: Vec<Value> =
        client().into_iter().filter(|m| m["type"] == "edit_behaviour").map(|m| m["edit"].clone()).collect();
    assert_eq!(used(&edits, "kind"), tags("BehaviourEdit", "kind"));
    let details: Vec<Value> = server()
        .into_iter()
        .filter(|m| m["type"] == "frame")
        .map(|m| m["frame"]["details"].clone())
        .collect();
    assert_eq!(used(&details, "workspace"), tags("FrameDetails", "workspace"));
}
