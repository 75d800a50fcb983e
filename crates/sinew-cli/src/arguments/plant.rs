//! The arguments of `sinew plant`.

use std::path::PathBuf;

use clap::Args;

use super::ReadArguments;

#[derive(Debug, Args)]
#[command(
    after_help = "\
What it does:
  A foot that is slow and near the ground stands. What stands is held in its place, put on the
  ground and tilted as the ground is; the hips go up and down with the feet and as low as the
  legs need it; feet in the air are lifted over what is in their way. Without --ground only
  sliding feet are put right, each at the height at which it was recorded.

Grounds (heights in metres, where the motion is):
  flat                   height zero everywhere
  slope[:grade]          rising by grade metres a metre along z (0.15 if not given)
  steps[:rise,tread]     stairs along z, from z = 1.5 on, up and down again (0.16, 0.32)
  hills[:seed[,height]]  random hills (seed 1, 0.35 m)
  map:FILE.png[,height]  a picture, white is highest (1 m), ten pixels a metre
  mesh:FILE.obj          triangles of a Wavefront OBJ file, y up, metres


Examples:
  sinew plant walk.bvh clean.bvh
  sinew plant walk.bvh uphill.bvh --ground slope:0.1
  sinew plant dance.glb stairs.glb --ground steps --json
  sinew plant run.bvh soft.bvh --influence 0.5",
    allow_negative_numbers = true
)]
pub struct PlantArguments {
    /// A motion: BVH, AMC or glTF, of a human body or of legs that end on the ground
    #[arg(value_name = "IN")]
    pub input: String,
    /// The file to write: .bvh, .glb or .gltf
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The ground to stand on; without it, the one that the motion was recorded on
    #[arg(long, value_name = "GROUND")]
    pub ground: Option<String>,
    /// How high the ground of the recording is, in metres; found from the feet if not given
    #[arg(long, value_name = "METRES")]
    pub level: Option<f64>,
    /// What is slower than this stands, in leg lengths a second
    #[arg(long, value_name = "SPEED", default_value_t = 0.3)]
    pub speed: f64,
    /// Over how many seconds a planted foot fades in and out
    #[arg(long, value_name = "SECONDS", default_value_t = 0.25)]
    pub fade: f64,
    /// How much of it is done, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 1.0)]
    pub influence: f64,
    /// Which motion of the file, by name or number from 1 on; the first if not given
    #[arg(long, value_name = "MOTION")]
    pub motion: Option<String>,
    /// Write JSON of a stable shape with all contacts, see docs/cli.md
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArguments,
}
