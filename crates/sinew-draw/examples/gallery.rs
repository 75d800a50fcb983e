//! Draws one picture of every kind, for eyes:
//! `cargo run -p sinew-draw --example gallery -- FOLDER`.

use std::f64::consts::PI;
use std::path::PathBuf;

use sinew_draw::plot::{Axis, Histogram, Plot};
use sinew_draw::{
    Drawing, Figure, FigureStyle, Scene, StripOptions, View, ViewsOptions, color, strip, views,
};
use sinew_f64::limit::{Cone, SwingShape, SwingTwistLimit};
use sinew_f64::math::rotation;
use sinew_f64::{
    Goal, GoalSet, JointDef, JointKind, JointLimit, ModelPose, Pose, Quat, Skeleton, SkeletonBuilder,
    Transform, Vec3,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "gallery".into()));
    std::fs::create_dir_all(&folder)?;
    let save = |name: &str, drawing: Drawing| -> Result<(), Box<dyn std::error::Error>> {
        for ending in ["png", "svg"] {
            let file = folder.join(format!("{name}.{ending}"));
            std::fs::write(&file, drawing.encode(&file, 1600)?)?;
        }
        Ok(())
    };

    let person = person()?;
    let rest = Pose::rest(&person);
    let scene =
        Scene::new("person").note("every kind of limit at a joint").figure(Figure::new(&person, &rest));
    save("views", views(&scene, &ViewsOptions::default()))?;
    let four = ViewsOptions { views: vec![View::Front, View::Turned], ..ViewsOptions::default() };
    save("turned", views(&scene, &four))?;

    let kinds = kinds()?;
    let scene = Scene::new("kinds").figure(Figure::new(&kinds, &Pose::rest(&kinds)));
    save("kinds", views(&scene, &ViewsOptions::default()))?;
    let chain = sinew_f64::rigs::chain(12, 1.0);
    let scene = Scene::new("chain").figure(Figure::new(&chain, &Pose::rest(&chain)));
    save("chain", views(&scene, &ViewsOptions::default()))?;

    save("goals", goals(&person))?;
    save("strip", walking_strip(&person))?;
    save("ghosts", ghosts(&person))?;
    save("compared", compared(&person))?;
    save("lines", lines().draw()?)?;
    save("loglog", loglog().draw()?)?;
    save("histogram", histogram().draw()?)?;
    Ok(())
}

/// A plain person of fifteen joints with limits of several kinds.
fn person() -> Result<Skeleton, sinew_f64::skeleton::BuildError> {
    let cone = |bone: Vec3, degrees: f64, twist: f64| {
        SwingTwistLimit::along(bone, Vec3::Z)
            .swing(SwingShape::Cone(Cone { radius: degrees.to_radians() }))
            .twist(-twist.to_radians(), twist.to_radians())
    };
    let mut b = SkeletonBuilder::new("person");
    let hips = b.add(JointDef::new("hips").at(Vec3::Y * 0.95).kind(JointKind::Free));
    let chest = b.add(JointDef::new("chest").under(hips).at(Vec3::Y * 0.25).limit(cone(Vec3::Y, 35.0, 40.0)));
    let neck = b.add(JointDef::new("neck").under(chest).at(Vec3::Y * 0.28).limit(cone(Vec3::Y, 30.0, 30.0)));
    b.add(JointDef::new("head").under(neck).at(Vec3::Y * 0.1).tip(Vec3::Y * 0.2).limit(cone(
        Vec3::Y,
        40.0,
        60.0,
    )));
    for (side, s) in [("left", 1.0), ("right", -1.0)] {
        let out = Vec3::X * s;
        let name = |part: &str| format!("{side}_{part}");
        let shoulder = JointDef::new(name("shoulder")).under(chest).at(out * 0.18 + Vec3::Y * 0.2);
        let shoulder = b.add(shoulder.limit(cone(out, 85.0, 60.0)));
        let elbow = JointDef::new(name("elbow")).under(shoulder).at(out * 0.3);
        let elbow = b.add(elbow.hinge_range(Vec3::Y * -s, 0.0, 2.5));
        let wrist = JointDef::new(name("wrist")).under(elbow).at(out * 0.26).tip(out * 0.18);
        b.add(wrist.limit(cone(out, 60.0, 5.0)));
        let hip = JointDef::new(name("hip")).under(hips).at(out * 0.1);
        let hip = b.add(hip.limit(cone(-Vec3::Y, 70.0, 40.0)));
        let knee =
            b.add(JointDef::new(name("knee")).under(hip).at(Vec3::Y * -0.43).hinge_range(Vec3::X, 0.0, 2.4));
        let foot = Vec3::new(0.0, -0.06, 0.2);
        let ankle = JointDef::new(name("ankle")).under(knee).at(Vec3::Y * -0.44).tip(foot);
        b.add(ankle.limit(cone(foot.normalize(), 30.0, 15.0)));
    }
    b.build()
}

/// One joint of each kind in a row.
fn kinds() -> Result<Skeleton, sinew_f64::skeleton::BuildError> {
    let mut b = SkeletonBuilder::new("kinds");
    let step = Vec3::X * 0.25;
    let mut last = b.add(JointDef::new("free").kind(JointKind::Free));
    let kinds =
        [
            JointDef::new("ball"),
            JointDef::new("hinge x").hinge_range(Vec3::X, -1.0, 2.0),
            JointDef::new("hinge z").hinge_range(Vec3::Z, -0.5, 1.2),
            JointDef::new("hinge y").hinge_range(Vec3::Y, -PI, PI),
            JointDef::new("universal").kind(JointKind::Universal { first: Vec3::Z, second: Vec3::Y }),
            JointDef::new("prismatic")
                .kind(JointKind::Prismatic { axis: Vec3::Y })
                .limit(JointLimit::prismatic(Vec3::Y, -0.1, 0.2)),
            JointDef::new("fixed").kind(JointKind::Fixed).tip(step),
        ];
    for def in kinds {
        last = b.add(def.under(last).at(step));
    }
    b.build()
}

