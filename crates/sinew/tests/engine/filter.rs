//! The motion filter against random set-points at random time steps: no bound
//! is ever exceeded, what is held is reached, nothing leaves its range.

// One of the two precisions is f64 already.
#![allow(clippy::useless_conversion)]

use proptest::prelude::*;
use sinew::filter::{AxisFilter, FilterOptions, MotionFilter, NoiseFilter, NoiseOptions};
use sinew::math::{ROUNDING, rotation};
use sinew::{
    Goal, GoalSet, JointDef, JointId, Pose, Quat, Real, Skeleton, SkeletonBuilder, SolverSpec, Vec3, rigs,
};

use crate::numbers::Numbers;

fn any_order() -> impl Strategy<Value = u32> {
    1u32..=3
}

fn any_options() -> impl Strategy<Value = FilterOptions> {
    (any_order(), 0.2..8.0f64, 0.5..60.0f64, 2.0..800.0f64, 0.0..0.95f64, 0.0..0.98f64, 0.2..6.0f64).prop_map(
        |(order, velocity, acceleration, jerk, smoothness, responsiveness, edge)| FilterOptions {
            order,
            velocity: velocity as Real,
            acceleration: acceleration as Real,
            jerk: jerk as Real,
            smoothness: smoothness as Real,
            responsiveness: responsiveness as Real,
            edge: edge as Real,
            ..FilterOptions::default()
        },
    )
}

/// Newton's divided difference of the last points, times the factorial: a mean
/// value of the derivative of that order.
fn difference(times: &[f64], places: &[f64], order: usize) -> f64 {
    let n = times.len() - order - 1;
    let mut table: Vec<f64> = places[n..].to_vec();
    for k in 1..=order {
        for i in 0..=order - k {
            table[i] = (table[i + 1] - table[i]) / (times[n + i + k] - times[n + i]);
        }
    }
    table[0] * (1..=order).product::<usize>() as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The outputs alone, as a servo sees them: positions, and mean values of
    /// the derivatives between them.
    #[test]
    fn no_bound_is_ever_exceeded_at_any_time_step(
        options in any_options(),
        steps in prop::collection::vec((-3.0..3.0f64, 1u32..40, 1.0e-3..0.08f64), 1..12),
        start in -1.0..1.0f64,
    ) {
        let (min, max) = (-1.2, 1.5);
        let mut axis = AxisFilter::new(options, min, max, start as Real);
        let mut times = vec![0.0];
        let mut places = vec![f64::from(axis.position())];
        for (setpoint, count, dt) in steps {
            for i in 0..count {
                // A step that changes from frame to frame.
                let dt = dt * (1.0 + 0.6 * f64::from(i).sin());
                let place = axis.step(setpoint as Real, dt as Real);
                prop_assert!(place.is_finite() && (min..=max).contains(&place), "{place}");
                times.push(times.last().unwrap() + f64::from(dt as Real));
                places.push(f64::from(place));
                prop_assert!(axis.velocity().abs() <= options.velocity);
                prop_assert!(axis.acceleration().abs() <= options.acceleration);
                // What rounding of a place makes of a difference.
                let noise = |order: i32| 40.0 * f64::from(ROUNDING) / (0.4 * dt).powi(order);
                let bounded = [(1, options.velocity), (2, options.acceleration), (3, options.jerk)];
                                for (order, bound) in bounded.into_iter().take(options.order as usize) {
                    if times.len() > order {
                        // The smallest of the last steps decides about noise.
                        let value = difference(&times, &places, order).abs();
                        let smallest = times.windows(2).rev().take(order).map(|w| w[1] - w[0]).fold(1.0, f64::min);
                        let noise = noise(order as i32) * (dt / smallest).powi(order as i32);
                        prop_assert!(
                            value <= f64::from(bound) * (1.0 + 1.0e-5) + noise,
                            "order {order}: {value} over {bound}, noise {noise}"
                        );
                    }
                }
            }
        }
    }

    /// A set-point that stays is reached and held, and from rest not passed.
    #[test]
    fn the_output_arrives_and_does_not_overshoot(
        options in any_options(),
        from in -1.2..1.5f64,
        to in -2.0..2.0f64,
        dt in 2.0e-3..0.1f64,
    ) {
        let mut axis = AxisFilter::new(options, -1.2, 1.5, from as Real);
        let (from, goal) = (from as Real, (to as Real).clamp(-1.2, 1.5));
        let side = if goal >= from { 1.0 } else { -1.0 };
        // The slowest creep over the whole range, and the time to start and stop.
        let o = options;
        let longest = 2.7 / (0.02 * o.velocity) + 4.0 * (o.velocity / o.acceleration + o.acceleration / o.jerk);
        let mut time = 0.0;
        while time < longest {
            let place = axis.step(to as Real, dt as Real);
            prop_assert!(side * (place - goal) <= 1.0e-3, "passed {goal}: {place}");
            time += dt as Real;
        }
        prop_assert!((axis.position() - goal).abs() < 2.0e-3, "{:?} for {goal}", axis);
        let held = axis.step(to as Real, 1.0);
        prop_assert!((axis.step(to as Real, 1.0) - held).abs() < 1.0e-4);
    }

    /// One long step and many short ones lead to nearly the same place.
    #[test]
    fn the_frame_rate_hardly_matters(options in any_options(), to in -1.0..1.0f64) {
        let mut coarse = AxisFilter::new(options, -1.2, 1.5, 0.0);
        let mut fine = coarse;
        for _ in 0..30 {
            coarse.step(to as Real, 1.0 / 30.0);
            (0..4).for_each(|_| { fine.step(to as Real, 1.0 / 120.0); });
        }
        // The speed is chosen once a piece, so they differ by the way of one.
        let off = (coarse.position() - fine.position()).abs();
        prop_assert!(off <= 0.1 * (to as Real).abs() + 2.0e-2, "{off}");
    }
}

