use super::*;

fn arch() -> Arch {
    Arch::new(alloc::vec![
        Vec3::ZERO,
        Vec3::new(0.0, 0.12, -0.02),
        Vec3::new(0.0, 0.12, -0.01),
        Vec3::new(0.0, 0.11, 0.03),
        Vec3::new(0.0, 0.09, 0.01),
    ])
}

#[test]
fn the_ends_are_as_far_apart_as_asked() {
    let arch = arch();
    for axis in [Vec3::X, Vec3::Z, -Vec3::X, Vec3::new(0.6, 0.0, 0.8)] {
        for i in 50..=100 {
            let length = arch.straight_length() * i as Real * 0.01;
            let shape = arch.shape(length, axis, 0.0);
            let got = arch.end(shape).length();
            // The table of stretches is linear in between.
            assert!((got - length).abs() < 2.0e-4, "{axis} {i}: {got} instead of {length}");
        }
    }
}

/// The paper's own search, as printed: coarse steps until the length is
/// passed, then fine steps back.
#[test]
fn the_root_is_that_of_the_published_search() {
    let arch = arch();
    for length in [0.42, 0.38, 0.33, 0.25] {
        let mut angle = 0.0;
        while arch.end(Shape::Bent(Vec3::X, angle)).length() > length {
            angle += 0.1;
        }
        while arch.end(Shape::Bent(Vec3::X, angle)).length() < length {
            angle -= 0.001;
        }
        let Shape::Bent(_, found) = arch.shape(length, Vec3::X, 0.0) else { panic!("a bent shape") };
        assert!((found - angle).abs() <= 0.0011, "{length}: {found} and {angle}");
    }
}

#[test]
fn odd_spines_are_finite() {
    for bones in [
        alloc::vec![],
        alloc::vec![Vec3::ZERO],
        alloc::vec![Vec3::Y],
        alloc::vec![Vec3::Y, -Vec3::Y],
        alloc::vec![Vec3::X, Vec3::Y, Vec3::ZERO],
    ] {
        let arch = Arch::new(bones);
        for length in [0.0, 0.5, 1.0, 100.0] {
            assert!(arch.end(arch.shape(length, Vec3::X, 0.0)).is_finite());
        }
    }
}

/// A file whose rest is one straight line once bent a boxer's back hollow, with the chest 20 cm in front of where it
/// was: people's chests are behind the line from hips to head.
#[test]
fn a_spine_that_rests_straight_gets_round() {
    let arch = Arch::new(alloc::vec![Vec3::Y * 0.08, Vec3::Y * 0.22, Vec3::Y * 0.22, Vec3::Y * 0.11]);
    let shape = arch.shape(0.57, arch.natural_axis, 0.0);
    let chest: Vec3 = arch.turns(shape).zip(&arch.bones).take(2).map(|(turn, bone)| turn * *bone).sum();
    let line = arch.end(shape).normalize();
    assert!((chest - line * chest.dot(line)).z < -0.05, "the chest is at {chest}");
}

/// A search that starts from another frame's bend comes to the same.
#[test]
fn where_the_search_starts_does_not_matter() {
    let arch = arch();
    for i in 50..100 {
        let length = arch.rest_length() * i as Real * 0.01;
        let alone = arch.shape(length, Vec3::X, 0.0).angle();
        for start in [0.001, 0.03, 0.4, 1.0, 1.7, 1.75, 3.0, Real::NAN] {
            let from_there = arch.shape(length, Vec3::X, start).angle();
            assert!((from_there - alone).abs() < 2.0e-4, "{length} from {start}: {from_there}, not {alone}");
        }
    }
}
