//! Arguments as they are typed. What they mean is found out in `resolve.rs`
//! and in the commands.

mod eval;
mod plant;
mod walk;

use std::path::PathBuf;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use eval::*;
pub use plant::PlantArguments;
pub use walk::WalkArguments;

use crate::failure::EXIT_CODES;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Inverse kinematics for characters and robots: look at skeletons and motions,
/// convert them, draw them.
#[derive(Debug, Parser)]
#[command(
    name = "sinew",
    version,
    styles = STYLES,
    arg_required_else_help = true,
    after_help = format!("\
Where a command takes RIG|FILE, it takes the name of an embedded rig (see 'sinew rigs')
or a file: BVH, ASF, AMC, glTF, GLB, VRM, URDF or rig. A file of that name wins.

Examples:
  sinew rigs
  sinew info humanoid
  sinew convert walk.bvh walk.glb
  sinew show spider -o spider.png
  sinew solve humanoid --goal r_wrist=-0.4,1.2,0.4 -o reach.png
  sinew look erik-g --posture wave --at 1,1,2 -o pose.png
  sinew studio

{EXIT_CODES}")
)]
pub struct Arguments {
    /// Let the output replace the file that is read
    #[arg(long, global = true)]
    pub replace_input: bool,
    /// The most memory that a file may become, such as 512M or 2G; 256M unless SINEW_MEMORY says otherwise
    #[arg(long, global = true, value_name = "SIZE")]
    pub memory: Option<String>,
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tell what a rig or a file holds: joints, limits, human parts, motions
    Info(InfoArguments),
    /// Convert a file to another format
    Convert(ConvertArguments),
    /// Draw a rig or a file from the front, the side and above
    Show(ShowArguments),
    /// Find a pose that meets goals, by one solver or by all side by side
    Solve(SolveArguments),
    /// Reach with a hand and the whole body, around obstacles, as a motion
    Reach(ReachArguments),
    /// Keep a posture while its end point looks somewhere (ERIK), or follows a target
    Look(LookArguments),
    /// Walk over any ground, steered by a path or by keys, as a motion
    Walk(WalkArguments),
    /// Plant the feet of a motion: no sliding, on the ground it was recorded on or on any other
    Plant(PlantArguments),
    /// Run the experiments that set the solvers beside each other and beside others
    Eval(EvalArguments),
    /// Make a whole body's motion from a few tracked points, and say how near it comes
    Reconstruct(ReconstructArguments),
    /// Open the studio: a page where all of it can be seen and touched
    Studio(StudioArguments),
    /// List the embedded rigs
    Rigs(RigsArguments),
    /// Print a script that completes sinew's arguments in a shell
    Completions(CompletionsArguments),
}

/// What a file leaves open about itself.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArguments {
    /// Metres in one unit of the file (BVH, ASF, AMC); BVH does not say and is guessed
    #[arg(long, value_name = "METRES")]
    pub scale: Option<f64>,
    /// The axis that points up in the file (BVH, URDF); BVH is guessed, URDF has z
    #[arg(long, value_name = "AXIS")]
    pub up: Option<Up>,
    /// Frames a second (AMC), which does not say; 120 otherwise
    #[arg(long, value_name = "FPS")]
    pub rate: Option<f64>,
    /// The link to hang a robot up by (URDF), instead of the root it has
    #[arg(long, value_name = "LINK")]
    pub root: Option<String>,
    /// Which joint is which part of a human body, where that is not found or found wrongly; the parts are
    /// those of VRM 1.0, such as leftFoot; may be given several times
    #[arg(long, value_name = "PART=JOINT")]
    pub map: Vec<String>,
}

/// An axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Up {
    Y,
    Z,
}

/// A switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl Switch {
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sinew info humanoid                      the joints and limits of an embedded rig
  sinew info walk.bvh                      a motion file: joints, frames, rate
  sinew info robot.urdf --json             the same for programs (shape: docs/cli.md)
  sinew info lamp.urdf --root base         a robot that its file hangs up in the middle
  sinew info walk.bvh --json | jq '.motions[0].frames'")]
