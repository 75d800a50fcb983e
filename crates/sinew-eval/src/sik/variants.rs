//! What each addition to the published method gains, and what more or fewer
//! points, orientations and a polish afterwards do.

use anyhow::Result;
use sinew::analytic::LimbFollowerOptions;
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::skeleton::humanoid::Side;
use sinew::solver::ewbik::EwbikOptions;
use sinew::{Goal, GoalSet, ModelPose, SolverSpec, Target};
use sinew_motion::{Sequence, metric};

use crate::stats::mean;
use crate::table::{Cell, Table};

/// One way to reconstruct.
struct Variant {
    name: &'static str,
    options: SixPointOptions,
    points: Vec<Point>,
    orientations: bool,
    polish: bool,
}

fn variants() -> Vec<Variant> {
    let full = SixPointOptions::default();
    let paper = SixPointOptions::paper();
    let six = |name, options| Variant {
        name,
        options,
        points: Point::SIX.to_vec(),
        orientations: false,
        polish: false,
    };
    let mut all = vec![
        six("sik+ (six positions)", full),
        six("without the chest's own turn", SixPointOptions { chest: None, ..full }),
        six("without the pelvis' tilt", SixPointOptions { tilt: 0.0, ..full }),
        six("without the natural bend", SixPointOptions { bend_naturally: false, ..full }),
        six("a trunk that ignores short limbs", SixPointOptions { trunk_follows: false, ..full }),
        six("without its heading weights", SixPointOptions { pelvis: paper.pelvis, near: 0.0, ..full }),
        six("crossed limbs taken at their word", SixPointOptions { crossed: 1.0, ..full }),
        six("elbows may enter the torso", SixPointOptions { elbows_out: false, ..full }),
        six(
            "limits may give by 0.4 rad",
            SixPointOptions { limbs: LimbFollowerOptions { give: 0.4, ..full.limbs }, ..full },
        ),
    ];
    all.push(Variant { polish: true, ..six("polished by EWBIK", full) });
    all.push(Variant { orientations: true, ..six("with orientations (6-DoF trackers)", full) });
    // From a headset and two controllers up to a tracker on every joint.
    let six_points = Point::SIX.to_vec();
    let without = |points: &[Point]| six_points.iter().copied().filter(|p| !points.contains(p)).collect();
    let and = |more: &[Point]| six_points.iter().chain(more).copied().collect();
    let ankles = [Point::Ankle(Side::Left), Point::Ankle(Side::Right)];
    let elbows = [Point::Elbow(Side::Left), Point::Elbow(Side::Right)];
    let counts: [(&'static str, Vec<Point>); 8] = [
        ("3 points: head, wrists", Point::SIX[1..4].to_vec()),
        ("4 points: and the pelvis", without(&ankles)),
        ("5 points: all but the pelvis", without(&[Point::Pelvis])),
        ("5 points: all but the head", without(&[Point::Head])),
        ("7 points: six and the chest", and(&[Point::Chest])),
        ("8 points: six and the elbows", and(&elbows)),
        ("10 points: six, elbows and knees", Point::ALL.into_iter().filter(|p| *p != Point::Chest).collect()),
        ("11 points", Point::ALL.to_vec()),
    ];
    for (name, points) in &counts {
        all.push(Variant { points: points.clone(), ..six(name, full) });
    }
    let three = counts[0].1.clone();
    all.push(Variant { points: three, orientations: true, ..six("3 points with orientations", full) });
    all
}

/// The table over all sequences; every `stride`-th frame.
pub fn run(sequences: &[Sequence], stride: usize, mut tick: impl FnMut(&str)) -> Result<Table> {
    let mut columns = vec!["variant".to_owned()];
    columns.extend(sequences.iter().map(|s| format!("{}, position", s.name)));
    columns.extend(["average position".to_owned(), "average orientation, rad".to_owned()]);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("What the additions gain: RMS errors", &columns);
    for variant in variants() {
        tick(variant.name);
        let mut errors = Vec::new();
        for sequence in sequences {
            errors.push(one(&variant, sequence, stride)?);
        }
        let mut cells: Vec<Cell> = vec![variant.name.into()];
        cells.extend(errors.iter().map(|e| Cell::number(e.0, 4)));
        cells.push(Cell::number(mean(&errors.iter().map(|e| e.0).collect::<Vec<_>>()), 4));
        cells.push(Cell::number(mean(&errors.iter().map(|e| e.1).collect::<Vec<_>>()), 4));
        table.row(cells);
    }
    Ok(table)
}

fn one(variant: &Variant, sequence: &Sequence, stride: usize) -> Result<(f64, f64)> {
    let skeleton = &sequence.skeleton;
    let mut body = SixPoint::new(skeleton, &sequence.map, variant.options)?;
    let chosen: Vec<_> = sequence.frames.iter().step_by(stride.max(1)).collect();
    let given: Vec<Trackers> = chosen
        .iter()
        .map(|pose| {
            let model = ModelPose::new(skeleton, pose);
            let mut frame = Trackers::default();
            for &point in &variant.points {
                if let Some(joint) = body.joint(point) {
                    let orientation = variant.orientations.then(|| model.rotation(joint));
                    frame.set(point, Some(model.position(joint)), orientation);
                }
            }
            frame
        })
        .collect();
    let mut goals = GoalSet::default();
    let mut ids = Vec::new();
    for point in Point::SIX {
        if let Some(joint) = body.joint(point) {
            ids.push((goals.add(Goal::position(joint, Default::default())), point));
        }
    }
    let polish = EwbikOptions { iterations: 4, ..EwbikOptions::default() };
    let mut polish =
        if variant.polish { Some(SolverSpec::Ewbik(polish).build(skeleton, &goals)?) } else { None };
    let joints = sequence.compared();
    let height = f64::from(body.height());
    let mut pose = body.relaxed().clone();
    let (mut original, mut made) = (ModelPose::rest(skeleton), ModelPose::rest(skeleton));
    let mut errors = Vec::new();
    for (frame, truth) in given.iter().zip(chosen) {
        body.solve(skeleton, frame, sequence.time_step(stride), &mut pose);
        let mut shown = pose.clone();
        if let Some(polish) = &mut polish {
            for (id, point) in &ids {
                if let Some(at) = frame.position(*point) {
                    goals.set_target(*id, Target::Position(at));
                }
            }
            polish.solve(skeleton, &goals, &mut shown);
        }
        original.update(skeleton, truth);
        made.update(skeleton, &shown);
        errors.push(metric::compare(&joints, height, (truth, &original), (&shown, &made)));
    }
    Ok((metric::rms(errors.iter().map(|e| e.position)), metric::rms(errors.iter().map(|e| e.orientation))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sinew_motion::made;

    use super::*;

    /// A chest tracker once made the body worse: the spine bent away from it.
    #[test]
    fn every_tracker_helps() {
        let sequences = made::sequences().unwrap();
        let error = |points: &[Point], orientations: bool| {
            let options = SixPointOptions::default();
            let points = points.to_vec();
            let variant = Variant { name: "", options, points, orientations, polish: false };
            mean(&sequences.iter().map(|s| one(&variant, s, 4).unwrap().0).collect::<Vec<_>>())
        };
        let elbows = Side::BOTH.map(Point::Elbow);
        let knees = Side::BOTH.map(Point::Knee);
        let six = error(&Point::SIX, false);
        let mut last = six;
        let mut points = Point::SIX.to_vec();
        for more in [&[Point::Chest][..], &elbows, &knees] {
            points.extend(more);
            let now = error(&points, false);
            assert!(now < last, "{more:?}: {last} to {now}");
            last = now;
        }
        for more in [&[Point::Chest][..], &elbows, &knees] {
            let with: Vec<Point> = Point::SIX.iter().chain(more).copied().collect();
            assert!(error(&with, false) < six, "{more:?} alone");
        }
        // The chest's own turn tells of more than where it is.
        let with_chest: Vec<Point> = Point::SIX.into_iter().chain([Point::Chest]).collect();
        assert!(error(&with_chest, true) < error(&Point::SIX, true));
    }
}
