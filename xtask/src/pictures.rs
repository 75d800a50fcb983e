//! `cargo xtask pictures`: draws docs/pictures again.

use anyhow::Result;

use crate::{command, tree};

/// File name and the arguments of `sinew` that draw it.
const PICTURES: &[(&str, &[&str])] = &[
    ("humanoid.png", &["show", "humanoid", "--width", "1200"]),
    ("erik-c.png", &["show", "erik-c", "--width", "1200", "--views", "front,side,turned"]),
    ("spider.png", &["show", "spider", "--width", "1200"]),
    ("look.png", &["look", "snake", "--posture", "wave", "--at", "0.5,0.3,0.8", "--width", "1200"]),
    ("walk.png", &["walk", "--terrain", "steps", "--seconds", "7"]),
    ("reach.png", &["reach", "--to", "-0.35,1.25,0.5", "--obstacle", "box:-0.4,1.05,0.3,0.2,0.2,0.2"]),
    // Several pictures, into the folder itself.
    (".", &["eval", "filter"]),
];

/// Draws every picture.
pub fn run() -> Result<()> {
    let folder = tree::root().join("docs/pictures");
    std::fs::create_dir_all(&folder)?;
    for (file, arguments) in PICTURES {
        let mut cargo = command::cargo(&["run", "--quiet", "--package", "sinew-cli", "--"]);
        cargo.args(*arguments).arg("-o").arg(folder.join(file));
        command::run(&mut cargo)?;
    }
    Ok(())
}