#[test]
fn nonsense_does_no_harm() {
    let nan = Real::NAN;
    let odd = FilterOptions {
        velocity: nan,
        acceleration: -1.0,
        jerk: 0.0,
        rate: nan,
        edge: nan,
        ..FilterOptions::default()
    };
    let mut axis = AxisFilter::new(odd, 2.0, -2.0, nan);
    for (setpoint, dt) in
        [(nan, 0.1), (1.0, nan), (1.0, -1.0), (1.0, 0.0), (Real::INFINITY, 0.1), (1.0, 1.0e9)]
    {
        assert!(axis.step(setpoint, dt).is_finite());
    }
    assert!((axis.position() - 1.0).abs() < 1e-3, "{:?}", axis);
}

#[test]
fn a_heavy_character_is_later_than_a_light_one_and_the_latency_says_so() {
    let axis = |options| AxisFilter::new(options, -2.0, 2.0, 0.0);
    let [light, plain, heavy] = [FilterOptions::light(), FilterOptions::default(), FilterOptions::heavy()]
        .map(|o| axis(o).latency(1.0));
    assert!(light < 0.6 * plain && heavy > 2.0 * plain, "{light} {plain} {heavy}");
    // What it says is what it takes.
    let mut filter = axis(FilterOptions::default());
    let mut time = 0.0;
    while (filter.step(0.5, 1.0 / 60.0) - 0.5).abs() > 0.005 {
        time += 1.0 / 60.0;
    }
    assert!((time - filter.latency(0.5)).abs() < 0.1, "{time} {}", filter.latency(0.5));
}

#[test]
fn smoothness_slows_and_responsiveness_takes_it_back() {
    let way = |smoothness, responsiveness| {
        let options = FilterOptions { smoothness, responsiveness, ..FilterOptions::default() };
        let mut axis = AxisFilter::new(options, -2.0, 2.0, 0.0);
        (0..24).for_each(|_| {
            axis.step(0.8, 1.0 / 60.0);
        });
        axis.position()
    };
    assert!(way(0.8, 0.0) < 0.9 * way(0.0, 0.0), "{} {}", way(0.8, 0.0), way(0.0, 0.0));
    assert!(way(0.8, 0.95) > 1.02 * way(0.8, 0.0), "{} {}", way(0.8, 0.95), way(0.8, 0.0));
}

