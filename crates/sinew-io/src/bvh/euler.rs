//! From a rotation to the angles of a joint's channels.
//!
//! For `q = R_i(a) · R_j(b) · R_k(c)` about three different axes there are two
//! triples of angles, with first angles half a turn apart, and each angle is
//! free by whole turns. The one nearest to the frame before is taken, so that
//! curves do not jump. Only the first angle comes from the ill-conditioned
//! formula: the other two are read from what is left after undoing it, so
//! close to gimbal lock the triple still gives the rotation back to full
//! precision however poor the first angle is. At the lock itself the first
//! angle stays where it was.

use glam::{DMat3, DQuat};

use super::document::Axis;
use std::f64::consts::{PI, TAU};

/// Below this the first angle has no direction left: gimbal lock.
const LOCK: f64 = 1e-12;

/// `angle` by whole turns as near to `previous` as it gets.
pub(super) fn unwrap(angle: f64, previous: f64) -> f64 {
    angle - ((angle - previous) / TAU).round() * TAU
}

/// One for X Y Z and its cyclic shifts, minus one for the other three orders.
fn parity(first: Axis, second: Axis) -> f64 {
    if (first.index() + 1) % 3 == second.index() { 1.0 } else { -1.0 }
}

fn turn(axis: Axis, angle: f64) -> DQuat {
    DQuat::from_axis_angle(axis.vector(), angle)
}

/// The angles about three different axes that are nearest to `previous`.
pub(super) fn three_angles(q: DQuat, order: [Axis; 3], previous: [f64; 3]) -> [f64; 3] {
    let [_, j, k] = order.map(Axis::index);
    let sign = parity(order[0], order[1]);
    let m = DMat3::from_quat(q);
    let at = |m: &DMat3, row: usize, column: usize| m.col(column)[row];
    let (sine, cosine) = (-sign * at(&m, j, k), at(&m, k, k));
    if sine.hypot(cosine) < LOCK {
        return rest_of(q, order, sign, previous[0], previous);
    }
    let first = sine.atan2(cosine);
    let one = rest_of(q, order, sign, first, previous);
    let other = rest_of(q, order, sign, first + PI, previous);
    let way = |angles: &[f64; 3]| (0..3).map(|n| (angles[n] - previous[n]).powi(2)).sum::<f64>();
    if way(&one) <= way(&other) { one } else { other }
}

/// The triple with this first angle, near to the previous one.
fn rest_of(q: DQuat, order: [Axis; 3], sign: f64, first: f64, previous: [f64; 3]) -> [f64; 3] {
    let [i, j, k] = order.map(Axis::index);
    let left = DMat3::from_quat(turn(order[0], -first) * q);
    let at = |row: usize, column: usize| left.col(column)[row];
    let second = (sign * at(i, k)).atan2(at(k, k));
    let third = (sign * at(j, i)).atan2(at(j, j));
    [unwrap(first, previous[0]), unwrap(second, previous[1]), unwrap(third, previous[2])]
}

/// The angles about one or two different axes that come nearest to `q`.
pub(super) fn fewer_angles(q: DQuat, axes: &[Axis], previous: &[f64]) -> Vec<f64> {
    match *axes {
        [axis] => vec![unwrap(sinew_f64::math::rotation::angle_about(axis.vector(), q), previous[0])],
        [first, second] if first != second => {
            let (a, b) = sinew_f64::limit::universal_angles(first.vector(), second.vector(), q);
            vec![unwrap(a, previous[0]), unwrap(b, previous[1])]
        }
        _ => previous.to_vec(),
    }
}

/// The rotation that angles about axes make, multiplied from left to right.
pub(super) fn rotation(axes: &[Axis], angles: &[f64]) -> DQuat {
    axes.iter().zip(angles).fold(DQuat::IDENTITY, |q, (&axis, &angle)| q * turn(axis, angle))
}

/// Whether these are three different axes.
pub(super) fn is_full_order(axes: &[Axis]) -> bool {
    axes.len() == 3 && Axis::ALL.iter().all(|axis| axes.contains(axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sinew_f64::math::rotation::angle;

    const ORDERS: [[Axis; 3]; 6] = [
        [Axis::X, Axis::Y, Axis::Z],
        [Axis::X, Axis::Z, Axis::Y],
        [Axis::Y, Axis::X, Axis::Z],
        [Axis::Y, Axis::Z, Axis::X],
        [Axis::Z, Axis::X, Axis::Y],
        [Axis::Z, Axis::Y, Axis::X],
    ];

    fn assert_gives_back(order: [Axis; 3], angles: [f64; 3], previous: [f64; 3]) {
        let q = rotation(&order, &angles);
        let found = three_angles(q, order, previous);
        let back = rotation(&order, &found);
        assert!(angle(back.conjugate() * q) < 1e-13, "{order:?} {angles:?} gave {found:?}");
    }

    #[test]
    fn every_order_survives_gimbal_lock_and_its_neighbourhood() {
        for order in ORDERS {
            for off in [0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-4] {
                for side in [-1.0, 1.0] {
                    assert_gives_back(order, [0.7, side * (PI / 2.0 - off), -2.1], [0.3, 0.2, 0.1]);
                }
            }
        }
    }

    #[test]
    fn a_steady_turn_has_steady_angles() {
        for order in ORDERS {
            let mut previous = [0.0; 3];
            for step in 0..2000 {
                let t = f64::from(step) * 0.01;
                let q = rotation(&order, &[3.0 * t, 0.8 * t.sin(), -t]);
                let now = three_angles(q, order, previous);
                assert!((0..3).all(|n| (now[n] - previous[n]).abs() < 0.05), "{order:?} at {step}");
                previous = now;
            }
            assert!((previous[0] - 3.0 * 19.99).abs() < 1e-9, "the turns add up");
        }
    }

    proptest! {
        #[test]
        fn the_rotation_comes_back(
            order in 0usize..6,
            angles in prop::array::uniform3(-7.0..7.0f64),
            previous in prop::array::uniform3(-30.0..30.0f64),
        ) {
            assert_gives_back(ORDERS[order], angles, previous);
        }

        #[test]
        fn one_and_two_angles_come_back(
            order in 0usize..6,
            angles in prop::array::uniform2(-3.0..3.0f64),
        ) {
            let axes = &ORDERS[order][..2];
            for count in 1..=2 {
                let q = rotation(&axes[..count], &angles);
                let found = fewer_angles(q, &axes[..count], &[0.0; 2]);
                let back = rotation(&axes[..count], &found);
                prop_assert!(angle(back.conjugate() * q) < 1e-13);
            }
        }
    }
}
