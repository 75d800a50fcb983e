//! `sinew reach`: a hand goes somewhere and the whole body helps.

mod document;
mod obstacle;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use sinew_draw::{Figure, Scene, StripOptions, SwingPlaneOptions, View};
use sinew_f64::analytic::Limb;
use sinew_f64::body::reach::{
    Behaviour, ReachOptions, ReachPlan, ReachPlanOptions, ReachReport, ReachSolver, Style, Surroundings,
    minimum_jerk, standing,
};
use sinew_f64::collision::{CollisionBody, CollisionScene};
use sinew_f64::error::RigError;
use sinew_f64::math::Vec2;
use sinew_f64::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use sinew_f64::{ModelPose, Pose, Target, Vec3};
use sinew_io::{Motion, WriteOptions};

use crate::arguments::{Hand, ReachArguments, ViewName};
use crate::cause::Told;
use crate::commands::solve::goal;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::output::{FAINT, GOOD, NAME, NOTE, Output, note, say};
use crate::resolve::Input;

/// Everything about a reach that was carried out.
pub struct Reach {
    pub behaviour: String,
    pub targets: Vec<(Side, Target)>,
    pub report: ReachReport,
    /// What stood in the way.
    pub told: Told,
    pub frames: Vec<Pose>,
    pub frame_time: f64,
    /// Frames at which the hands were on the straight lines to their targets.
    pub on_path: usize,
    /// How far the hands are from these lines at most, in metres.
    pub off_line: f64,
    /// The largest turn of a joint from one frame to the next, in radians.
    pub largest_step: f64,
    /// How long it took to decide the motion, in microseconds.
    pub planning: f64,
    /// The median time of a frame, in microseconds.
    pub micros: f64,
    /// The way of the goal over the swing plane, of the first hand that reaches.
    pub way: Vec<Vec2>,
    scene: CollisionScene,
}

/// More frames than this are a slip of the keyboard.
const MOST_FRAMES: f64 = 100_000.0;

pub fn run(arguments: &ReachArguments, output: &mut Output) -> Result<()> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if !arguments.seconds.is_none_or(positive) || !positive(arguments.fps) || !arguments.grip.is_finite() {
        return Err(usage("--seconds and --fps must be above zero, and --grip a number"));
    }
    if arguments.seconds.unwrap_or(1.0) * arguments.fps > MOST_FRAMES {
        return Err(usage(format!("--seconds times --fps are more than {MOST_FRAMES} frames")));
    }
    let inputs = || {
        let files = std::iter::once(&arguments.input).chain(&arguments.obstacles);
        files.map(|text| files::named_in(text)).chain(arguments.behaviour.as_deref())
    };
    if let Some(path) = &arguments.output {
        files::check(output, path, &[Kind::Motion, Kind::Picture, Kind::Json], inputs())?;
    }
    if let Some(path) = &arguments.swing_plane {
        files::check(output, path, &[Kind::Picture], inputs())?;
    }
    let input = Input::open(&arguments.input, &arguments.read)?;
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let map = input.humanoid();
    let (mut solver, behaviour) = solver(arguments, &input, &map)?;
    let targets = targets(arguments, &map)?;
    let mut scene = CollisionScene::new();
    for text in &arguments.obstacles {
        obstacle::add(text, &mut scene)?;
    }
    let reach = carry_out(arguments, &input, &map, &mut solver, behaviour, targets, scene)?;
    if arguments.json {
        output.json(&document::Document::new(&input.asset.skeleton, &reach))?;
    } else {
        tell(&reach, output)?;
    }
    if let Some(path) = &arguments.output {
        save(path, arguments, &input, &reach)?;
        written(path, arguments, output)?;
    }
    if let Some(path) = &arguments.swing_plane {
        let side = if arguments.hand == Hand::Left { Side::Left } else { Side::Right };
        let behaviour = solver.behaviour(side).context("this arm has no behaviour")?;
        let options = SwingPlaneOptions { path: reach.way.clone(), ..SwingPlaneOptions::default() };
        files::write_picture(path, &sinew_draw::swing_plane(behaviour, &options), 1200)?;
        written(path, arguments, output)?;
    }
    Ok(())
}