/// Every solver's output goes through it: goals that jump make poses that do not.
#[test]
fn any_solvers_output_becomes_smooth() {
    for (rig, joint) in [("humanoid", "r_wrist"), ("arm", "flange"), ("spider", "")] {
        let skeleton = rigs::by_name(rig).unwrap();
        let joint = skeleton.find(joint).unwrap_or_else(|| skeleton.ids().next_back().unwrap());
        let at = sinew::ModelPose::rest(&skeleton).position(joint);
        let mut goals = GoalSet::new();
        let goal = goals.add(Goal::position(joint, at));
        let mut solver = SolverSpec::default().build(&skeleton, &goals).unwrap();
        let rest = Pose::rest(&skeleton);
        let mut wanted = rest.clone();
        let options = FilterOptions { velocity: 2.0, ..FilterOptions::default() };
        let mut filter = MotionFilter::new(&skeleton, options, &rest);
        let mut shown = rest.clone();
        let mut before = shown.clone();
        for frame in 0..300 {
            if frame % 60 == 0 {
                let aside = rotation::exp(Vec3::new(0.3, 0.9, -0.4) * frame as Real) * Vec3::X;
                goals.set_target(goal, sinew::Target::Position(at * 0.8 + aside * 0.2));
                solver.solve(&skeleton, &goals, &mut wanted);
            }
            filter.step(&skeleton, &wanted, 1.0 / 60.0, &mut shown);
            assert!(shown.is_finite() && shown.worst_violation(&skeleton).is_none(), "{rig} {frame}");
            for id in skeleton.ids() {
                let moved = shown.rotation(id).angle_between(before.rotation(id));
                // Three components at two radians a second, on the curved space of rotations.
                assert!(moved <= 3.6 * 2.0 / 60.0, "{rig} {frame}: {moved}");
            }
            before.copy_from(&shown);
        }
        let off = skeleton
            .ids()
            .fold(0.0, |m: Real, id| m.max(shown.rotation(id).angle_between(wanted.rotation(id))));
        assert!(off < 2e-2, "{rig} arrived: {off}");
    }
}

/// A hinge about y with this range, or none.
fn hinge(range: Option<(Real, Real)>) -> (Skeleton, JointId) {
    let mut builder = SkeletonBuilder::new("hinge");
    let def = JointDef::new("axle");
    let joint = builder.add(match range {
        Some((min, max)) => def.hinge_range(Vec3::Y, min, max),
        None => def.hinge(Vec3::Y),
    });
    (builder.build().unwrap(), joint)
}

fn at(skeleton: &Skeleton, joint: JointId, angle: Real) -> Pose {
    let mut pose = Pose::rest(skeleton);
    pose.set_rotation(joint, Quat::from_rotation_y(angle));
    pose
}

#[test]
fn a_hinge_without_an_end_takes_the_short_way() {
    let (skeleton, joint) = hinge(None);
    let mut filter = MotionFilter::new(&skeleton, FilterOptions::light(), &at(&skeleton, joint, 3.0));
    let mut shown = at(&skeleton, joint, 3.0);
    for _ in 0..120 {
        filter.step(&skeleton, &at(&skeleton, joint, -3.0), 1.0 / 60.0, &mut shown);
        // Over the back, never through zero.
        assert!(shown.rotation(joint).angle_between(Quat::IDENTITY) > 2.9);
    }
    assert!(shown.rotation(joint).angle_between(Quat::from_rotation_y(-3.0)) < 1e-2);
}

/// A target that circled a robot took a drive from 3.127 to −3.134 in one frame.
#[test]
fn a_joint_that_turns_on_goes_on_counting_and_a_range_of_a_turn_is_a_stop() {
    let pi = std::f64::consts::PI as Real;
    for range in [None, Some((-pi, pi)), Some((-2.0 * pi, 2.0 * pi)), Some((-3.0, 3.1))] {
        let (skeleton, joint) = hinge(range);
        for dt in [0.001, 1.0 / 60.0, 0.1] {
            let options = FilterOptions::default();
            let mut shown = Pose::rest(&skeleton);
            let mut filter = MotionFilter::new(&skeleton, options, &shown);
            let mut last = 0.0;
            let frames = (12.0 / dt) as usize;
            for frame in 0..frames {
                // Two turns forward, then back.
                let time = frame as Real * dt;
                let angle = if time < 8.0 { 1.6 * time } else { 12.8 - 1.6 * (time - 8.0) };
                filter.step(&skeleton, &at(&skeleton, joint, angle), dt, &mut shown);
                let now = filter.axes()[0].position();
                let bound = options.velocity * dt * 1.0001 + 1.0e-5;
                assert!((now - last).abs() <= bound, "{range:?} {dt} {frame}: {last} to {now}");
                if let Some((min, max)) = range {
                    assert!((min..=max).contains(&now), "{range:?} {dt} {frame}: {now}");
                } else if time > 7.0 && time < 8.0 {
                    assert!((now - angle).abs() < 0.3, "it counts on: {now} for {angle}");
                }
                last = now;
            }
        }
    }
}