fn turn(skeleton: &Skeleton, pose: &mut Pose, joint: &str, by: Vec3) {
    if let Some(id) = skeleton.find(joint) {
        pose.set_rotation(id, rotation::exp(by));
    }
}

fn step(skeleton: &Skeleton, phase: f64) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (side, s) in [("left", 1.0), ("right", -1.0)] {
        let swing = s * phase.sin();
        turn(skeleton, &mut pose, &format!("{side}_hip"), Vec3::X * -0.5 * swing);
        turn(skeleton, &mut pose, &format!("{side}_knee"), Vec3::X * (0.5 - 0.4 * (phase + s).cos()));
        turn(skeleton, &mut pose, &format!("{side}_shoulder"), Vec3::Z * -1.3 * s);
    }
    pose.set_translation(skeleton.root(), Vec3::Z * 0.25 * phase);
    pose
}

fn goals(person: &Skeleton) -> Drawing {
    let mut pose = Pose::rest(person);
    turn(person, &mut pose, "left_shoulder", Vec3::new(0.0, -0.9, 0.4));
    turn(person, &mut pose, "left_elbow", Vec3::Y * -0.8);
    let model = ModelPose::new(person, &pose);
    let goal = |name: &str, to: Vec3| person.find(name).map(|id| (id, to));
    let wanted: GoalSet =
        [goal("left_wrist", Vec3::new(0.25, 1.3, 0.55)), goal("right_wrist", Vec3::new(-0.8, 1.5, 0.2))]
            .into_iter()
            .flatten()
            .map(|(id, to)| Goal::pose(id, Transform::new(to, Quat::from_rotation_y(0.4))))
            .collect();
    let scene = Scene::new("goals and an obstacle")
        .figure(Figure::new(person, &pose).limits(false).names(false))
        .goals(&wanted, &model)
        .target(Vec3::new(0.0, 1.6, 0.8), "cup")
        .obstacle(Vec3::new(0.1, 0.4, 0.6), Vec3::new(0.5, 0.4, 0.15));
    views(&scene, &ViewsOptions::default())
}

fn walking_strip(person: &Skeleton) -> Drawing {
    let scenes: Vec<Scene> = (0..8)
        .map(|i| {
            let figure = Figure::new(person, &step(person, i as f64 * 0.8)).limits(false).names(false);
            Scene::new(format!("frame {}, {:.2} s", i * 12, i as f64 * 0.1)).figure(figure)
        })
        .collect();
    strip(
        &scenes,
        &StripOptions { view: View::Side, title: "a strip".into(), legend: true, ..Default::default() },
    )
}

fn ghosts(person: &Skeleton) -> Drawing {
    let ground: Vec<Vec3> = (0..60)
        .map(|i| f64::from(i) * 0.06 - 0.8)
        .map(|z| Vec3::new(0.0, 0.05 * (4.0 * z).sin() - 0.05, z))
        .collect();
    let mut scene = Scene::new("ghosts over terrain").terrain(ground);
    for i in 0..5 {
        let style = if i == 4 { FigureStyle::Sides } else { FigureStyle::Ghost(color::LEFT) };
        let figure = Figure::new(person, &step(person, f64::from(i) * 1.6)).limits(false).names(false);
        scene = scene.figure(figure.style(style).caption("before"));
    }
    views(&scene, &ViewsOptions { views: vec![View::Side], ..Default::default() })
}

fn compared(person: &Skeleton) -> Drawing {
    let (a, b) = (step(person, 0.6), step(person, 1.0));
    let figure = |pose, ink, words: &str| {
        Figure::new(person, pose).limits(false).names(false).style(FigureStyle::Tint(ink)).caption(words)
    };
    let scene = Scene::new("two poses compared")
        .figure(figure(&a, color::SERIES[0], "recorded"))
        .figure(figure(&b, color::SERIES[1], "reconstructed"));
    views(&scene, &ViewsOptions::default())
}

fn lines() -> Plot {
    let wave = |f: f64| {
        (0..400).map(move |i| f64::from(i) * 0.01).map(move |t| (t, (f * t).sin() * (-t * 0.4).exp()))
    };
    Plot::new("joint angle over time")
        .x(Axis::linear("time, s"))
        .y(Axis::linear("angle, rad"))
        .line("light", wave(5.0))
        .line("heavy", wave(3.0))
        .level("bound", 0.9)
}

fn loglog() -> Plot {
    let sizes = [10.0, 30.0, 100.0, 300.0, 1000.0];
    Plot::new("time of a solve")
        .x(Axis::log("joints"))
        .y(Axis::log("time, µs"))
        .line_with_points("FABRIK", sizes.map(|n: f64| (n, 0.21 * n.powf(1.04))))
        .line_with_points("CCD", sizes.map(|n: f64| (n, 0.5 * n.powf(1.3))))
        .level("asked for", 500.0)
}

fn histogram() -> Histogram {
    let sample = |seed: f64, spread: f64| {
        (1..4000).map(move |i| {
            (f64::from(i) * seed).sin().abs() * (f64::from(i) * seed * 1.7).cos().abs() * spread
        })
    };
    Histogram::new("error of 4000 solves", Axis::log("error, m"), 50)
        .sample("ERIK", sample(12.9898, 0.01))
        .sample("DLS", sample(78.233, 0.08))
}