pub struct InfoArguments {
    /// The name of an embedded rig, or a file
    #[arg(value_name = "RIG|FILE", default_value = "humanoid")]
    pub input: String,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArguments,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The output's ending says its format: .bvh, .glb, .gltf, .vrm, .vrma (a motion for VRM
models) or .rig. What the format cannot hold is told on standard error. A glTF or VRM file
that is written as one again keeps its meshes, materials and all else.

Examples:
  sinew convert walk.bvh walk.glb          a motion for Blender or a game engine
  sinew convert dance.glb dance.bvh        and back
  sinew convert knight.glb run.bvh --motion Running
  sinew convert 01.bvh 01.glb --scale 0.056444
  sinew convert walk.bvh walk.vrma         a motion for any VRM model
  sinew convert robot.urdf robot.rig       a robot as a rig file to edit")]
pub struct ConvertArguments {
    /// The name of an embedded rig, or a file
    #[arg(value_name = "RIG|FILE")]
    pub input: String,
    /// The file to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Which motion, by name or number from 1; all by default, the first for BVH, which holds one
    #[arg(long, value_name = "NAME|N")]
    pub motion: Option<String>,
    /// Metres in one unit of a BVH output; that of the input by default, or the centimetre
    #[arg(long, value_name = "METRES")]
    pub unit: Option<f64>,
    #[command(flatten)]
    pub read: ReadArguments,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sinew show humanoid -o humanoid.png      the rest pose with its limits
  sinew show walk.bvh --frame 120 -o pose.svg
  sinew show walk.bvh --strip 8 --views side -o walk.png
  sinew show erik-c --limits off --views front,turned -o robot.png")]
pub struct ShowArguments {
    /// The name of an embedded rig, or a file
    #[arg(value_name = "RIG|FILE", default_value = "humanoid")]
    pub input: String,
    /// The picture to write, .png or .svg; otherwise the rig's name with .png
    #[arg(short, long, value_name = "PICTURE")]
    pub output: Option<PathBuf>,
    /// Show this frame of the motion, counted from 0; the rest pose by default
    #[arg(long, value_name = "N", conflicts_with = "strip")]
    pub frame: Option<usize>,
    /// Show this many frames of the motion side by side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub strip: Option<u16>,
    /// Which motion, by name or number from 1
    #[arg(long, value_name = "NAME|N", default_value = "1")]
    pub motion: String,
    /// Show a posture that a rig file gives a name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["frame", "strip"])]
    pub posture: Option<String>,
    /// Where to look from, one after the other; a strip takes one [default: front,side,top; front]
    #[arg(long, value_name = "VIEW,…", value_delimiter = ',')]
    pub views: Vec<ViewName>,
    /// Draw how far joints can move [default: on; off in a strip]
    #[arg(long, value_name = "SWITCH")]
    pub limits: Option<Switch>,
    /// Write the names of joints where they fit [default: on; off in a strip]
    #[arg(long, value_name = "SWITCH")]
    pub names: Option<Switch>,
    /// The width of a PNG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1600, value_parser = clap::value_parser!(u32).range(100..=8192))]
    pub width: u32,
    #[command(flatten)]
    pub read: ReadArguments,
}

/// Where to look from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewName {
    Front,
    Side,
    Top,
    Turned,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A goal is NAME=x,y,z for a place, NAME=@yaw,pitch,roll for an orientation, or both:
NAME=x,y,z@yaw,pitch,roll. Metres and degrees in model space: x to the character's left,
y up, z forward; yaw about y, then pitch about x, then roll about z. For a robot (URDF) they are
in the file's own axes, in ROS x forward, y left, z up; yaw about z, pitch about y, roll about x.
NAME is a joint, a robot's link, or a part of the body such as rightHand.

A robot's answer comes as joint values by the file's names and zeros. Joints that follow others
(<mimic>) stand where they must. Its base stays, unless --travel yes lets it float.

A free root (a character's hips) stays where it is, unless a goal is on the root itself or
--travel yes lets it: otherwise the whole body would float to a single goal.

Examples:
  sinew solve humanoid --goal r_wrist=-0.4,1.2,0.4 -o reach.png
  sinew solve humanoid --goal rightHand=-0.3,1.3,0.4@90,0,0 --goal leftFoot=0.1,0.3,0.3
  sinew solve arm --goal flange=0.3,0.6,0.2 --all
  sinew solve robot.urdf --goal tool0=0.4,0.1,0.3@0,180,0 --json
  sinew solve chain:20 --goal tip=0.5,0.3,0.1 -o bent.bvh")]
pub struct SolveArguments {
    /// The name of an embedded rig, or a file
    #[arg(value_name = "RIG|FILE", default_value = "humanoid")]
    pub input: String,
    /// What should be where; may be given several times. Without any, a hand or tool is drawn in a little
    #[arg(long = "goal", value_name = "NAME=x,y,z[@yaw,pitch,roll]")]
    pub goals: Vec<String>,
    /// Which solver; the production solver by default
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,
    /// Run every solver side by side and print one table
    #[arg(long, conflicts_with = "solver")]
    pub all: bool,
    /// Whether the root may turn and travel: a character's, or a robot's base that floats
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub travel: Travel,
    /// The axes that goals are in; those of the file for a robot (URDF), else those of model space
    #[arg(long, value_name = "WHICH")]
    pub axes: Option<Axes>,
    /// How strongly the production solver draws what the goals leave free to the
    /// rest pose: a radian weighs like so many metres; 0 for not at all
    #[arg(long, value_name = "M", default_value_t = sinew_f64::goal::PostureGoal::NATURAL)]
    pub posture: f64,
    /// How near is near enough: metres and radians
    #[arg(long = "tol", value_name = "M,RAD", value_delimiter = ',')]
    pub tolerance: Vec<f64>,
    /// Where to write the best pose: .png or .svg, .bvh, .glb, .gltf, or .json
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArguments,
}

/// Whether the root may turn and travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Travel {
    /// A character's, if a goal is on the root itself
    Auto,
    /// It stays where it is
    No,
    /// As the goals need; a robot's base floats
    Yes,
}

/// The axes that a goal is given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Axes {
    /// Those of the robot's file: x forward, y to the left, z up by the convention of ROS
    File,
    /// x to the left, y up, z forward
    Model,
}

