//! What is typed after `sinew eval`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::Switch;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sinew eval solvers                       all tables, within a minute
  sinew eval solvers --full -o out         as many poses as the project's figures, with JSON and plots
  sinew eval tasks -o tasks                tasks that other systems can run too, and our answers
  sinew eval task t2_panda.json -o result.json")]
pub struct EvalArguments {
    #[command(subcommand)]
    pub command: EvalCommand,
}

/// Which experiment.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// The general solvers: many goals, conflicts, continuity, growth with length
    #[command(after_help = "Examples:\n  sinew eval solvers --poses 50 --solvers robust,ewbik -o out")]
    Solvers(EvalSolversArguments),
    /// Limbs and reaching: goals against brute force, paths, times beside the paper's
    #[command(after_help = "Examples:\n  sinew eval reach --goals 10000 --targets 500 -o out")]
    Reach(EvalReachArguments),
    /// ERIK's evaluation: errors, effort and the comparison with a two-priority DLS
    #[command(after_help = "\
Examples:
  sinew eval erik                          all robots, 40 postures × 500 orientations
  sinew eval erik --skeleton C -o out      one robot, with JSON and figures
  sinew eval erik --percent 1              a hundredth of the paper's sweep
  sinew eval erik --percent 100 --shard 3/40 -o part3")]
    Erik(EvalErikArguments),
    /// Join the parts of a sharded run to exactly the result of the whole
    #[command(after_help = "Examples:\n  sinew eval merge part1 part2 part3 -o whole")]
    Merge(EvalMergeArguments),
    /// The motion filter: latency and bounds of light and heavy characters
    #[command(after_help = "Examples:\n  sinew eval filter -o out")]
    Filter(EvalFilterArguments),
    /// Looking: streams as a servo feels them, steps without a filter, heads held upright
    #[command(after_help = "\
Without rigs: the embedded ones. With -o also strips of pictures, every rig looking around in three moods.

Examples:
  sinew eval look
  sinew eval look lamp.urdf avatar.vrm humanoid snake -o out")]
    Look(EvalLookArguments),
    /// The walker: the worst frame beside the median by solver, ground and input, and the paper's walker
    #[command(
        after_help = "Examples:\n  sinew eval walk                          every solver, under a minute\n  sinew eval walk --solvers limb --sticks 50 --seconds 16 -o out"
    )]
    Walk(EvalWalkArguments),
    /// Bounds on the whole body: balance, speeds, keeping clear of oneself, a random stick
    #[command(
        after_help = "Examples:\n  sinew eval goals                         on the embedded humanoid\n  sinew eval goals --robot talos.urdf -o out"
    )]
    Goals(EvalGoalsArguments),
    /// Run a solver on a task file of the format ik-task/1 and write ik-result/1
    #[command(after_help = "Examples:\n  sinew eval task t2_panda.json -o result.json --tol 1e-5,1e-5")]
    Task(EvalTaskArguments),
    /// Make the tasks T1-T4, run this project's solvers on them and judge the answers
    #[command(
        after_help = "Examples:\n  sinew eval tasks                         the table\n  sinew eval tasks -o tasks                and the files, for other systems"
    )]
    Tasks(EvalTasksArguments),
    /// Judge result files (ik-result/1) of any system by a forward kinematics of its own
    #[command(after_help = "Examples:\n  sinew eval score --tasks tasks results/*.json")]
    Score(EvalScoreArguments),
    /// The whole body from six points: ten methods on recorded motions
    #[command(
        after_help = "Examples:\n  sinew eval sik                           on motions that sinew makes itself\n  sinew eval sik --data cmu -o out         the paper's three sequences, with plots\n  sinew eval sik --data motions --methods sik,sik+,kma --stride 4"
    )]
    Sik(EvalSikArguments),
}

impl EvalCommand {
    /// The folder that results go to, if one was given.
    pub fn folder(&self) -> Option<&Path> {
        let output = match self {
            Self::Solvers(arguments) => &arguments.to.output,
            Self::Reach(arguments) => &arguments.to.output,
            Self::Erik(arguments) => &arguments.to.output,
            Self::Merge(arguments) => &arguments.to.output,
            Self::Filter(arguments) => &arguments.to.output,
            Self::Look(arguments) => &arguments.to.output,
            Self::Walk(arguments) => &arguments.to.output,
            Self::Goals(arguments) => &arguments.to.output,
            Self::Tasks(arguments) => &arguments.output,
            Self::Sik(arguments) => &arguments.to.output,
            Self::Task(_) | Self::Score(_) => return None,
        };
        output.as_deref()
    }
}