/// A set-point that ran into a stop, or left it, handed its corner on: the velocity changed by all of it
/// within a frame or two. It is rounded, within the range.
#[test]
fn the_corner_at_a_stop_is_rounded() {
    for options in [FilterOptions::light(), FilterOptions::default()] {
        for (hertz, stop) in [(0.1, 0.2), (0.2, 0.0), (0.3, 0.3), (0.5, 0.1)] {
            let turn = 2.0 * std::f64::consts::PI * hertz;
            let mut axis = AxisFilter::new(options, -2.0, stop as Real, -0.3);
            let (mut last, mut sharpest, mut fastest) = (0.0, 0.0, 0.0);
            for frame in 0..1200 {
                let time = frame as f64 / 60.0;
                let set = 0.4 * (turn * time - 1.0).sin();
                axis.step(set.min(stop) as Real, 1.0 / 60.0);
                let now = axis.velocity();
                if time > 1.0 {
                    sharpest = Real::max(sharpest, (now - last).abs());
                    fastest = Real::max(fastest, now.abs());
                }
                last = now;
            }
            assert!(sharpest < 0.2 * fastest, "{hertz} Hz, {stop}: {sharpest} of {fastest}");
        }
    }
}

/// A head's drive that turns by one radian a second was sent to its stop slowly, and then at full speed for the
/// last bit: for so slow a drive the corner of a set-point that ran into the stop was a jump.
#[test]
fn the_way_to_a_stop_does_not_become_faster_again() {
    for (velocity, swing) in [(1.0, 0.25), (1.0, 0.3), (2.0, 0.6)] {
        let options = FilterOptions { velocity, ..FilterOptions::light() };
        let mut axis = AxisFilter::new(options, -0.26, 0.8, 0.0);
        let mut slowest: Option<Real> = None;
        for frame in 0..600 {
            let set = -0.1 + swing * (std::f64::consts::PI * f64::from(frame) / 60.0).sin();
            axis.step(set.max(-0.26) as Real, 1.0 / 60.0);
            let now = -axis.velocity();
            // On the way down, from where it has become slower by a third.
            slowest = match slowest {
                _ if now <= 1.0e-3 => None,
                None if axis.position() < -0.15 && axis.acceleration() > 0.0 => Some(now),
                other => other.map(|slowest| slowest.min(now)),
            };
            if let Some(slowest) = slowest {
                assert!(now < slowest + 0.1, "{velocity}, {swing}: {now} after {slowest} at frame {frame}");
            }
        }
    }
}

/// What a drive is sent on a slow circle was a row of stops: the acceleration changed its sign 29
/// times a second.
#[test]
fn a_set_point_that_moves_is_followed_without_chatter() {
    for options in [FilterOptions::light(), FilterOptions::default(), FilterOptions::heavy()] {
        for hertz in [0.1, 0.25, 0.5] {
            let (dt, turn) = (1.0 / 60.0, 2.0 * std::f64::consts::PI * hertz);
            let mut axis = AxisFilter::new(options, -2.0, 2.0, 0.0);
            let (mut changes, mut last, mut off) = (0, 0.0, 0.0);
            let seconds = 20.0;
            for frame in 0..(seconds / dt) as usize {
                let set = (0.25 * (turn * frame as f64 * dt).sin()) as Real;
                axis.step(set, dt as Real);
                if frame as f64 * dt > 2.0 {
                    let now = axis.acceleration();
                    if now.abs() > 0.02 {
                        changes += i32::from(now * last < 0.0);
                        last = now;
                    }
                    off = Real::max(off, (axis.position() - set).abs());
                }
            }
            assert!(f64::from(changes) / seconds <= 2.0 * hertz + 0.5, "{changes} changes at {hertz} Hz");
            assert!(off < 0.3, "{hertz} Hz: {off} behind");
        }
    }
}

#[test]
fn drives_bound_the_stream() {
    let (skeleton, joint) = hinge(None);
    let mut shown = Pose::rest(&skeleton);
    let mut filter = MotionFilter::new(&skeleton, FilterOptions::light(), &shown);
    filter.bound_velocity(joint, 3.2);
    filter.bound_velocity(joint, Real::NAN);
    filter.bound_velocity(joint, 100.0);
    let mut most: Real = 0.0;
    for _ in 0..200 {
        let before = filter.axes()[0].position();
        filter.step(&skeleton, &at(&skeleton, joint, 3.0), 0.01, &mut shown);
        most = most.max((filter.axes()[0].position() - before) / 0.01);
    }
    assert!(most <= 3.2 * 1.0001 && most > 2.8, "{most}");
}

