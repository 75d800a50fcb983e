//! Time grows with the size of a file and no faster, also where everything in it is called the same.
//!
//! Each kind of document is read at a size and at sixteen times that size. What would be linear takes
//! sixteen times as long, what would be quadratic 256 times; a slope of 1.3 is 37 times. Time is that
//! of the processor where the system tells it, and the least of several runs. Whoever else works on the
//! machine still takes the caches away from the larger document more than from the smaller one, so a
//! steep pair is measured again, a few times: what is quadratic is steep every time.

#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

use std::fmt::Write as _;
use std::time::{Duration, Instant};

const STEEPEST: f64 = 1.3;
const TIMES: usize = 16;
/// How often a pair of sizes may be measured.
const ATTEMPTS: usize = 5;

/// What the processor has done for this thread, where Linux says so.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Seconds of one run: of as many as it takes to see them, for the system counts in ticks.
fn took(work: impl Fn()) -> f64 {
    const ENOUGH: f64 = 0.05;
    let once = || {
        let (before, start) = (processor_time(), Instant::now());
        for runs in 1.. {
            work();
            let elapsed = match before.zip(processor_time()) {
                Some((before, after)) => (after.saturating_sub(before)).as_secs_f64(),
                None => start.elapsed().as_secs_f64(),
            };
            if elapsed >= ENOUGH {
                return elapsed / f64::from(runs);
            }
        }
        0.0
    };
    (0..2).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn grows_with_size(what: &str, small: usize, document: impl Fn(usize) -> String, read: impl Fn(&[u8])) {
    let (little, large) = (document(small), document(small * TIMES));
    slope(what, small, || read(little.as_bytes()), || read(large.as_bytes()));
}

/// Something of a size, and the same of [`TIMES`] that size.
fn slope(what: &str, small: usize, little: impl Fn(), large: impl Fn()) {
    let mut seen = String::new();
    for _ in 0..ATTEMPTS {
        let (few, many) = (took(&little), took(&large));
        let slope = (many / few).log(TIMES as f64);
        if slope <= STEEPEST {
            return;
        }
        let _ = write!(seen, " {few:.4} s and {many:.4} s: slope {slope:.2};");
    }
    panic!("{what}, {small} and {}:{seen}", small * TIMES);
}

/// Reads under a name; whether it can be read is not the question.
fn file(name: &'static str) -> impl Fn(&[u8]) {
    move |bytes| drop(sinew_io::read(name, bytes, &mut |_| None))
}

/// What joints are called.
fn named(equal: bool) -> impl Fn(usize) -> String {
    move |i| if equal { "a".into() } else { format!("joint{i}") }
}

#[test]
fn joints_of_a_bvh() {
    for equal in [true, false] {
        let document = |n: usize| {
            let mut text = String::from("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n");
            for i in 0..n {
                let _ = writeln!(
                    text,
                    "JOINT {}\n{{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}",
                    named(equal)(i)
                );
            }
            text + "}\n"
        };
        grows_with_size("joints of a BVH", 1000, document, file("a.bvh"));
    }
    let sites = |n: usize| {
        let site = "End Site\n{\nOFFSET 0 1 0\n}\n".repeat(n);
        format!("HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{site}}}\n")
    };
    grows_with_size("end sites", 4000, sites, file("a.bvh"));
}

#[test]
fn bones_of_an_asf() {
    for equal in [true, false] {
        let document = |n: usize| {
            let mut text =
                String::from(":units\nlength 1\n:root\norder TX TY TZ RX RY RZ\naxis XYZ\n:bonedata\n");
            for i in 0..n {
                let name = named(equal)(i);
                let _ = writeln!(
                    text,
                    "begin\nid {i}\nname {name}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\nend"
                );
            }
            text.push_str(":hierarchy\nbegin\n");
            for i in 0..n {
                let _ = writeln!(text, "root {}", named(equal)(i));
            }
            text + "end\n"
        };
        grows_with_size("bones of an ASF", 1000, document, file("a.asf"));
    }
}

#[test]
fn links_of_a_robot() {
    for equal in [true, false] {
        let document = |n: usize| {
            let mut text = String::from("<robot name=\"r\"><link name=\"base\"/>");
            for i in 0..n {
                let name = named(equal)(i);
                let _ = write!(
                    text,
                    "<link name=\"{name}\"/><joint name=\"k{name}\" type=\"continuous\"><parent link=\"base\"/><child link=\"{name}\"/></joint>"
                );
            }
            text + "</robot>"
        };
        grows_with_size("links of a robot", 500, document, file("a.urdf"));
    }
}

#[test]
fn joints_of_a_rig_file() {
    for equal in [true, false] {
        let document = |n: usize| {
            let mut text = String::from("sinew_rig = 1\nname = \"r\"\n[[joint]]\nname = \"top\"\n");
            for i in 0..n {
                let _ = writeln!(text, "[[joint]]\nname = \"{}\"\nparent = \"top\"", named(equal)(i));
            }
            text
        };
        grows_with_size("joints of a rig file", 300, document, file("a.rig.toml"));
    }
}

#[test]
fn knots_of_a_limit_on_one_line() {
    // More than a joint may have: they are read, and refused for their number.
    let document = |n: usize| {
        let knots: String = (0..n).map(|i| format!("{{ circumduction = {i}, amplitude = 9 }}, ")).collect();
        format!(
            "sinew_rig = 1\n[[joint]]\nname = \"a\"\nlimit = {{ swing = \"spline\", bone = [0, 1, 0], right = [1, 0, 0], knots = [{knots}] }}\n"
        )
    };
    grows_with_size("knots of a limit", 1500, document, file("a.rig.toml"));
}

#[test]
fn nodes_of_a_gltf() {
    for equal in [true, false] {
        let document = |n: usize| {
            let below: Vec<usize> = (1..=n).collect();
            let mut text =
                format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{\"children\":{below:?}}}");
            for i in 0..n {
                let _ = write!(text, ",{{\"name\":\"{}\"}}", named(equal)(i));
            }
            text + "]}"
        };
        grows_with_size("nodes of a glTF", 500, document, file("a.gltf"));
    }
}

#[test]
fn members_of_a_gltf_that_is_written_again() {
    // 3.5 MB of members took eight seconds: every one was looked up by its name.
    let document = |n: usize| {
        let members: String = (0..n).map(|i| format!(",\"k{i}\":0")).collect();
        format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{}}]{members}}}")
    };
    grows_with_size("members of a glTF", 6000, document, |bytes| {
        let asset = sinew_io::read("a.gltf", bytes, &mut |_| None).unwrap();
        drop(sinew_io::write(sinew_io::Format::Gltf, &asset, &Default::default()).unwrap());
    });
}

