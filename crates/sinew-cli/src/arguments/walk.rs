//! The arguments of `sinew walk`.

use std::path::PathBuf;

use clap::Args;

use super::{ReadArguments, ViewName};

#[derive(Debug, Args)]
#[command(
    after_help = "\
Terrains:
  flat                   height zero everywhere
  slope[:grade]          rising by grade metres a metre ahead (0.15 if not given)
  steps[:rise,tread]     stairs up and down again (0.16, 0.32)
  hills[:seed[,height]]  random hills (seed 1, 0.35 m)
  rubble[:seed[,height]] random stones (seed 1, 0.1 m)
  wall[:height]          across the way, 2.5 m ahead (2 m)
  kerb[:height]          a step there, down below zero (0.12 m)
  ditch[:width[,depth]]  across the way there (1 m, 1 m)
  map:FILE.png[,height]  a picture, white is highest (1 m), ten pixels a metre
  mesh:FILE.obj          triangles of a Wavefront OBJ file, y up, metres

Paths:
  straight, circle, figure8, or a CSV file with the columns time, speed, turn: seconds,
  -1 (backwards) to 1, -1 (right) to 1 (left); each line holds until the next. With the
  columns time, ahead_m_s, left_m_s, turn_deg_s it is a velocity, sideways and running too.
  At the end of a path the character stops and stands.

It stops before a wall, a step too high, a drop and a slope too steep, and says so.

Examples:
  sinew walk -o walk.png
  sinew walk --run --cycle -o run.glb
  sinew walk --terrain wall
  sinew walk humanoid --terrain steps --seconds 12 -o stairs.glb
  sinew walk --terrain hills:4 --path circle --solver half -o hills.bvh
  sinew walk spider --terrain hills --path figure8 -o spider.glb",
    allow_negative_numbers = true
)]
pub struct WalkArguments {
    /// The name of an embedded rig, or a file: a human body, or legs that end on the ground
    #[arg(value_name = "RIG|FILE", default_value = "humanoid")]
    pub input: String,
    /// What it walks on
    #[arg(long, value_name = "TERRAIN", default_value = "flat")]
    pub terrain: String,
    /// Where it goes
    #[arg(long, value_name = "PATH", default_value = "straight")]
    pub path: String,
    /// How fast, from -1 (backwards) to 1
    #[arg(long, value_name = "PART", default_value_t = 0.9)]
    pub speed: f64,
    /// Full speed is a run
    #[arg(long)]
    pub run: bool,
    /// The highest step that it climbs, in metres [default: 0.4 of a leg]
    #[arg(long, value_name = "METRES")]
    pub climb: Option<f64>,
    /// The deepest step that it goes down, in metres [default: 0.45 of a leg]
    #[arg(long, value_name = "METRES")]
    pub drop: Option<f64>,
    /// The steepest slope that it walks on, as its rise over its run [default: 0.7]
    #[arg(long, value_name = "GRADE")]
    pub steepest: Option<f64>,
    /// Write one cycle of the gait, in place, that loops: on flat ground, straight ahead
    #[arg(long, conflicts_with_all = ["path", "terrain"])]
    pub cycle: bool,
    /// How the legs are solved: half, full, hybrid, limb or ewbik
    #[arg(long, value_name = "SOLVER", default_value = "limb")]
    pub solver: String,
    /// How long it walks, in seconds; the last two are for stopping
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub seconds: f64,
    /// Frames a second
    #[arg(long, value_name = "FPS", default_value_t = 60.0)]
    pub fps: f64,
    /// Where to write it: .glb, .gltf or .bvh for the motion, .png or .svg for ten frames of it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where to look from in the picture
    #[arg(long, value_name = "VIEW", default_value = "side")]
    pub view: ViewName,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArguments,
}
