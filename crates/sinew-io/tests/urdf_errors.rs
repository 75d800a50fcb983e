//! What is wrong with a robot is said with its line, and nothing is worse than an error.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

use proptest::prelude::*;
use sinew_io::{Place, ReadError, urdf};

fn error(text: &str) -> ReadError {
    urdf::read(text.as_bytes()).expect_err("this robot should be refused")
}

/// A robot with these joints between the links a, b and c; joints start on line 3.
fn robot(joints: &str) -> String {
    format!("<robot name=\"r\"><link name=\"a\"/>\n<link name=\"b\"/><link name=\"c\"/>\n{joints}\n</robot>")
}

const A_TO_B: &str = r#"<joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>"#;
const B_TO_C: &str = r#"<joint name="bc" type="fixed"><parent link="b"/><child link="c"/></joint>"#;

/// A robot whose joint from a to b is of this kind and has these elements.
fn with_joint(kind: &str, elements: &str) -> String {
    robot(&format!(
        "{B_TO_C}\n<joint name=\"ab\" type=\"{kind}\"><parent link=\"a\"/><child link=\"b\"/>\n{elements}</joint>"
    ))
}

#[test]
fn the_sound_robot_of_these_tests_is_sound() {
    urdf::read(robot(&format!("{A_TO_B}{B_TO_C}")).as_bytes()).unwrap();
    urdf::read(with_joint("continuous", "").as_bytes()).unwrap();
}

#[test]
fn what_is_no_tree_says_which_links() {
    let e = error(&robot(&format!(
        "{A_TO_B}\n{B_TO_C}\n<joint name=\"ac\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>"
    )));
    assert_eq!(e.place, Place::Line(5));
    assert!(e.found.contains("'bc' (line 4) and 'ac' with the same child 'c'"), "{e}");

    let e = error(&robot(A_TO_B));
    assert_eq!(e.place, Place::Line(2));
    assert!(e.found.contains("'a' (line 1) and 'c' without a joint above"), "{e}");

    let back = r#"<joint name="cb" type="fixed"><parent link="c"/><child link="b"/></joint>"#;
    let e = error(&robot(&format!("{B_TO_C}\n{back}")));
    assert!(e.found.contains("'b' below itself"), "{e}");

    let all_round = format!("<robot><link name=\"b\"/><link name=\"c\"/>{B_TO_C}{back}</robot>");
    assert!(error(&all_round).found.contains("below itself"));

    let e = error(&robot(&format!("{A_TO_B}\n{}", B_TO_C.replace("\"c\"", "\"cc\""))));
    assert_eq!(e.place, Place::Line(4));
    assert!(e.to_string().contains("'cc', expected a <link> of this name (did you mean 'c'?)"), "{e}");

    assert!(error("<robot name=\"r\"/>").found.contains("no <link>"));
}

#[test]
fn names_that_come_twice_say_where_the_first_is() {
    let e = error(&robot(&format!("{A_TO_B}{B_TO_C}\n\n<link name=\"a\"/>")));
    assert_eq!(e.place, Place::Line(5));
    assert!(e.found.contains("second link 'a' (the first is on line 1)"), "{e}");
    let e = error(&robot(&format!("{A_TO_B}\n{}", B_TO_C.replace("bc", "ab"))));
    assert_eq!(e.place, Place::Line(4));
    assert!(e.found.contains("second joint 'ab'"), "{e}");
}

#[test]
fn numbers_are_finite_and_axes_have_a_direction() {
    for (elements, part) in [
        ("<axis xyz=\"0 0 0\"/>", "an axis that has a direction"),
        ("<axis xyz=\"0 nan 1\"/>", "3 finite numbers"),
        ("<axis xyz=\"0 1\"/>", "3 finite numbers"),
        ("<axis xyz=\"0 0 1 0\"/>", "3 finite numbers"),
        ("<axis/>", "<axis xyz="),
        ("<origin xyz=\"inf 0 0\"/>", "3 finite numbers"),
        ("<origin xyz=\"1,2,3\"/>", "3 finite numbers"),
        ("<origin rpy=\"0 0 1e999\"/>", "3 finite numbers"),
        ("<origin quat_xyzw=\"0 0 0 2\"/>", "length 1"),
        ("<origin quat_xyzw=\"0 0 0 1\" rpy=\"0 0 0\"/>", "one of them"),
        ("<origin/><origin/>", "one <origin>"),
        ("<mimic joint=\"bc\" multiplier=\"x\"/>", "a finite number"),
        ("<mimic joint=\"bc\" offset=\"inf\"/>", "a finite number"),
        ("<mimic/>", "<mimic joint="),
    ] {
        let e = error(&with_joint("continuous", elements));
        let line = match e.place {
            Place::LineColumn(line, _) => line,
            ref other => panic!("{other}"),
        };
        assert_eq!(line, 5, "{elements}: {e}");
        let expected = if part == "a finite number" { "number" } else { part };
        assert!(e.expected.contains(expected), "{elements}: {e}");
    }
    // An axis that means nothing may be anything.
    urdf::read(with_joint("fixed", "<axis xyz=\"0 0 0\"/>").as_bytes()).unwrap();
    urdf::read(with_joint("continuous", "<axis xyz=\"0 0 1e-3\"/>").as_bytes()).unwrap();
    urdf::read(with_joint("continuous", "<axis xyz=\"1e9 0 1e9\"/>").as_bytes()).unwrap();
}

