use super::*;

fn sole() -> Sole {
    Sole {
        ankle: Vec3::new(0.1, 0.07, 0.0),
        heel: Vec3::new(0.1, 0.0, -0.04),
        toe: Vec3::new(0.1, 0.0, 0.13),
        tip: 0.07,
        width: 0.035,
        ahead: Vec3::Z,
        left: Vec3::X,
    }
}

#[test]
fn a_flat_foot_has_heel_and_toes_on_the_ground() {
    let hill = |x: Real, z: Real| 0.2 * (x + 2.0 * z).sin();
    for heading in [0.0, 0.7, -2.5] {
        let plant = Plant::on(&hill, &sole(), Vec2::new(0.3, -0.4), heading);
        for p in [plant.heel, plant.toe] {
            assert!((p.y - hill(p.x, p.z)).abs() < 1e-3, "{plant:?}");
        }
        assert!((plant.heel.distance(plant.toe) - 0.17).abs() < 1e-5);
        // The turn about either point says the same.
        let on_heel = FootPose::on_heel(&plant, 0.0);
        let on_toes = FootPose::on_toes(&plant, &sole(), 0.0);
        assert!(on_heel.toe(&sole()).distance(plant.toe) < 1e-5);
        assert!(on_heel.ankle(&sole()).distance(on_toes.ankle(&sole())) < 1e-5);
    }
}

#[test]
fn the_heel_rises_just_enough() {
    let plant = Plant::on(&|_: Real, _: Real| 0.0, &sole(), Vec2::new(0.1, -0.04), 0.0);
    let hip = Vec3::new(0.1, 0.8, 0.45);
    let reach = 0.82;
    let rise = rise_to_reach(&sole(), &plant, hip, reach, 0.0, 1.2);
    let ankle = FootPose::on_toes(&plant, &sole(), rise).ankle(&sole());
    assert!(rise > 0.0 && (ankle.distance(hip) - reach).abs() < 1e-4, "{rise} {}", ankle.distance(hip));
    assert_eq!(rise_to_reach(&sole(), &plant, Vec3::new(0.1, 0.7, 0.0), reach, 0.0, 1.2), 0.0);
    let toe = FootPose::on_toes(&plant, &sole(), 0.9).toe(&sole());
    assert!(toe.distance(plant.toe) < 1e-5);
}

#[test]
fn the_edge_of_a_step_is_no_place_to_stand() {
    let step = |_: Real, z: Real| if z > 0.0 { 0.16 } else { 0.0 };
    let good = |z: Real| Plant::on(&step, &sole(), Vec2::new(0.0, z), 0.0).is_good(&step, &sole());
    assert!(good(-0.5) && good(0.05));
    assert!(!good(-0.1), "toes in the riser");
    assert!(!good(-0.02), "heel over the edge");
    assert!(!good(-0.2), "the tip of the toes in the riser");
}

#[test]
fn a_pose_is_found_again_from_where_the_foot_is() {
    for (heading, pitch, roll) in [(0.3, 0.5, -0.2), (-2.9, -0.4, 0.1), (7.0, 0.0, 0.3), (0.0, 1.2, 0.0)] {
        let pose = FootPose { heel: Vec3::new(0.4, 0.2, -1.0), heading, pitch, roll, knee: heading };
        let found = FootPose::of(&sole(), pose.ankle(&sole()), pose.rotation(&sole()), heading + 0.5);
        assert!(found.heel.distance(pose.heel) < 1e-5, "{found:?}");
        for (a, b) in [(found.heading, heading), (found.pitch, pitch), (found.roll, roll)] {
            assert!((a - b).abs() < 1e-4, "{found:?} for {pose:?}");
        }
    }
}

/// A foot that landed on its heel, but whose ankle tipped it onto its toes, had these 17 mm in the ground for a frame.
#[test]
fn a_foot_that_its_ankle_tips_stands_on_what_is_down() {
    let plant = Plant::on(&|_: Real, z: Real| 0.1 * z, &sole(), Vec2::new(0.1, -0.04), 0.0);
    let footing = FootPose::on_heel(&plant, -0.1).footing(&sole(), Some(&plant));
    for (tipped, stands, point) in
        [(-0.2, plant.heel, sole().heel), (0.15, plant.toe, sole().toe), (0.4, plant.toe, sole().toe)]
    {
        let turn = sole().rotation(plant.heading, plant.slope + tipped, plant.roll);
        let ankle = footing.ankle(turn).unwrap();
        let at = ankle + turn * (point - sole().ankle);
        assert!(at.distance(stands) < 1.0e-5, "tipped by {tipped}: {at} for {stands}");
    }
}

/// A foot on its toes that was turned aside by its ankle was taken for one on an edge, by how far the edge is over the
/// foot's own plane, and had the real one 6 mm in the ground.
#[test]
fn an_edge_is_over_the_ground_and_not_over_the_foot() {
    let plant = Plant::on(&|_: Real, _: Real| 0.0, &sole(), Vec2::new(0.1, -0.04), 0.0);
    let footing = FootPose::on_toes(&plant, &sole(), 0.9).footing(&sole(), Some(&plant));
    for (heading, roll) in [(0.0, 0.0), (0.5, 0.0), (-0.4, 0.3), (0.3, -0.6)] {
        let turn = sole().rotation(heading, 0.9, roll);
        let toe = footing.ankle(turn).unwrap() + turn * (sole().toe - sole().ankle);
        let edge = turn * sole().left * sole().width;
        let lowest = toe.y - edge.y.abs();
        assert!(lowest.abs() < 1.0e-5, "heading {heading}, roll {roll}: an edge at {lowest}");
    }
}

/// A knee turned by 24 degrees in a frame as its foot left the ground: on the tips of its toes the foot pointed down and
/// its heading, in which the knee points, was that of what its ankle had made of it.
#[test]
fn a_knee_goes_on_pointing_where_the_foot_should() {
    let turn = sole().rotation(0.4, 1.1, -0.5);
    let found = FootPose::of(&sole(), Vec3::new(0.1, 0.2, 0.0), turn, 0.9);
    assert!((found.heading - 0.4).abs() < 1.0e-4);
    let ahead = found.footing_in_the_air(&sole(), sole().toe).ahead;
    assert!(ahead.distance(sole().direction(0.9)) < 1.0e-5);
}