#[derive(Debug, Args)]
#[command(
    after_help = "\
The hand goes straight to its target, fast in the middle of the way; trunk, head and knees
follow as the behaviour says, the feet stay, and the elbow keeps clear of body and obstacles.
Metres and degrees in model space, as for 'sinew solve'; the target is for the wrist.

Obstacles:
  box:x,y,z,sx,sy,sz        a box: its middle and its sizes
  sphere:x,y,z,r            a ball
  capsule:x,y,z,r,h         upright, h from end to end
  cylinder:x,y,z,r,h        upright
  floor[:y]                 everything below y, zero if not given
  mesh:FILE.obj[:x,y,z]     triangles of a Wavefront OBJ file, moved to x,y,z

Examples:
  sinew reach --to -0.2,1.2,0.7 -o reach.png
  sinew reach humanoid --hand right --to -0.2,0.4,0.45 --behaviour tired -o bow.glb
  sinew reach --hand both --to 0,0.9,0.6 --grip 0.4 -o lift.bvh
  sinew reach --to -0.1,1.1,0.55 --obstacle box:-0.3,1.05,0.3,0.2,0.3,0.1 -o around.png
  sinew reach doll.rig.toml --behaviour polite --to -0.3,1,0.4 --json
  sinew reach --to -0.2,1.2,0.7 --swing-plane plane.png",
    allow_negative_numbers = true
)]
pub struct ReachArguments {
    /// The name of an embedded rig, or a file with a human body
    #[arg(value_name = "RIG|FILE", default_value = "humanoid")]
    pub input: String,
    /// Which hand
    #[arg(long, value_name = "HAND", default_value = "right")]
    pub hand: Hand,
    /// Where the wrist should go, and how the hand should be turned
    #[arg(
        long,
        value_name = "x,y,z[@yaw,pitch,roll]",
        allow_hyphen_values = true,
        default_value = "-0.2,1.2,0.5"
    )]
    pub to: String,
    /// With both hands: how far apart they stay, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.3)]
    pub grip: f64,
    /// What the body does: plain, tired, two-handed, or one of the rig file's
    /// [default: plain; two-handed with both hands]
    #[arg(long, value_name = "NAME")]
    pub behaviour: Option<String>,
    /// Begin from a posture of the rig file instead of the behaviour's stance
    #[arg(long, value_name = "POSTURE")]
    pub from: Option<String>,
    /// Something in the way; may be given several times
    #[arg(long = "obstacle", value_name = "SHAPE:…", allow_hyphen_values = true)]
    pub obstacles: Vec<String>,
    /// Keep clear of the body itself and of obstacles
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub collisions: Switch,
    /// Work as Kallmann 2007 does and no further: every frame by itself, nothing planned
    #[arg(long)]
    pub published: bool,
    /// How long the motion takes [default: one second, and longer where a joint has far to turn]
    #[arg(long, value_name = "SECONDS")]
    pub seconds: Option<f64>,
    /// Frames a second
    #[arg(long, value_name = "FPS", default_value_t = 30.0)]
    pub fps: f64,
    /// Where to write it: .glb, .gltf or .bvh for the motion, .png or .svg for five frames
    /// of it, .json for the last pose
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where to look from in the picture
    #[arg(long, value_name = "VIEW", default_value = "turned")]
    pub view: ViewName,
    /// Draw the behaviour's swing plane with its triangles and the goal's way: .png or .svg
    #[arg(long, value_name = "PICTURE")]
    pub swing_plane: Option<PathBuf>,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArguments,
}

