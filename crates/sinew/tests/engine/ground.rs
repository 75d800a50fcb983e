//! The grounds that walkers and planters stand on: heights that agree, whatever they are made of.

use sinew::Vec3;
use sinew::body::walk::{Ground, Terrain};
use sinew::math::Real;

#[test]
fn stairs_go_up_and_down_again() {
    let stairs = Ground::Steps { start: 1.0, rise: 0.2, tread: 0.3, count: 3 };
    let heights = [0.9, 1.1, 1.4, 1.7, 2.5, 2.9, 3.2, 3.5, 3.8, 9.0].map(|z| stairs.height(0.0, z));
    let wanted = [0.0, 0.2, 0.4, 0.6, 0.6, 0.6, 0.4, 0.2, 0.0, 0.0];
    for (got, wanted) in heights.into_iter().zip(wanted) {
        assert!((got - wanted).abs() < 1e-5, "{heights:?}");
    }
}

/// A face of very many corners is a fan of triangles from one of them, each as long as the face: over
/// a grid they took memory with the square of their number.
#[test]
fn a_face_of_very_many_corners_is_ground() {
    let count = 3000;
    let corner = |i: usize| {
        let (sin, cos) = (i as Real / count as Real * std::f64::consts::TAU as Real).sin_cos();
        Vec3::new(3.0 * cos, 0.3 * cos, 3.0 * sin)
    };
    let fan: Vec<[Vec3; 3]> = (1..count - 1).map(|i| [corner(0), corner(i), corner(i + 1)]).collect();
    let ground = Ground::mesh(&fan, -9.0);
    for i in 0..400 {
        let (radius, angle) = (2.9 * (i as Real / 400.0).sqrt(), 2.4 * i as Real);
        let (x, z) = (radius * angle.cos(), radius * angle.sin());
        let height = ground.height(x, z);
        assert!((height - 0.1 * x).abs() < 2e-3, "{x} {z} {height}");
    }
    assert_eq!(ground.height(3.5, 0.0), -9.0);
}

#[test]
fn a_mesh_a_grid_and_a_slope_agree() {
    let height = |x: Real, z: Real| 0.1 * x + 0.2 * z;
    let mut triangles = Vec::new();
    let mut grid = Vec::new();
    for row in 0..11 {
        for column in 0..11 {
            let at = |c: usize, r: usize| {
                let (x, z) = (c as Real - 5.0, r as Real - 5.0);
                Vec3::new(x, height(x, z), z)
            };
            grid.push(at(column, row).y);
            if row < 10 && column < 10 {
                let (a, b) = (at(column, row), at(column + 1, row));
                let (c, d) = (at(column, row + 1), at(column + 1, row + 1));
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
    let mesh = Ground::mesh(&triangles, -9.0);
    let map = Ground::map(11, grid, 1.0).unwrap();
    for (x, z) in [(0.3, 0.7), (-4.9, 4.9), (2.0, -3.0), (0.0, 0.0)] {
        assert!((mesh.height(x, z) - height(x, z)).abs() < 1e-4, "{x} {z} {}", mesh.height(x, z));
        assert!((map.height(x, z) - height(x, z)).abs() < 1e-4, "{x} {z}");
    }
    assert_eq!(mesh.height(50.0, 0.0), -9.0);
    assert_eq!(Ground::mesh(&[], 1.0).height(0.0, 0.0), 1.0);
    assert!(Ground::map(3, vec![0.0; 4], 1.0).is_none());
}

#[test]
fn hills_start_at_zero_and_repeat_for_a_seed() {
    let hills = Ground::hills(4, 0.5, 6.0);
    assert_eq!(hills, Ground::hills(4, 0.5, 6.0));
    assert_ne!(hills.height(1.0, 2.0), Ground::hills(5, 0.5, 6.0).height(1.0, 2.0));
    assert_eq!(hills.height(0.0, 0.0), 0.0);
    let steepest = (0..2000)
        .map(|i| {
            let (x, z) = (i as Real * 0.37, (i % 91) as Real * 0.53);
            (hills.height(x + 0.01, z) - hills.height(x, z)).abs() / 0.01
        })
        .fold(0.0, Real::max);
    assert!(steepest < 1.0, "{steepest}");
}
