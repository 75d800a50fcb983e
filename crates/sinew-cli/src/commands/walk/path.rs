//! Where a walk goes: the player's input at every moment.

use anyhow::{Context, Result};
use sinew_f64::body::walk::{WalkDrive, WalkInput, WalkVelocity};
use sinew_io::{ReadError, table};

use crate::failure::usage;

/// Input over time.
#[derive(Debug, PartialEq)]
pub enum Course {
    Straight {
        speed: f64,
        until: f64,
    },
    Circle {
        speed: f64,
        until: f64,
    },
    /// A left and a right circle by turns.
    FigureEight {
        speed: f64,
        until: f64,
    },
    /// What is asked from each time on.
    Keys(Vec<(f64, WalkDrive)>),
}

/// The columns of a stick, and those of a velocity in metres and degrees a second.
const STICK: [&str; 3] = ["time", "speed", "turn"];
const VELOCITY: [&str; 4] = ["time", "ahead_m_s", "left_m_s", "turn_deg_s"];

/// Seconds at the end in which the character stops.
const STOPPING: f64 = 2.0;
const TURN: f64 = 0.5;
/// The time of a whole circle at that turn, with a radian a second at full turn.
const ROUND: f64 = std::f64::consts::TAU / TURN;

/// Reads what follows `--path`.
pub fn parse(text: &str, speed: f64, seconds: f64) -> Result<Course> {
    let until = (seconds - STOPPING).max(0.5 * seconds);
    Ok(match text {
        "straight" => Course::Straight { speed, until },
        "circle" => Course::Circle { speed, until },
        "figure8" => Course::FigureEight { speed, until },
        file if file.ends_with(".csv") => {
            let bytes = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
            Course::Keys(keys(&bytes).map_err(|error| error.in_file(file))?)
        }
        other => {
            return Err(usage(format!(
                "there is no path '{other}'; there are straight, circle, figure8, or a file that ends in .csv"
            )));
        }
    })
}

/// A line for each key. The first may name the columns: time, speed and turn of a stick, which
/// they are without it, or time and a velocity.
fn keys(bytes: &[u8]) -> Result<Vec<(f64, WalkDrive)>, ReadError> {
    let mut keys: Vec<(f64, WalkDrive)> = Vec::new();
    let mut velocities = false;
    for (i, row) in table::rows(bytes).enumerate() {
        let row = row?;
        if i == 0 && row.is_heading() {
            let names: Vec<String> = row.cells().map(|cell| cell.trim().to_ascii_lowercase()).collect();
            velocities = names.iter().any(|name| VELOCITY[1..].contains(&name.as_str()));
            // A first line of other words is not a heading but a line that is wrong.
            if names != VELOCITY && names != STICK {
                let columns = if velocities { VELOCITY.join(", ") } else { STICK.join(", ") };
                return Err(row.wrong(0, format!("the columns {columns}")));
            }
            continue;
        }
        let (time, drive) = if velocities {
            let [time, ahead, left, turn] = row.numbers(VELOCITY)?;
            (time, WalkVelocity { ahead, left, turn: turn.to_radians() }.into())
        } else {
            let [time, speed, turn] = row.numbers(STICK)?;
            (time, WalkInput { speed, turn }.into())
        };
        if keys.last().is_some_and(|last| time < last.0) {
            return Err(row.wrong(0, "times that grow"));
        }
        keys.push((time, drive));
    }
    Ok(keys)
}

impl Course {
    /// The input at a time.
    pub fn at(&self, time: f64) -> WalkDrive {
        let stick = |speed: f64, turn: f64| WalkDrive::Stick(WalkInput { speed, turn });
        match self {
            Self::Straight { speed, until } if time < *until => stick(*speed, 0.0),
            Self::Circle { speed, until } if time < *until => stick(*speed, TURN),
            Self::FigureEight { speed, until } if time < *until => {
                stick(*speed, if ((time / ROUND) as u64).is_multiple_of(2) { TURN } else { -TURN })
            }
            Self::Keys(keys) => {
                let after = keys.partition_point(|key| key.0 <= time);
                after.checked_sub(1).map_or_else(WalkDrive::default, |now| keys[now].1)
            }
            _ => WalkDrive::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hold_until_the_next() {
        let keys = keys(b"time,speed,turn\n0,1,0\n2.5, 0.5, -1\n\n# end\n4,0,0\n").unwrap();
        let course = Course::Keys(keys);
        assert_eq!(course.at(1.0), WalkInput { speed: 1.0, turn: 0.0 }.into());
        assert_eq!(course.at(3.0), WalkInput { speed: 0.5, turn: -1.0 }.into());
        assert_eq!(course.at(9.0), WalkDrive::default());
    }

    #[test]
    fn velocities_have_columns_of_their_own() {
        let keys = keys(b"time,ahead_m_s,left_m_s,turn_deg_s\n0,-0.5,0.25,180\n").unwrap();
        let turn = std::f64::consts::PI;
        assert_eq!(keys, [(0.0, WalkVelocity { ahead: -0.5, left: 0.25, turn }.into())]);
        let error = super::keys(b"time,ahead_m_s,turn\n0,1,0\n").unwrap_err().to_string();
        assert!(error.contains("left_m_s"), "{error}");
    }

    #[test]
    fn nonsense_is_named() {
        for (text, wanted) in [
            ("0,1", "line 1"),
            ("x,1,0\n1,1,0", "line 1, column 1: found 'x', expected the columns time, speed, turn"),
            ("0,1,0\n1,x,0", "line 2, column 2: found 'x'"),
            // A cell that is no number is not one that is not there.
            ("0,x,1,0", "line 1: found 4 cells"),
            ("0,1,0\n1,,0", "line 2, column 2"),
            ("2,0,0\n1,0,0", "grow"),
        ] {
            let error = keys(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
        assert!(parse("zigzag", 1.0, 10.0).is_err());
    }
}