#[test]
fn limits_are_the_right_way_up() {
    for (kind, elements, part) in [
        ("revolute", "<limit lower=\"1\" upper=\"-1\"/>", "not above"),
        ("prismatic", "<limit lower=\"0.1\" upper=\"0\"/>", "not above"),
        ("revolute", "<limit lower=\"nan\" upper=\"1\"/>", "a number"),
        ("revolute", "<limit lower=\"-inf\" upper=\"1\"/>", "two finite ends"),
        ("revolute", "", "or the type continuous"),
        ("prismatic", "", "<limit"),
        (
            "revolute",
            "<limit lower=\"-1\" upper=\"1\"/><safety_controller soft_lower_limit=\"1\" soft_upper_limit=\"0\"/>",
            "not above",
        ),
    ] {
        let e = error(&with_joint(kind, elements));
        assert!(e.expected.contains(part), "{kind} {elements}: {e}");
    }
    let endless =
        urdf::read(with_joint("revolute", "<limit lower=\"-inf\" upper=\"inf\"/>").as_bytes()).unwrap();
    assert!(endless.skeleton.joint(endless.find("ab").unwrap()).limit().is_none());
}

#[test]
fn joints_that_urdf_does_not_have_are_refused_or_noted() {
    let e = error(&with_joint("screw", ""));
    assert_eq!(e.place, Place::LineColumn(4, 24));
    assert_eq!(e.found, "type='screw'");
    assert!(e.expected.contains("continuous"), "{e}");
    let e = error(&robot("<joint name=\"x\"><parent link=\"a\"/><child link=\"b\"/></joint>"));
    assert!(e.found.contains("without type"), "{e}");
    let ball =
        urdf::read(with_joint("spherical", "<limit lower=\"0.2\" upper=\"0.5\"/>").as_bytes()).unwrap();
    let notes: Vec<String> = ball.notes.iter().map(|n| n.to_string()).collect();
    assert!(notes.iter().any(|n| n.contains("'spherical', which URDF does not have")), "{notes:?}");
    assert!(notes.iter().any(|n| n.contains("was left out")), "{notes:?}");

    let extension = "<robot xmlns:d=\"http://d\"><link name=\"a\"/><link name=\"b\"/>\n<d:joint name=\"x\" type=\"ball\"/></robot>";
    let e = error(extension);
    assert_eq!(e.place, Place::LineColumn(2, 1));
    assert!(e.found.contains("extension 'http://d'"), "{e}");
}

#[test]
fn macros_are_to_be_expanded_first() {
    let with_element = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<xacro:property name=\"x\" value=\"1\"/><link name=\"a\"/></robot>";
    assert_eq!(error(with_element).place, Place::LineColumn(2, 1));
    let undeclared = "<robot>\n<xacro:include filename=\"x\"/><link name=\"a\"/></robot>";
    for e in [error(with_element), error(undeclared), error("<robot><link name=\"${side}_arm\"/></robot>")] {
        assert!(e.expected.contains("xacro robot.urdf.xacro > robot.urdf"), "{e}");
    }
    // A namespace that is declared and not used is no macro.
    urdf::read(b"<robot xmlns:xacro=\"http://ros.org/wiki/xacro\"><link name=\"a\"/></robot>").unwrap();
}