fn written(path: &Path, arguments: &ReachArguments, output: &mut Output) -> Result<()> {
    match arguments.json {
        true => Ok(()),
        false => say!(output, "{NAME}{}{NAME:#} written", path.display()),
    }
}

/// The solver with its behaviours, and what they are called.
fn solver(arguments: &ReachArguments, input: &Input, map: &HumanoidMap) -> Result<(ReachSolver, String)> {
    let skeleton = &input.asset.skeleton;
    let name = match (&arguments.behaviour, arguments.hand) {
        (Some(name), _) => name.as_str(),
        (None, Hand::Both) => Style::TwoHanded.name(),
        (None, _) => Style::Plain.name(),
    };
    let mut behaviours: Vec<Behaviour> = Vec::new();
    for side in Side::BOTH {
        let own = input.asset.behaviours.iter().find(|b| b.name() == name && b.side() == side);
        behaviours.extend(own.cloned().or_else(|| Style::from_name(name)?.behaviour(skeleton, map, side)));
    }
    if behaviours.is_empty() && Style::from_name(name).is_none() {
        let own = input.asset.behaviours.iter().map(Behaviour::name);
        let mut known: Vec<&str> = own.chain(Style::ALL.iter().map(|style| style.name())).collect();
        known.dedup();
        return Err(usage(format!("there is no behaviour '{name}'; there are {}", known.join(", "))));
    }
    let initial = match &arguments.from {
        Some(from) => {
            let found = input.asset.postures.iter().find(|(known, _)| known == from);
            found.map(|(_, pose)| pose.clone()).ok_or_else(|| {
                usage(format!("--from {from}: {} has no posture of that name", input.origin.name()))
            })?
        }
        None => {
            let stance = behaviours.iter().find_map(|b| b.stance().cloned());
            stance.unwrap_or_else(|| standing(skeleton, map))
        }
    };
    let options = if arguments.published { ReachOptions::published() } else { ReachOptions::default() };
    let mut solver = ReachSolver::new(skeleton, map, &initial, options).map_err(|error| {
        anyhow!("{} cannot reach: {error}; --map PART=JOINT names a part", input.origin.name())
    })?;
    for side in Side::BOTH {
        if let Err(error) = Limb::leg(skeleton, map, side) {
            let foot = HumanoidBone::Foot(side);
            // Which joint would do: one that was named and hangs elsewhere is not what is missing.
            let which = match &error {
                RigError::Missing(bone) => format!("--map {bone}=JOINT names it"),
                RigError::NotBelow { above, .. } => {
                    format!("--map {foot}=JOINT names a joint below '{above}'")
                }
                _ => format!("--map {foot}=JOINT names another"),
            };
            note(&format!("the {} foot is not held: {error}; {which}", side_word(side)));
        }
    }
    for behaviour in behaviours {
        solver.set_behaviour(behaviour)?;
    }
    Ok((solver, name.to_owned()))
}

fn targets(arguments: &ReachArguments, map: &HumanoidMap) -> Result<Vec<(Side, Target)>> {
    let wrong = |why: &str| usage(format!("--to {}: {why}; expected x,y,z[@yaw,pitch,roll]", arguments.to));
    let (place, turn) = match arguments.to.split_once('@') {
        Some((place, turn)) => (place, Some(turn)),
        None => (arguments.to.as_str(), None),
    };
    let position = goal::vector(place).ok_or_else(|| wrong("the position is not three numbers up to 1e9"))?;
    let orientation = turn
        .map(|turn| {
            goal::vector(turn)
                .map(goal::orientation)
                .ok_or_else(|| wrong("the angles are not three numbers up to 1e9"))
        })
        .transpose()?;
    let at = |side: Side, position: Vec3| (side, Target::from_parts(position, orientation));
    let left = map.facing().map_or(Vec3::X, |facing| facing.left) * (0.5 * arguments.grip);
    Ok(match arguments.hand {
        Hand::Right => vec![at(Side::Right, position)],
        Hand::Left => vec![at(Side::Left, position)],
        Hand::Both => vec![at(Side::Left, position + left), at(Side::Right, position - left)],
    })
}