/// The paper's filter is there for its character: it swings past a set-point, and stays in range.
#[test]
fn the_published_filter_swings_out_and_keeps_the_range() {
    let options = FilterOptions { published: true, smoothness: 0.0, ..FilterOptions::default() };
    let mut axis = AxisFilter::new(options, -1.5, 1.5, 0.0);
    let mut most: Real = 0.0;
    for _ in 0..300 {
        let now = axis.step(0.8, 1.0 / 60.0);
        assert!(now.is_finite() && now.abs() <= 1.5);
        most = most.max(now);
    }
    assert!(most > 0.8 + 1e-3, "{most}");
}

/// Noise that is the same in every run: the sum of twelve even numbers is nearly normal.
fn noise(random: &mut Numbers) -> Vec3 {
    let mut normal = || (0..12).map(|_| random.unit()).sum::<Real>() - 6.0;
    Vec3::new(normal(), normal(), normal())
}

#[test]
fn what_rests_trembles_less_and_what_moves_steadily_does_not_lag() {
    let options = NoiseOptions::new(0.01);
    for velocity in [0.0, 0.5, 2.0] {
        let (mut filter, mut random) = (NoiseFilter::default(), Numbers::new(3));
        let (mut off, mut along, mut raw) = (0.0, 0.0, 0.0);
        for i in 0..1200 {
            let truth = Vec3::X * (velocity * i as Real / 120.0);
            let wrong = noise(&mut random) * 0.01;
            let error = filter.position(truth + wrong, 1.0 / 120.0, &options) - truth;
            if i >= 120 {
                off += error.length_squared() / 1080.0;
                along += error.x / 1080.0;
                raw += wrong.length_squared() / 1080.0;
            }
        }
        assert!(off < 0.3 * raw, "at {velocity} m/s: {} of {}", off.sqrt(), raw.sqrt());
        assert!(along.abs() < 0.001, "at {velocity} m/s it lags by {along}");
    }
}

#[test]
fn a_jump_is_followed_within_a_few_frames() {
    let options = NoiseOptions::new(0.005);
    let dt = 1.0 / 60.0;
    let mut filter = NoiseFilter::default();
    let turned = rotation::exp(Vec3::new(0.0, 1.5, 0.0));
    for _ in 0..60 {
        filter.position(Vec3::ZERO, dt, &options);
        filter.orientation(Quat::IDENTITY, dt, &options);
    }
    let mut at = (Vec3::ZERO, Quat::IDENTITY);
    for _ in 0..6 {
        at = (filter.position(Vec3::Y, dt, &options), filter.orientation(turned, dt, &options));
    }
    assert!(at.0.distance(Vec3::Y) < 0.05, "{}", at.0);
    assert!(rotation::angle(at.1.conjugate() * turned) < 0.1);
}

#[test]
fn what_is_not_finite_breaks_nothing() {
    for options in [
        NoiseOptions::default(),
        NoiseOptions { position: 0.0, orientation: 0.0, ..NoiseOptions::default() },
        NoiseOptions { rest: Real::NAN, gain: -1.0, ..NoiseOptions::default() },
    ] {
        let mut filter = NoiseFilter::default();
        for (seen, dt) in [Vec3::ONE, Vec3::splat(Real::NAN), Vec3::splat(Real::MAX), Vec3::ONE]
            .into_iter()
            .zip([0.01, Real::NAN, -1.0, 0.0])
        {
            filter.position(seen, dt, &options);
            filter.orientation(Quat::from_xyzw(seen.x, 0.0, 0.0, 1.0).normalize(), dt, &options);
        }
        let at = filter.position(Vec3::ONE, 0.01, &options);
        assert!(at.is_finite(), "{options:?}: {at}");
        assert!(filter.orientation(Quat::IDENTITY, 0.01, &options).is_finite());
    }
}

/// A drive without a bound of jerk braked just before its set-point with all it had, and that acceleration was then let
/// decay like one that takes time to build: it was thrown 13 thousandths past the set-point.
#[test]
fn without_a_bound_of_jerk_a_full_stop_throws_nothing_back() {
    let options = FilterOptions {
        order: 2,
        velocity: 6.2,
        acceleration: 17.56,
        smoothness: 0.32,
        responsiveness: 0.2112,
        edge: 0.2,
        ..FilterOptions::default()
    };
    let mut axis = AxisFilter::new(options, -1.2, 1.5, -0.5022);
    for _ in 0..80 {
        let place = axis.step(1.0125, 0.0322);
        assert!(place < 1.0125 + 1.0e-4, "{place}");
    }
    assert!((axis.position() - 1.0125).abs() < 1.0e-3);
}