#[test]
fn tables_and_meshes() {
    let comments = |n: usize| "# nothing\n\n1,2\n".repeat(n);
    grows_with_size("rows of a table", 4000, comments, |bytes| {
        assert!(sinew_io::table::rows(bytes).all(|row| row.is_ok()));
    });
    let polygon = |n: usize| {
        let face: String = (1..=n).map(|i| format!(" {i}")).collect();
        "v 0 0 0\n".repeat(n) + "f" + &face + "\n"
    };
    grows_with_size("corners of a face", 2000, polygon, |bytes| drop(sinew_io::obj::read(bytes)));
}

#[test]
fn tools_of_a_machine() {
    // A hundred thousand arms on one base took minutes, and a chain with a twig at every joint far longer.
    let robot = |n: usize, parent: fn(usize) -> usize| {
        let mut text = String::from("<robot name=\"r\"><link name=\"l0\"/>");
        for i in 1..=n {
            let _ = write!(
                text,
                "<link name=\"l{i}\"/><joint name=\"j{i}\" type=\"continuous\"><parent link=\"l{}\"/><child link=\"l{i}\"/><origin xyz=\"0.1 {} 0\"/></joint>",
                parent(i),
                i % 3,
            );
        }
        text + "</robot>"
    };
    let arms: fn(usize) -> usize = |_| 0;
    let twigs: fn(usize) -> usize = |i| (i - 1) / 2 * 2;
    for (what, small, parent) in [("arms", 1000, arms), ("twigs", 500, twigs)] {
        let [little, large] = [1, TIMES].map(|times| {
            let asset = sinew_io::read("a.urdf", robot(small * times, parent).as_bytes(), &mut |_| None);
            asset.unwrap()
        });
        assert!(!little.tools().is_empty());
        slope(what, small, || drop(little.tools()), || drop(large.tools()));
    }
}
