//! Rigs that look, drawn.

use sinew_draw::{Drawing, Figure, FigureStyle, Scene, StripOptions, View, color};
use sinew_f64::{ModelPose, Pose, Vec3};
use sinew_io::Asset;
use sinew_motion::look::{Eye, EyeOptions, Stream, Wish, posture};

use super::{Named, RATE};

/// A scene with the pose, the posture behind it, and the line of sight.
pub fn scene(
    asset: &Asset,
    eye: &Eye,
    title: String,
    posture: &Pose,
    pose: &Pose,
    point: Option<Vec3>,
) -> Scene {
    let skeleton = &asset.skeleton;
    let model = ModelPose::new(skeleton, pose);
    let ghost = Figure::new(skeleton, posture).style(FigureStyle::Ghost(color::RIGHT));
    let figure = Figure::new(skeleton, pose).limits(false).names(false);
    let mut scene = Scene::new(title)
        .figure(ghost.limits(false).names(false).caption("the posture"))
        .figure(figure.caption("as it looks"));
    for (from, sight) in eye.sights(&model) {
        let length = point.map_or(0.5 * size(&model), |p| p.distance(from));
        scene = scene.path(vec![from, from + sight * length], color::SWING);
    }
    match point {
        Some(point) => scene.target(point, ""),
        None => scene,
    }
}

/// The largest extent of a pose, in metres.
pub fn size(model: &ModelPose) -> f64 {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = model.positions().iter().fold(start, |(l, h), p| (l.min(*p), h.max(*p)));
    (high - low).max_element().max(0.1)
}

/// A mood is a posture and a character of the filter.
const MOODS: [(&str, &str, usize); 3] =
    [("lively", "straight", 0), ("calm", "wave", 1), ("downcast", "bow", 2)];
/// What is looked at and when, in sizes of the rig from where it looks: to one side, up, to the other
/// side, down.
const AROUND: [(f64, [f64; 3]); 5] = [
    (0.0, [0.0, 0.0, 1.0]),
    (0.2, [0.7, 0.1, 0.8]),
    (1.2, [0.2, 0.5, 0.9]),
    (2.2, [-0.7, 0.0, 0.8]),
    (3.2, [-0.1, -0.4, 0.9]),
];
/// How long it looks around, in seconds, and how many pictures that makes.
const SECONDS: f64 = 4.2;
const PICTURES: usize = 8;

/// A rig looking around in three moods: a file name's end and a strip for each. Empty if nothing
/// of it looks.
pub fn moods((name, asset): &Named) -> Vec<(String, Drawing)> {
    let options = EyeOptions { rate: Some(RATE), ..EyeOptions::default() };
    let Ok(eye) = Eye::new(asset, &options) else { return Vec::new() };
    let skeleton = &asset.skeleton;
    let characters = crate::filter::characters();
    let mut strips = Vec::new();
    for (mood, shape, character) in MOODS {
        let shape = posture(asset, &eye, shape).unwrap_or_else(|| asset.opening_pose());
        let model = ModelPose::new(skeleton, &shape);
        let from = eye.sights(&model).first().map_or(Vec3::Y, |sight| sight.0);
        let at = |time: f64| {
            let (_, at) = AROUND.iter().rev().find(|(start, _)| time >= *start).unwrap_or(&AROUND[0]);
            from + Vec3::from_array(*at) * size(&model)
        };
        let (word, filter) = characters[character];
        let mut stream = Stream::new(asset, eye.clone(), Some(filter), &shape, (Wish::At(at(0.0)), 1.0));
        let count = (SECONDS * RATE) as usize;
        let mut scenes = Vec::new();
        for i in 0..=count {
            let time = i as f64 / RATE;
            let pose = stream.step(skeleton, &shape, (Wish::At(at(time)), 1.0), 1.0 / RATE);
            if (0..PICTURES).any(|k| k * count / (PICTURES - 1) == i) {
                scenes.push(scene(asset, &eye, format!("{time:.1} s"), &shape, pose, Some(at(time))));
            }
        }
        let options = StripOptions {
            view: View::Turned,
            title: format!("{name}, {mood}: {word} filter"),
            follow: false,
            legend: true,
            ..StripOptions::default()
        };
        strips.push((format!("{mood}.png"), sinew_draw::strip(&scenes, &options)));
    }
    strips
}
