//! Skeletons: what the builder makes, what it refuses and why, and chains of joints.

use sinew::skeleton::BuildError;
use sinew::{JointDef, JointKind, Quat, Real, SkeletonBuilder, Vec3};

fn chain(parents: &[Option<usize>]) -> SkeletonBuilder {
    let mut b = SkeletonBuilder::new("test");
    for (i, p) in parents.iter().enumerate() {
        let mut def = JointDef::new(format!("j{i}"));
        def.parent = *p;
        b.add(def);
    }
    b
}

#[test]
fn children_may_come_before_their_parents_where_ids_need_not_stay() {
    let odd = chain(&[Some(2), Some(0), None, Some(2)]);
    assert_eq!(odd.build().unwrap_err(), BuildError::NotDepthFirst { joint: "j0".into() });
    let s = odd.build_sorted().unwrap();
    let names: Vec<&str> = s.joints().iter().map(|j| j.name()).collect();
    assert_eq!(names, ["j2", "j0", "j1", "j3"]);
    assert_eq!(s.from_builder().iter().map(|j| j.index()).collect::<Vec<_>>(), [1, 2, 0, 3]);
    assert_eq!(s.subtree(s.find("j0").unwrap()), 1..3);
    let children: Vec<_> = s.children(s.root()).map(|c| s.joint(c).name()).collect();
    assert_eq!(children, ["j0", "j3"]);
}

#[test]
fn the_ids_of_the_builder_are_the_skeletons_or_it_is_refused() {
    let breadth_first = chain(&[None, Some(0), Some(0), Some(1)]);
    assert_eq!(breadth_first.build().unwrap_err(), BuildError::NotDepthFirst { joint: "j2".into() });
    let mut builder = SkeletonBuilder::new("test");
    let hips = builder.add(JointDef::new("hips"));
    let leg = builder.add(JointDef::new("leg").under(hips));
    let foot = builder.add(JointDef::new("foot").under(leg));
    let spine = builder.add(JointDef::new("spine").under(hips));
    let s = builder.build().unwrap();
    for (id, name) in [(hips, "hips"), (leg, "leg"), (foot, "foot"), (spine, "spine")] {
        assert_eq!(s.joint(id).name(), name);
    }
}

#[test]
fn what_is_not_a_tree_is_refused_with_a_reason() {
    assert_eq!(chain(&[]).build().unwrap_err(), BuildError::Empty);
    let two = chain(&[None, None]).build().unwrap_err();
    assert_eq!(two, BuildError::SeveralRoots { first: "j0".into(), second: "j1".into() });
    let circle = chain(&[None, Some(2), Some(1)]).build().unwrap_err();
    assert_eq!(circle, BuildError::Cycle("j1".into()));
    assert_eq!(chain(&[Some(0)]).build().unwrap_err(), BuildError::Cycle("j0".into()));
    assert!(matches!(chain(&[None, Some(9)]).build(), Err(BuildError::NoSuchParent { parent: 9, .. })));
}

#[test]
fn what_was_built_builds_again_bit_for_bit() {
    let mut b = chain(&[None, Some(0), Some(1)]);
    for (i, def) in b.joints.iter_mut().enumerate() {
        let t = i as Real;
        let v = Vec3::new(0.3 + t, -1.7, 0.9 * t);
        def.rest.rotation = Quat::from_xyzw(0.1, t, -0.4, 0.7);
        def.kind = match i {
            0 => JointKind::Hinge { axis: v },
            1 => JointKind::Prismatic { axis: v },
            _ => JointKind::Universal { first: v, second: Vec3::new(0.2, 0.1, 5.0) },
        };
    }
    let once = b.build().unwrap();
    let twice = once.to_builder().build().unwrap();
    assert_eq!(once.to_builder(), twice.to_builder());
}

#[test]
fn bad_numbers_are_refused_with_the_joint_s_name() {
    let mut b = chain(&[None, Some(0)]);
    b.joints[1].rest.translation.x = Real::NAN;
    assert_eq!(b.build().unwrap_err(), BuildError::BadRest("j1".into()));
    let mut b = chain(&[None, Some(0)]);
    b.joints[1].kind = JointKind::Hinge { axis: Vec3::ZERO };
    assert_eq!(b.build().unwrap_err(), BuildError::BadAxis("j1".into()));
    let mut b = chain(&[None, Some(0)]);
    b.joints[1].name = "j0".into();
    assert_eq!(b.build().unwrap_err(), BuildError::DuplicateName("j0".into()));
}

#[test]
fn a_chain_runs_down_and_knows_its_length() {
    let mut b = SkeletonBuilder::new("t");
    let a = b.add(JointDef::new("a"));
    let c = b.add(JointDef::new("b").under(a).at(Vec3::Y * 2.0));
    b.add(JointDef::new("c").under(c).at(Vec3::X * 0.5));
    b.add(JointDef::new("d").under(a).at(Vec3::X));
    let s = b.build().unwrap();
    let id = |n: &str| s.find(n).unwrap();
    let chain = s.chain(id("a"), id("c")).unwrap();
    assert_eq!(chain, [id("a"), id("b"), id("c")]);
    assert_eq!(s.chain(id("d"), id("c")), None);
}