fn carry_out(
    arguments: &ReachArguments,
    input: &Input,
    map: &HumanoidMap,
    solver: &mut ReachSolver,
    behaviour: String,
    targets: Vec<(Side, Target)>,
    scene: CollisionScene,
) -> Result<Reach> {
    let skeleton = &input.asset.skeleton;
    let mut starts = Vec::new();
    for &(side, _) in &targets {
        let Some(arm) = solver.arm(side) else {
            return Err(anyhow!("{} has no {} arm that can reach", input.origin.name(), side_word(side)));
        };
        starts.push(solver.initial_model().transform(arm.joints().end));
    }
    let body = CollisionBody::from_rig(skeleton, map);
    let mut around = arguments
        .collisions
        .is_on()
        .then(|| Surroundings::new(skeleton, map, body, scene.clone(), solver.initial_model()));
    let start = Instant::now();
    let mut plan = (!arguments.published)
        .then(|| ReachPlan::new(skeleton, solver, &targets, around.as_mut(), &ReachPlanOptions::default()));
    let planning = start.elapsed().as_secs_f64() * 1.0e6;
    let seconds = arguments.seconds.unwrap_or(plan.as_ref().map_or(1.0, ReachPlan::duration));
    let count = (seconds * arguments.fps).round().max(1.0) as usize;
    let mut pose = solver.initial().clone();
    let mut frames: Vec<Pose> = Vec::with_capacity(count + 1);
    let (mut times, mut way) = (Vec::with_capacity(count + 1), Vec::new());
    let (mut on_path, mut off_line, mut largest_step, mut last) = (0, 0.0_f64, 0.0_f64, None);
    for frame in 0..=count {
        let start = Instant::now();
        match &mut plan {
            Some(plan) => plan.sample(skeleton, frame as f64, count as f64, &mut pose),
            // The paper's motion: the goal goes along the line, and every frame is a reach of its own.
            None => {
                let part = minimum_jerk(frame as f64 / count as f64);
                let on_the_way = targets.iter().zip(&starts);
                let goals: Vec<_> =
                    on_the_way.map(|(&(side, to), from)| (side, to.part_of_the_way(*from, part))).collect();
                let report = match &mut around {
                    Some(around) => solver.solve_among(skeleton, &goals, around, 1.0, &mut pose),
                    None => solver.solve(skeleton, &goals, 1.0, &mut pose),
                };
                last = Some(report.clone());
            }
        }
        times.push(start.elapsed().as_secs_f64() * 1.0e6);
        let model = ModelPose::new(skeleton, &pose);
        let mut straight = true;
        for (&(side, to), from) in targets.iter().zip(&starts) {
            let Some(arm) = solver.arm(side) else { continue };
            let at = model.position(arm.joints().end);
            let off = from_line(from.translation, to.position().unwrap_or(from.translation), at);
            straight &= off < ON_PATH;
            off_line = off_line.max(off);
            if way.len() == frame {
                way.extend(solver.swing_to(side, at));
            }
        }
        on_path += usize::from(straight);
        if let Some(before) = frames.last() {
            let turn =
                |id| sinew_f64::math::rotation::angle(pose.rotation(id) * before.rotation(id).conjugate());
            largest_step = skeleton.ids().map(turn).fold(largest_step, f64::max);
        }
        frames.push(pose.clone());
    }
    times.sort_by(f64::total_cmp);
    let report = plan.map(|plan| plan.report().clone()).or(last).context("a motion without frames")?;
    let told = Told::of_reach(&report, skeleton, around.as_ref());
    Ok(Reach {
        behaviour,
        targets,
        told,
        report,
        frames,
        frame_time: seconds / count as f64,
        on_path,
        off_line,
        largest_step,
        planning,
        micros: times[times.len() / 2],
        way,
        scene,
    })
}

/// A hand within this of its line is on it, in metres.
const ON_PATH: f64 = 1.0e-3;

/// How far a point is from a piece of a line.
fn from_line(from: Vec3, to: Vec3, at: Vec3) -> f64 {
    let line = to - from;
    let part = (at - from).dot(line) / line.length_squared().max(1.0e-12);
    at.distance(from + line * part.clamp(0.0, 1.0))
}