/// A hand, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Hand {
    Right,
    Left,
    Both,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The end point looks along its last bone unless --forward says otherwise. --toward 0,0,0
is straight ahead: yaw turns to the left, pitch down, roll about the line of sight.

A posture is the name of one in a rig file, one of straight, bow, wave and coil, angles as
joint2=40,joint3=-30 (degrees), or a file: a motion (with --follow it plays), a pose that
'sinew look' or 'sinew solve' wrote as JSON, or places of joints (CSV lines 'joint,x,y,z').

Characters look too: eyes, head, neck and spine share the turn, and the posture may be a
motion that they look around in.

The targets of --follow are lines 'time,x,y,z' or 'time,yaw,pitch,roll' under that heading; a
fifth column 'weight' fades the look. Lines at most 0.2 s apart are samples of a motion.
The output is CSV at a fixed rate: time, one column a joint (radians, metres), and the errors;
or a motion (.bvh, .glb), or a strip of pictures (.png, .svg).

Examples:
  sinew look erik-g --posture wave --at 1,1,2 -o pose.png
  sinew look erik-c --posture joint2=50,joint3=-40 --toward 30,-10,0 --json
  sinew look lamp.urdf --root base --endpoint head --forward 0,0,1 --posture shy.rig --at 0.3,0.2,1
  sinew look erik-g --posture bow --follow targets.csv --fps 100 --character heavy -o servo.csv
  sinew look humanoid --at 1,1.8,1.5 -o looks.png
  sinew look avatar.vrm --posture walk.bvh --follow targets.csv -o looks-around.glb
  sinew look snake.rig --posture slither.bvh --follow targets.csv -o strip.png")]
