//! Helpers to run the command and look at what it did.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // each test file uses some of them

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run of the command gave.
pub struct Outcome {
    pub code: i32,
    pub out: String,
    pub err: String,
    pub time: Duration,
}

impl Outcome {
    /// Fails unless the command was happy.
    #[track_caller]
    pub fn fine(self) -> Self {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self
    }

    /// Fails unless the command refused with this code and one line that tells why.
    #[track_caller]
    pub fn refused(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        let errors: Vec<&str> = self.err.lines().filter(|l| l.starts_with("error:")).collect();
        assert_eq!(errors.len(), 1, "{}", self.err);
        assert!(!self.err.contains("panicked") && !self.err.contains("RUST_BACKTRACE"), "{}", self.err);
        self
    }

    /// The output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }
}

/// The command, without whatever the tester's own environment says about colours.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

/// Runs the command.
pub fn sinew<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Outcome {
    outcome(command().args(arguments))
}

pub fn outcome(command: &mut Command) -> Outcome {
    let start = Instant::now();
    let output = command.output().unwrap();
    Outcome {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        time: start.elapsed(),
    }
}

/// An empty folder for one test.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A person of seven joints that waves, as BVH.
pub fn waving(frames: usize) -> String {
    let mut bvh = String::from(
        "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftArm
    {
      OFFSET 18 30 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 50 0 0
      }
    }
    JOINT RightArm
    {
      OFFSET -18 30 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET -50 0 0
      }
    }
  }
  JOINT LeftUpLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -90 0
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -90 0
    }
  }
}
MOTION
",
    );
    bvh.push_str(&format!("Frames: {frames}\nFrame Time: 0.0333333\n"));
    for i in 0..frames {
        let turn = 40.0 * (i as f64 * 0.3).sin();
        bvh.push_str(&format!("0 95 {i} 0 0 0  0 0 0  {turn} 0 0  0 0 {turn}  0 0 0  0 0 0\n"));
    }
    bvh
}
