use super::*;

#[test]
fn the_table_inverts_the_bend_in_both_hemispheres() {
    let slanted = Vec3::new(0.3, 0.8, -0.2).normalize();
    for (axis, before, segment) in
        [(Vec3::X, Vec3::Y, Vec3::Y), (Vec3::Z, Vec3::Y, slanted), (slanted, Vec3::X, Vec3::Y)]
    {
        let bend = Bend::new(axis, before, segment);
        let table = LatitudeTable::new(bend, -PI, PI, PI / 180.0);
        for i in -170..170 {
            let angle = bend.peak() + i as Real * 0.0184;
            let (s, c) = (0.5 * angle).sin_cos();
            let cosine = bend.at_half(s, c);
            let direct = before.dot(rotation::about(axis, angle) * segment);
            assert!((cosine - direct).abs() < 1e-5);
            let found = table.swing(cosine, i >= 0);
            assert!(wrap_angle(found - angle).abs() < 4e-3, "{i}: {found} for {angle}");
        }
    }
}

#[test]
fn what_the_range_does_not_reach_gives_its_end() {
    let bend = Bend::new(Vec3::X, Vec3::Y, Vec3::Y);
    let table = LatitudeTable::new(bend, -0.5, 1.0, PI / 180.0);
    assert!((table.swing(-1.0, true) - 1.0).abs() < 1e-5);
    assert!((table.swing(-1.0, false) + 0.5).abs() < 1e-5);
    // Only the positive side exists: the other one takes it.
    let table = LatitudeTable::new(bend, 0.2, 1.0, PI / 180.0);
    assert!((table.swing((0.6 as Real).cos(), false) - 0.6).abs() < 1e-3);
}
