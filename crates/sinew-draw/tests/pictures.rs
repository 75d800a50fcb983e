//! Pictures of hard cases: they must exist, be sound SVG, and rasterise.

#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

use resvg::tiny_skia::Pixmap;
use sinew_draw::{Figure, FigureStyle, Scene, StripOptions, View, ViewsOptions, color, strip, views};
use sinew_f64::{JointDef, Pose, Quat, Skeleton, SkeletonBuilder, Vec3};

fn one_joint() -> Skeleton {
    let mut b = SkeletonBuilder::new("one");
    b.add(JointDef::new("only"));
    b.build().unwrap()
}

fn png_of(drawing: &sinew_draw::Drawing) -> Pixmap {
    assert!(!drawing.svg().contains("NaN") && !drawing.svg().contains("inf"));
    let pixels = Pixmap::decode_png(&drawing.png(600).unwrap()).unwrap();
    let (width, height) = drawing.size();
    assert_eq!(pixels.width(), 600);
    assert_eq!(pixels.height(), (600.0 * height / width).round() as u32);
    pixels
}

fn scene_of(skeleton: &Skeleton, pose: &Pose) -> Scene {
    Scene::new("test").figure(Figure::new(skeleton, pose))
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let chain = sinew_f64::rigs::chain(6, 1.0);
    let draw = || views(&scene_of(&chain, &Pose::rest(&chain)), &ViewsOptions::default());
    assert_eq!(draw().svg(), draw().svg());
    assert_eq!(draw().png(500).unwrap(), draw().png(500).unwrap());
}

#[test]
fn something_is_drawn_where_the_bones_are() {
    let chain = sinew_f64::rigs::chain(6, 1.0);
    let pixels = png_of(&views(&scene_of(&chain, &Pose::rest(&chain)), &ViewsOptions::default()));
    let dark = pixels.pixels().iter().filter(|p| p.red() < 150 && p.green() < 150).count();
    assert!(dark > 500, "only {dark} dark pixels");
}

#[test]
fn empty_scenes_points_and_single_joints_are_pictures() {
    png_of(&views(&Scene::new("empty"), &ViewsOptions::default()));
    png_of(&views(&Scene::default(), &ViewsOptions { views: Vec::new(), ..Default::default() }));
    png_of(&views(&Scene::new("a point").dot(Vec3::ONE, color::LEFT), &ViewsOptions::default()));
    let one = one_joint();
    png_of(&views(&scene_of(&one, &Pose::rest(&one)), &ViewsOptions::default()));
    png_of(&strip(&[], &StripOptions::default()));
}

#[test]
fn numbers_that_are_not_numbers_are_left_out() {
    let chain = sinew_f64::rigs::chain(4, 1.0);
    let mut pose = Pose::rest(&chain);
    let id = chain.find("joint2").unwrap();
    pose.set_rotation(id, Quat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
    pose.set_translation(id, Vec3::new(f64::INFINITY, 0.0, 0.0));
    let scene = scene_of(&chain, &pose)
        .target(Vec3::splat(f64::NAN), "nowhere")
        .obstacle(Vec3::ZERO, Vec3::splat(f64::INFINITY))
        .path(vec![Vec3::ZERO, Vec3::splat(f64::NAN), Vec3::X], color::LEFT)
        .label(Vec3::splat(f64::NEG_INFINITY), "nowhere");
    png_of(&views(&scene, &ViewsOptions::default()));
    let far = Scene::new("far").dot(Vec3::splat(1.0e300), color::LEFT).dot(Vec3::ZERO, color::LEFT);
    png_of(&views(&far, &ViewsOptions::default()));
}

#[test]
fn huge_and_tiny_figures_look_alike() {
    for size in [1.0e-6, 1.0, 1.0e6] {
        let chain = sinew_f64::rigs::chain(5, size);
        let drawing = views(&scene_of(&chain, &Pose::rest(&chain)), &ViewsOptions::default());
        let (width, height) = drawing.size();
        assert!(width == 1200.0 && (300.0..900.0).contains(&height), "{size}: {height}");
        png_of(&drawing);
    }
}

#[test]
fn names_are_text_whatever_they_hold() {
    let mut b = SkeletonBuilder::new("t");
    let root = b.add(JointDef::new("<script>alert(1)</script>"));
    b.add(JointDef::new("腕 \u{1b}[31m & \"quoted\"").under(root).at(Vec3::Y));
    let skeleton = b.build().unwrap();
    let drawing = views(&scene_of(&skeleton, &Pose::rest(&skeleton)), &ViewsOptions::default());
    assert!(!drawing.svg().contains("<script") && !drawing.svg().contains('\u{1b}'));
    assert!(drawing.svg().contains('腕'));
    png_of(&drawing);
}

#[test]
fn a_pose_of_another_skeleton_is_drawn_at_rest() {
    let (short, long) = (sinew_f64::rigs::chain(2, 1.0), sinew_f64::rigs::chain(9, 1.0));
    png_of(&views(&scene_of(&long, &Pose::rest(&short)), &ViewsOptions::default()));
}

#[test]
fn strips_show_every_scene_and_ghosts_are_pale() {
    let chain = sinew_f64::rigs::chain(3, 1.0);
    let scenes: Vec<Scene> = (0..12)
        .map(|i| {
            let ghost = FigureStyle::Ghost(color::LEFT);
            Scene::new(format!("frame {i}"))
                .figure(Figure::new(&chain, &Pose::rest(&chain)).style(ghost))
                .figure(Figure::new(&chain, &Pose::rest(&chain)).names(false))
        })
        .collect();
    let drawing = strip(&scenes, &StripOptions { view: View::Side, legend: true, ..Default::default() });
    assert!((0..12).all(|i| drawing.svg().contains(&format!(">frame {i}<"))));
    assert!(drawing.svg().contains("<g opacity=\"0.35\">"));
    png_of(&drawing);
}

#[test]
fn every_embedded_rig_can_be_drawn() {
    for rig in sinew_f64::rigs::all() {
        let skeleton = rig.build();
        let drawing = views(&scene_of(&skeleton, &Pose::rest(&skeleton)), &ViewsOptions::default());
        png_of(&drawing);
    }
}
