//! Draws the behaviours that come with sinew at several targets, one row each.
//!
//! `cargo run -p sinew-draw --example behaviours -- FOLDER`

use sinew_draw::{Figure, Scene, StripOptions, View, strip};
use sinew_f64::body::reach::{ReachOptions, ReachSolver, Style};
use sinew_f64::skeleton::humanoid::{HumanoidMap, Side};
use sinew_f64::{Pose, Target, Vec3, rigs};

const TARGETS: [(&str, [f64; 3]); 8] = [
    ("near", [-0.25, 1.2, 0.3]),
    ("ahead, far", [-0.15, 1.3, 0.85]),
    ("low ahead", [-0.15, 0.5, 0.55]),
    ("floor", [-0.2, 0.2, 0.35]),
    ("high", [-0.2, 2.05, 0.25]),
    ("across", [0.55, 1.2, 0.45]),
    ("side", [-0.95, 1.2, 0.05]),
    ("behind", [-0.6, 1.2, -0.5]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let human = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&human);
    for style in Style::ALL {
        let behaviours = Side::BOTH.map(|side| style.behaviour(&human, &map, side));
        let stance = behaviours[1].as_ref().and_then(|b| b.stance().cloned()).unwrap_or(Pose::rest(&human));
        let options = ReachOptions { follow: None, ..ReachOptions::default() };
        let mut solver = ReachSolver::new(&human, &map, &stance, options)?;
        for behaviour in behaviours.into_iter().flatten() {
            solver.set_behaviour(behaviour)?;
        }
        for view in [View::Side, View::Front] {
            let scenes: Vec<Scene> = TARGETS
                .iter()
                .map(|(name, at)| {
                    let at = Vec3::from_array(*at);
                    let mut pose = Pose::rest(&human);
                    let both = style == Style::TwoHanded;
                    let half = Vec3::X * if both { 0.15 } else { 0.0 };
                    let right = (Side::Right, Target::Position(at - half));
                    let left = (Side::Left, Target::Position(at + half));
                    let targets = if both { vec![left, right] } else { vec![right] };
                    let report = solver.solve(&human, &targets, 1.0 / 30.0, &mut pose);
                    let hand = report.weights[1];
                    let words = match report.reached() {
                        true => format!("{name}, u {hand:.2}"),
                        false => format!("{name}, u {hand:.2}, not reached"),
                    };
                    eprintln!(
                        "{} {name}: {:?} kept {:.2} feet {:.1e}",
                        style.name(),
                        report.cause,
                        report.kept,
                        report.feet
                    );
                    Scene::new(words)
                        .figure(Figure::new(&human, &pose).limits(false).names(false))
                        .target(at, "")
                })
                .collect();
            let options = StripOptions {
                view,
                title: format!("{} ({})", style.name(), view.name()),
                follow: false,
                width: 1600.0,
                ..StripOptions::default()
            };
            let file = format!("{folder}/behaviour-{}-{}.png", style.name(), view.name());
            std::fs::write(&file, strip(&scenes, &options).encode(file.as_ref(), 1600)?)?;
        }
    }
    Ok(())
}
