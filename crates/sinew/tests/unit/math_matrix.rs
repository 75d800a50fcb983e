use super::*;

#[test]
fn every_matrix_goes_there_and_back() {
    for i in 0..50 {
        let t = i as Real;
        let turn = rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), t * 0.11) * 1.5);
        let there = Transform::new(Vec3::new(t, -0.3 * t, 2.0), turn);
        // Matrices in single precision go through a few roundings.
        let close = |back: Result<Transform, RigError>| {
            let back = back.unwrap();
            assert!(rotation::angle(back.rotation.conjugate() * turn) < 2e-3, "{i}");
            assert!(back.translation.distance(there.translation) < 1e-5, "{i}");
        };
        close(Transform::try_from(glam::Mat4::from(there)));
        close(Transform::try_from(glam::DMat4::from(there)));
        close(Transform::try_from(glam::Affine3A::from(there)));
        close(Transform::try_from(glam::DAffine3::from(there)));
        let p = Vec3::new(0.2, -1.0, 0.4);
        let moved = Mat4::from(there).transform_point3(p);
        assert!(moved.distance(there.transform_point(p)) < 1e-4);
    }
}

#[test]
fn what_is_not_rigid_is_refused_or_taken_apart() {
    let turn = rotation::exp(Vec3::new(0.3, 0.4, -0.2));
    let scale = Vec3::new(2.0, 0.5, -3.0);
    let scaled = Mat4::from_scale_rotation_translation(scale, turn, Vec3::Y);
    assert_eq!(Transform::try_from(scaled), Err(RigError::NotRigid));
    let (rigid, found) = Transform::from_scaled(scaled).unwrap();
    assert!((Mat4::from(rigid) * Mat4::from_scale(found)).abs_diff_eq(scaled, 1e-4));
    assert!((found - scale).length() < 1e-4);
    let mut sheared = Mat4::IDENTITY;
    sheared.y_axis.x = 0.5;
    assert_eq!(Transform::from_scaled(sheared), None);
    assert_eq!(Transform::from_scaled(Mat4::ZERO), None);
    assert_eq!(Transform::from_scaled(Mat4::NAN), None);
    let mut projective = Mat4::IDENTITY;
    projective.x_axis.w = 0.5;
    assert_eq!(Transform::from_scaled(projective), None);
}
