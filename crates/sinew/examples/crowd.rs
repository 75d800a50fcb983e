//! A crowd on threads: skeleton and goals are shared, every character has its own pose and a
//! clone of one solver. The engine starts no thread itself, and any number of them gives the same
//! bits.
//!
//! cargo run -p sinew --example crowd --release

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use sinew::{Goal, GoalSet, Pose, Solver, SolverSpec, Target, Vec3, rigs};

const CROWD: usize = 64;

/// Where a character reaches in a frame.
fn target(character: usize, frame: usize) -> Target {
    let phase = character as f32 * 0.7 + frame as f32 * 0.1;
    Target::Position(Vec3::new(0.45 + 0.1 * phase.sin(), 1.2 + 0.15 * phase.cos(), 0.35))
}

fn run(threads: usize) -> Result<Vec<Pose>, sinew::error::RigError> {
    let human = rigs::humanoid(Default::default());
    let wrist = human.find("l_wrist").expect("the rig has a wrist");
    let mut goals = GoalSet::new();
    let hand = goals.add(Goal::position(wrist, Vec3::ZERO));
    // Built once; a clone allocates, solving does not.
    let solver: Solver = SolverSpec::default().build(&human, &goals)?;
    let mut poses = vec![Pose::rest(&human); CROWD];
    let share = CROWD.div_ceil(threads);
    std::thread::scope(|scope| {
        for (part, poses) in poses.chunks_mut(share).enumerate() {
            let (human, mut goals, solver) = (&human, goals.clone(), &solver);
            scope.spawn(move || {
                for (i, pose) in poses.iter_mut().enumerate() {
                    let mut solver = solver.clone();
                    for frame in 0..10 {
                        goals.set_target(hand, target(part * share + i, frame));
                        let report = solver.solve(human, &goals, pose);
                        assert!(report.reached(), "{:?}", report.cause);
                    }
                }
            });
        }
    });
    Ok(poses)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let alone = run(1)?;
    for threads in [2, 3, 8] {
        assert_eq!(run(threads)?, alone, "the same bits on {threads} threads");
    }
    println!("{CROWD} characters, the same bits on 1, 2, 3 and 8 threads");
    Ok(())
}