/// Where the results of an experiment go.
#[derive(Debug, Args)]
pub struct EvalOutput {
    /// A folder for the results as JSON and the plots, if there are any, as PNG
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct EvalSikArguments {
    /// A folder of motions (.amc with their .asf, .bvh, .glb); without it, motions that sinew makes
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Every motion of the folder, also where the paper's three are among them
    #[arg(long)]
    pub everything: bool,
    /// Only these methods
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Only every Nth frame, for a quick look
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub stride: usize,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalSolversArguments {
    /// How many random poses of the humanoid; of the other experiments in proportion
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub poses: usize,
    /// As many as the project's figures are of: 1000 poses, 300 near edges, 20 000 of each arm
    #[arg(long, conflicts_with = "poses")]
    pub full: bool,
    /// Where the random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Only these solvers
    #[arg(long, value_name = "SOLVER,…", value_delimiter = ',')]
    pub solvers: Vec<String>,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalGoalsArguments {
    /// A humanoid robot besides the embedded humanoid
    #[arg(long, value_name = "URDF")]
    pub robot: Option<PathBuf>,
    /// How many random problems of each kind
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub problems: usize,
    /// How many frames are followed
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub frames: usize,
    /// How long the stick pulls, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    pub seconds: f64,
    /// Where the random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalReachArguments {
    /// How many random goals of the limbs, in each precision
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub goals: usize,
    /// How many random targets of the whole body
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub targets: usize,
    /// How many random targets of whole motions, of each kind
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub motions: usize,
    /// The finer of the two steps along the hand's paths, in millimetres; the other is 1
    #[arg(long, value_name = "MM", default_value_t = 0.1)]
    pub path_step: f64,
    /// Where the random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalErikArguments {
    /// The robots: A to G, several with commas, or all
    #[arg(long, value_name = "A-G|all", value_delimiter = ',', default_value = "all")]
    pub skeleton: Vec<String>,
    /// Postures of every robot
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub postures: usize,
    /// Orientations of every posture
    #[arg(long, value_name = "M", default_value_t = 500)]
    pub orientations: usize,
    /// Part of the paper's postures instead, in percent, with its 7609 orientations
    #[arg(long, value_name = "P", conflicts_with_all = ["postures", "orientations"])]
    pub percent: Option<f64>,
    /// Where the random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// What the third angle of the orientations turns about: the text leaves both readings
    #[arg(long, value_name = "READING", default_value = "roll", value_parser = ["roll", "twist"])]
    pub reading: String,
    /// Run only part I of N; 'sinew eval merge' joins the parts
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Compare with the two-priority DLS on robot C
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub dls: Switch,
    /// How much worse a deviation counts one joint further up
    #[arg(long, value_name = "ALPHA", default_value_t = 1.0)]
    pub aggravation: f64,
    /// How often a sample is solved; the least time counts
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub repeats: u16,
    /// How many threads; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalMergeArguments {
    /// The folders that the parts were written to
    #[arg(value_name = "FOLDER", required = true)]
    pub parts: Vec<PathBuf>,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalFilterArguments {
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalLookArguments {
    /// Names of embedded rigs, or files; all embedded ones that look by default
    #[arg(value_name = "RIG|FILE")]
    pub rigs: Vec<String>,
    /// How many places and sizes of every path
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub stages: u16,
    /// How long every stream is, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub seconds: f64,
    /// How many targets are looked at upright
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    pub targets: u16,
    /// Where the random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalWalkArguments {
    /// By which solvers of the legs, with commas between; all of them by default
    #[arg(long, value_name = "SOLVERS", value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// How long each walk is, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub seconds: f64,
    /// How many random hills
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub hills: u64,
    /// How many random sticks on every ground
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub sticks: u64,
    /// Where the random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub to: EvalOutput,
}

#[derive(Debug, Args)]
pub struct EvalTaskArguments {
    /// The task file (JSON, ik-task/1)
    #[arg(value_name = "TASK")]
    pub task: PathBuf,
    /// The result file to write (JSON, ik-result/1)
    #[arg(short, long, value_name = "RESULT")]
    pub output: PathBuf,
    /// Which solver; the one made for the task by default
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,
    /// How near is near enough: metres and radians; the task's own by default
    #[arg(long = "tol", value_name = "M,RAD", value_delimiter = ',')]
    pub tolerance: Vec<f64>,
}

#[derive(Debug, Args)]
pub struct EvalTasksArguments {
    /// A folder for the task files, and in it 'results' for the answers
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// How much of each task to make, for a quick look
    #[arg(long, value_name = "PART", default_value_t = 1.0)]
    pub part: f64,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct EvalScoreArguments {
    /// The result files (JSON, ik-result/1)
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// The folder of the task files
    #[arg(long, value_name = "FOLDER")]
    pub tasks: PathBuf,
    /// Write JSON of a stable shape, see docs/cli.md
    #[arg(long)]
    pub json: bool,
}