#[test]
fn mimics_lead_somewhere() {
    let follow = |name: &str, source: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/><mimic joint=\"{source}\"/></joint>\n"
        )
    };
    let e = error(&robot(&format!("{}{}", follow("ab", "bc", "a", "b"), follow("bc", "ab", "b", "c"))));
    assert!(e.found.contains("follows itself"), "{e}");
    assert!(
        error(&robot(&format!("{}{B_TO_C}", follow("ab", "ab", "a", "b")))).found.contains("follows itself")
    );
    let e = error(&robot(&format!("{}{B_TO_C}", follow("ab", "bd", "a", "b"))));
    assert!(
        e.expected.contains("(did you mean 'ab'?)") || e.expected.contains("(did you mean 'bc'?)"),
        "{e}"
    );
    let floating = with_joint("floating", "<mimic joint=\"bc\"/>");
    assert!(error(&floating).found.contains("the floating joint 'ab' that mimics"), "{}", error(&floating));
}

#[test]
fn what_is_not_a_robot_is_named() {
    assert!(error("").found.contains("nothing"));
    assert!(error(" \n\0\0").found.contains("nothing"));
    assert!(error("<sdf version=\"1.7\"/>").found.contains("<sdf>"));
    assert!(error("not xml").expected.contains("XML"));
    assert!(error("<robot><link name=\"a\"></robot>").expected.contains("XML"));
    let e = urdf::read(b"<robot>\n<link name=\"\xff\"/></robot>").unwrap_err();
    assert_eq!(e.place, Place::Line(2));
    assert!(e.found.contains("0xFF"), "{e}");
    assert!(error("<robot><link/></robot>").found.contains("<link> without name"));
    assert!(error("<robot><link name=\" \"/></robot>").expected.contains("not empty"));
}

#[test]
fn bombs_are_refused_quickly() {
    let started = std::time::Instant::now();
    let laughs = "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>\n<robot name=\"&b;\"/>";
    assert!(error(laughs).found.contains("document type"), "{}", error(laughs));
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(error(&deep).expected.contains("128 levels"));
    let wide: String = (0..100_000).map(|i| format!(" a{i}=\"\"")).collect();
    assert!(error(&format!("<robot{wide}/>")).expected.contains("256 attributes"));
    let spaces: String = (0..1000).map(|i| format!("<a xmlns:n{i}=\"u\"/>")).collect();
    assert!(error(&format!("<robot>{spaces}</robot>")).expected.contains("256"));
    // A comment that is not over at `<!-->`: what looks like a tag inside must
    // not hide what comes after it.
    let hidden = format!("<robot><!--><a \"-->{}</robot>", "<b>".repeat(1000));
    assert!(error(&hidden).expected.contains("128 levels"), "{}", error(&hidden));
    let large = vec![b' '; (16 << 20) + 1];
    assert!(urdf::read(&large).unwrap_err().expected.contains("bytes"));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

const SAMPLE: &str = r#"<?xml version="1.0"?>
<robot name="sample">
  <link name="base"/><link name="arm"/><link name="hand"/><link name="finger"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.1 -0.2 1.5"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="10" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="arm"/><child link="hand"/>
    <limit lower="0" upper="0.4"/></joint>
  <joint name="grip" type="continuous"><parent link="hand"/><child link="finger"/>
    <axis xyz="0 1 1"/><mimic joint="slide" multiplier="2" offset="0.1"/></joint>
</robot>"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn garbage_is_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = urdf::read(&bytes);
    }

    #[test]
    fn broken_robots_never_panic(
        cuts in prop::collection::vec((0usize..SAMPLE.len(), 0usize..12, prop::sample::select(vec![
            "", "\"", "<", ">", "/>", "nan", "1e400", "-0", "<joint ", "<!--", "<![CDATA[", "&#0;", "&#x41;",
            "floating", "planar", "spherical", "base", "turn", "xmlns:x=\"y\"", "\0", "é", "0 0 0",
        ])), 1..6),
    ) {
        let mut text = SAMPLE.to_owned();
        for (at, length, insert) in cuts {
            let mut start = at.min(text.len());
            while !text.is_char_boundary(start) { start -= 1; }
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) { end += 1; }
            text.replace_range(start..end, insert);
        }
        if let Ok(asset) = urdf::read(text.as_bytes()) {
            let mut pose = sinew_f64::Pose::rest(&asset.skeleton);
            asset.apply_mimics(&mut pose);
            prop_assert!(pose.is_finite());
            let document = urdf::parse(text.as_bytes()).unwrap();
            for link in document.links.iter().map(|l| l.name.clone()) {
                urdf::reroot(&document, &link).unwrap().to_asset(&Default::default()).unwrap();
            }
        }
    }
}