pub struct LookArguments {
    /// The name of an embedded rig, or a file
    #[arg(value_name = "RIG|FILE", default_value = "humanoid")]
    pub input: String,
    /// The posture to keep
    #[arg(long, value_name = "NAME|FILE|JOINT=DEG,…", default_value = "straight")]
    pub posture: String,
    /// Look this way: degrees
    #[arg(long, value_name = "yaw,pitch,roll", allow_hyphen_values = true, conflicts_with_all = ["at", "follow"])]
    pub toward: Option<String>,
    /// Look at this point: metres
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true, conflicts_with = "follow")]
    pub at: Option<String>,
    /// Follow targets over time, through the motion filter
    #[arg(long, value_name = "CSV")]
    pub follow: Option<PathBuf>,
    /// Joints that look; a head, an eye, a camera or a lamp by default, else the end of the longest chain
    #[arg(long, value_name = "JOINT")]
    pub endpoint: Vec<String>,
    /// Where the end point looks, in its own frame; along its last bone by default
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub forward: Option<String>,
    /// Keep the side to which each joint bends, or only how much it bends
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub sides: Switch,
    /// Whether upside down is as good, for an end point without a face (SymmetricEndpoint)
    #[arg(long, value_name = "SWITCH", default_value = "off")]
    pub symmetric: Switch,
    /// How much of the look is put over the posture, 0 to 1; over time a column 'weight' of --follow
    #[arg(long, value_name = "PART", default_value_t = 1.0)]
    pub weight: f64,
    /// How the motion filter moves
    #[arg(long, value_name = "CHARACTER", default_value = "plain")]
    pub character: CharacterName,
    /// Which motion filter
    #[arg(long, value_name = "FILTER", default_value = "bounded")]
    pub filter: FilterName,
    /// Outputs a second with --follow
    #[arg(long, value_name = "FPS", default_value_t = 60.0)]
    pub fps: f64,
    /// How many pictures a strip has with --follow
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub pictures: u16,
    /// Where to look from in a picture [default: front,side,turned; turned in a strip]
    #[arg(long, value_name = "VIEW,…", value_delimiter = ',')]
    pub views: Vec<ViewName>,
    /// The width of a PNG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1600, value_parser = clap::value_parser!(u32).range(100..=8192))]
    pub width: u32,
    /// Where to write: .png, .svg, .json, .bvh, .glb, .gltf; .csv with --follow
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long, conflicts_with = "follow")]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArguments,
}

/// Which motion filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FilterName {
    /// No bound is ever broken
    Bounded,
    /// As published (eq. 23): swings out, its bounds are soft
    Published,
}

/// How the motion filter moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CharacterName {
    /// Quick to start, quick to arrive
    Light,
    /// A hobby servo
    Plain,
    /// Much inertia
    Heavy,
    /// No filter
    None,
}

/// From what it is taken how trackers are mounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MountsFrom {
    /// The first frame, a T- or A-pose: how the trackers are turned on their joints
    Pose,
    /// All frames, in which head and hands turn: where the joints are in the trackers
    Motion,
}

/// From what a person's size is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CalibrateFrom {
    /// The first frame: upright, with stretched arms
    Pose,
    /// All frames: upright once, with stretched arms once
    Motion,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The points are taken from a recorded motion, or from a table of positions in metres (CSV
with a first line such as pelvis.x,pelvis.y,pelvis.z,head.x,…; empty cells are points
that are not seen), which is then put on the skeleton of --rig.

Examples:
  sinew reconstruct walk.bvh -o again.bvh
  sinew reconstruct 17_10.amc -o boxing.glb --method sik --noise 5 --filter 5
  sinew reconstruct walk.bvh -o three.bvh --points three
  sinew reconstruct dance.bvh --rig avatar.vrm -o dance.glb      another body dances
  sinew reconstruct markers.csv --rig humanoid -o body.bvh --rate 60
  sinew reconstruct in-cm.csv --unit 0.01 --rig humanoid -o body.bvh")]
