use super::*;

const SOLE: Sole = Sole {
    ankle: Vec3::new(0.1, 0.07, 0.0),
    heel: Vec3::new(0.1, 0.0, -0.04),
    toe: Vec3::new(0.1, 0.0, 0.13),
    tip: 0.07,
    width: 0.035,
    ahead: Vec3::Z,
    left: Vec3::X,
};

const LIFT: Lift =
    Lift { duration: 0.35, strike: 0.2, height: 0.09, clear: 0.013, step: 0.086, stretch: 0.98, leg: 0.86 };

/// Flies from one place to another and, on the way, perhaps to a third; returns the deepest that
/// any part of the sole was in the ground, and the fastest that the toes moved.
fn flown(ground: &dyn Terrain, from: Real, to: Real, then: Option<Real>) -> (Real, Real) {
    let plant = |z: Real| Plant::on(ground, &SOLE, Vec2::new(0.1, z), 0.0);
    let off = plant(from);
    let start = FootPose::on_toes(&off, &SOLE, 0.5);
    let mut flight = Flight::new(&start, &off, &plant(to), &LIFT, &SOLE, ground);
    assert!(flight.pose(&SOLE).toe(&SOLE).distance(start.toe(&SOLE)) < 1.0e-4);
    let (mut deepest, mut fastest): (Real, Real) = (0.0, 0.0);
    let mut last = flight.pose(&SOLE).toe(&SOLE);
    let tick = 1.0 / 240.0;
    let mut end = plant(to);
    while flight.left() > 0.0 {
        flight.time += tick;
        if let Some(z) = then.filter(|_| (0.3..0.33).contains(&(flight.time / flight.duration))) {
            end = plant(z);
            flight.retarget(&end, &SOLE, ground);
        }
        let pose = flight.pose(&SOLE);
        let toe = pose.toe(&SOLE);
        deepest = deepest.max(pose.under(ground, &SOLE, 0.0));
        fastest = fastest.max(toe.distance(last) / tick);
        last = toe;
    }
    let landed = FootPose::on_heel(&end, -LIFT.strike);
    assert!(last.distance(landed.toe(&SOLE)) < 1.0e-3, "{last} {}", landed.toe(&SOLE));
    (deepest, fastest)
}

#[test]
fn a_foot_clears_what_is_in_its_way() {
    let grounds: [(&str, &dyn Terrain); 5] = [
        ("flat", &|_: Real, _: Real| 0.0),
        ("up a step", &|_: Real, z: Real| if z > 0.5 { 0.17 } else { 0.0 }),
        ("down a step", &|_: Real, z: Real| if z > 0.5 { -0.17 } else { 0.0 }),
        ("a sill", &|_: Real, z: Real| if (0.4..0.5).contains(&z) { 0.15 } else { 0.0 }),
        ("a ditch", &|_: Real, z: Real| if (0.3..0.6).contains(&z) { -0.5 } else { 0.0 }),
    ];
    for (name, ground) in grounds {
        for (to, then) in [(0.7, None), (0.75, Some(0.7)), (0.65, Some(0.72))] {
            let (deepest, fastest) = flown(ground, 0.0, to, then);
            assert!(deepest < 5.0e-3, "{name}: {deepest} in the ground");
            assert!(fastest < 7.0, "{name}: {fastest} m/s");
        }
    }
}

/// A foot that was held up by the next riser had a whole step before it when the body got faster, and was thrown there
/// with 12 m/s: the hip turned by 22 degrees in a frame.
#[test]
fn a_foot_with_hardly_any_time_takes_more() {
    let flat = |_: Real, _: Real| 0.0;
    let plant = |z: Real| Plant::on(&flat, &SOLE, Vec2::new(0.1, z), 0.0);
    let (off, to) = (plant(0.0), plant(1.2));
    let start = FootPose::on_toes(&off, &SOLE, 0.5);
    let mut flight = Flight::new(&start, &off, &to, &Lift { duration: 0.2, ..LIFT }, &SOLE, &flat);
    let (tick, speed) = (1.0 / 240.0, 1.0);
    let (mut seconds, mut fastest): (Real, Real) = (0.0, 0.0);
    let mut last = flight.pose(&SOLE).toe(&SOLE);
    while flight.left() > 0.0 {
        flight.advance(tick, 1.5, speed);
        let toe = flight.pose(&SOLE).toe(&SOLE);
        fastest = fastest.max((toe.x - last.x).hypot(toe.z - last.z) / tick);
        seconds += tick;
        last = toe;
        assert!(seconds < 0.5, "it does not land");
    }
    assert!(fastest < 1.05 * (ACROSS * LIFT.leg + AHEAD * speed), "{fastest} m/s");
    assert!(seconds > 0.2 / 1.5 && last.distance(FootPose::on_heel(&to, -LIFT.strike).toe(&SOLE)) < 1.0e-3);
}

/// The toes' tip was taken for level on any ground. Uphill it was then in the ground as the foot left, which rose by 14 mm
/// in the first twentieth of its way: a leg that was nearly straight turned its knee by 15 degrees in a frame.
#[test]
fn a_foot_leaves_a_slope_as_softly_as_a_floor() {
    for grade in [-0.2, -0.1, 0.1, 0.2] {
        let slope = |_: Real, z: Real| grade * z;
        let plant = |z: Real| Plant::on(&slope, &SOLE, Vec2::new(0.1, z), 0.0);
        let (off, to) = (plant(0.0), plant(0.3));
        let start = FootPose::on_toes(&off, &SOLE, 0.15);
        let lift = Lift { duration: 0.48, strike: 0.0, height: 0.047, ..LIFT };
        let flight = Flight::new(&start, &off, &to, &lift, &SOLE, &slope);
        let risen = flight.height_at(lift.duration / PARTS as Real) - flight.height_at(0.0);
        assert!(risen < 8.0e-3, "grade {grade}: {risen} m at once");
    }
}