pub const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn tell(reach: &Reach, output: &mut Output) -> Result<()> {
    let count = reach.frames.len();
    let summary =
        format!("{count} frames, {:.1} µs each, decided in {:.2} ms", reach.micros, reach.planning * 1.0e-3);
    match &reach.told.cause {
        None => say!(output, "{GOOD}reached{GOOD:#} as '{}': {summary}", reach.behaviour)?,
        Some(cause) => {
            say!(output, "{NOTE}not reached{NOTE:#} as '{}': {cause}", reach.behaviour)?;
            say!(output, "  {FAINT}{summary}{FAINT:#}")?;
        }
    }
    for &(side, target) in &reach.targets {
        let Some(hand) = reach.report.hand(side) else { continue };
        let mut off = format!("{:.4} mm", hand.outcome.residual.position * 1.0e3);
        if matches!(target, Target::Pose(_)) {
            off += &format!(", {:.4}°", hand.outcome.residual.orientation.to_degrees());
        }
        say!(
            output,
            "  {NAME}{} hand{NAME:#} {FAINT}off by{FAINT:#} {off}{FAINT}, body{FAINT:#} {:.0}%{FAINT}, elbow at{FAINT:#} {:.0}°",
            side_word(side),
            reach.report.weights[side as usize] * 100.0,
            hand.swivel.to_degrees()
        )?;
    }
    let way = match reach.off_line {
        _ if reach.largest_step <= 0.0 => "the body stands still".to_owned(),
        off if off < ON_PATH => "the hand goes straight".to_owned(),
        off => format!("the hand leaves the straight line by up to {:.0} mm", off * 1.0e3),
    };
    say!(
        output,
        "  {FAINT}feet off by{FAINT:#} {:.4} mm{FAINT},{FAINT:#} {way}{FAINT}, largest turn of a joint in a frame{FAINT:#} {:.1}°",
        reach.report.feet * 1.0e3,
        reach.largest_step.to_degrees()
    )?;
    Ok(())
}

/// How many frames a picture shows.
const SHOWN: usize = 5;

fn save(path: &Path, arguments: &ReachArguments, input: &Input, reach: &Reach) -> Result<()> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "png" | "svg" => files::write_picture(path, &strip(arguments, input, reach), 1800),
        "json" => files::write_json(path, &document::Document::new(&input.asset.skeleton, reach)),
        _ => {
            let mut asset = input.asset.clone();
            let name = format!("reach {}", reach.behaviour);
            asset.motions = vec![Motion::new(name, reach.frame_time, reach.frames.clone())];
            files::write_asset(path, &asset, &WriteOptions::default())
        }
    }
}

/// Five frames of the motion side by side.
fn strip(arguments: &ReachArguments, input: &Input, reach: &Reach) -> sinew_draw::Drawing {
    let skeleton = &input.asset.skeleton;
    let last = reach.frames.len() - 1;
    let ends = Side::BOTH.map(|side| input.humanoid().arm(side).map(|arm| arm.end));
    let scenes: Vec<Scene> = (0..SHOWN)
        .map(|i| {
            let frame = last * i / (SHOWN - 1);
            let time = frame as f64 * reach.frame_time;
            let mut scene = Scene::new(format!("{time:.2} s"));
            scene = obstacle::draw(scene, &reach.scene);
            for (side, target) in &reach.targets {
                let Some(end) = ends[*side as usize] else { continue };
                let done = reach.frames[..=frame].iter();
                let way: Vec<Vec3> = done.map(|pose| ModelPose::new(skeleton, pose).position(end)).collect();
                scene = scene
                    .path(way, sinew_draw::color::TARGET)
                    .target(target.position().unwrap_or_default(), "");
            }
            scene.figure(Figure::new(skeleton, &reach.frames[frame]).limits(false).names(false))
        })
        .collect();
    let view = match arguments.view {
        ViewName::Front => View::Front,
        ViewName::Side => View::Side,
        ViewName::Top => View::Top,
        ViewName::Turned => View::Turned,
    };
    let note = reach.told.cause.clone().unwrap_or_else(|| "reached".into());
    let options = StripOptions {
        view,
        title: format!("{} reaches, {}", input.origin.title(), reach.behaviour),
        note,
        follow: false,
        width: 1500.0,
        ..StripOptions::default()
    };
    sinew_draw::strip(&scenes, &options)
}
