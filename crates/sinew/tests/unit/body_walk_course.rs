use super::*;

const PACE: Pace =
    Pace { speed: 1.0, turn: 1.0, walks: 2.0, runs: 3.0, speed_change: 100.0, turn_change: 100.0 };
const AHEAD: Vec2 = Vec2::Y;

#[test]
fn a_steady_turn_is_a_circle() {
    let mut course = Course { velocity: Vec2::X, turn: 1.0, ..Course::at(Vec2::ZERO) };
    let wish = Wish::new(WalkInput { speed: 1.0, turn: 1.0 }.into(), &PACE, &course, AHEAD, 1.0);
    // Facing +z a left turn goes round a centre at +x.
    for _ in 0..1000 {
        course.advance(&wish, &PACE, AHEAD, TAU / 1000.0);
        assert!((course.place.distance(Vec2::X) - 1.0).abs() < 1e-3, "{course:?}");
    }
    assert!(course.place.length() < 1e-2);
}

#[test]
fn backwards_and_sideways_go_there() {
    for (ahead, left, way) in [(-0.5, 0.0, Vec2::NEG_Y), (0.0, 0.5, Vec2::X), (0.0, -0.5, Vec2::NEG_X)] {
        let mut course = Course::at(Vec2::ZERO);
        let wanted = WalkVelocity { ahead, left, turn: 0.0 };
        let wish = Wish::new(wanted.into(), &PACE, &course, AHEAD, 1.0);
        for _ in 0..10 {
            course.advance(&wish, &PACE, AHEAD, 0.1);
        }
        assert!(course.place.distance(way * 0.5) < 1e-5, "{course:?}");
    }
    let course = Course::at(Vec2::ZERO);
    let back = Wish::new(WalkInput { speed: -1.0, turn: 0.0 }.into(), &PACE, &course, AHEAD, 1.0);
    assert!(back.velocity.x < -0.3 && back.velocity.x > -1.0, "{back:?}");
}

#[test]
fn a_root_is_where_it_is_moved() {
    let mut course = Course { heading: 2.0, ..Course::at(Vec2::new(3.0, -1.0)) };
    let drive = WalkDrive::Root { place: [3.2, -0.7], heading: 2.5 };
    let wish = Wish::new(drive, &PACE, &course, AHEAD, 0.4);
    for _ in 0..8 {
        course.advance(&wish, &PACE, AHEAD, 0.05);
    }
    assert!(course.place.distance(Vec2::new(3.2, -0.7)) < 1e-4, "{course:?}");
    assert!((course.heading - 2.5).abs() < 1e-5);
}