pub struct ReconstructArguments {
    /// A motion (BVH, AMC, glTF), or a CSV table of the points' positions
    #[arg(value_name = "MOTION|CSV")]
    pub input: String,
    /// The file to write: .bvh, .glb or .gltf
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Which method: sik+, sik, kma, ccd, transpose, pseudo-inverse, dls, dls-svd, sdls, pik, sik-paper, tgbsik
    #[arg(long, value_name = "METHOD", default_value = "sik+")]
    pub method: String,
    /// Which points: six, three (head and wrists), ten (elbows and knees too), eleven (and the chest), or names
    #[arg(long, value_name = "POINTS", default_value = "six", value_delimiter = ',')]
    pub points: Vec<String>,
    /// Also give the orientations of the points' joints (6-DoF trackers)
    #[arg(long)]
    pub orientations: bool,
    /// Add noise of this many millimetres to every point
    #[arg(long, value_name = "MM", default_value_t = 0.0)]
    pub noise: f64,
    /// Where the random numbers of the noise start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Filter the points, frame by frame as they come, for noise of this many millimetres (sik, sik+)
    #[arg(long, value_name = "MM", default_value_t = 0.0)]
    pub filter: f64,
    /// Take the person's height and arm length, apart from each other, from a CSV table: from its first frame, a T- or
    /// A-pose, or from all of its motion
    #[arg(long, value_name = "FROM")]
    pub calibrate: Option<CalibrateFrom>,
    /// Take how trackers with orientations are mounted from a CSV table: pose, motion or both
    #[arg(long, value_name = "FROM", value_delimiter = ',')]
    pub mounts: Vec<MountsFrom>,
    /// Metres in one unit of a CSV table, such as 0.01 for centimetres; 1 by default
    #[arg(long, value_name = "METRES")]
    pub unit: Option<f64>,
    /// The body for a CSV table, or another body for a motion: an embedded rig or a file
    #[arg(long, value_name = "RIG|FILE")]
    pub rig: Option<String>,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArguments,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The studio is a server on this machine and a page in your browser. It listens on
127.0.0.1 only, takes requests from its own page only, keeps files that are dropped on
the page in memory, and opens no path but FILE. Ctrl-C ends it.

--host lets others in: whoever reaches that address can use the studio, without a
password. Do so only in a network that you trust.

Examples:
  sinew studio                             start it and open the browser
  sinew studio walk.bvh                    with a motion (or GLB, VRM, URDF, rig) open
  sinew studio spider --port 8000          with an embedded rig, on a port of your choice
  sinew studio --no-open                   only print the address
  sinew studio --host 0.0.0.0              also for the tablet in the same network")]
pub struct StudioArguments {
    /// A file or an embedded rig to open first
    #[arg(value_name = "RIG|FILE")]
    pub input: Option<String>,
    /// The port; otherwise 7777, or the next one that is free
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Listen on this address instead of on this machine alone
    #[arg(long, value_name = "ADDR")]
    pub host: Option<String>,
    /// The secret in the address, of letters and digits; otherwise a random one
    #[arg(long, value_name = "TEXT", conflicts_with = "no_token")]
    pub token: Option<String>,
    /// Let in everybody on this machine, without a secret
    #[arg(long)]
    pub no_token: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sinew rigs                               every rig with a line about it
  sinew rigs --json | jq -r '.rigs[].name'")]
pub struct RigsArguments {
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sinew completions bash > ~/.local/share/bash-completion/completions/sinew
  sinew completions zsh > ~/.zfunc/_sinew
  sinew completions fish > ~/.config/fish/completions/sinew.fish")]
pub struct CompletionsArguments {
    /// The shell
    pub shell: Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:\n  sinew "), "{} has no examples", command.get_name());
        }
    }
}
