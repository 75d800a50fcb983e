//! `cargo xtask figures`: the measured figures of the README, made again.
//!
//! The README has sections between two comments. The first names the command and the table of its
//! `--json` whose title begins so:
//!
//! ```text
//! <!-- figures: sinew eval walk | Legs by every solver -->
//! … the table, written by this program …
//! <!-- /figures -->
//! ```
//!
//! With `| worst` behind it a table becomes one row: the largest value of each column. The section
//! `figures: machine` says where, when and from which commit the others come. Every command runs
//! once, in a release build. `$SINEW_DATA` in a command is the folder of docs/data.md; without it
//! the section stays as it is, and that is said.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{command, studio, tree};

const OPEN: &str = "<!-- figures: ";
const CLOSE: &str = "<!-- /figures -->";
const MACHINE: &str = "machine";

/// Which figures to make.
#[derive(clap::Args)]
pub struct Options {
    /// Only commands that contain these words, e.g. "eval walk"; the rest stays as it is
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
}

/// One section: where it stands, and what belongs there.
#[derive(Debug, PartialEq)]
struct Section {
    command: String,
    title: String,
    worst: bool,
}

/// Runs the evaluations and rewrites the README's sections.
pub fn run(options: &Options) -> Result<()> {
    let path = tree::root().join("README.md");
    let text = std::fs::read_to_string(&path)?;
    let wanted = |command: &str| options.only.as_ref().is_none_or(|words| command.contains(words.as_str()));
    let mut commands: Vec<String> = sections(&text)?.into_iter().map(|section| section.command).collect();
    commands.retain(|command| command != MACHINE && wanted(command));
    commands.sort();
    commands.dedup();
    if commands.is_empty() {
        bail!("no section of the README has such a command");
    }
    let program = studio::build("release")?;
    let data = std::env::var("SINEW_DATA").ok();
    let mut tables = BTreeMap::new();
    for command in commands {
        let Some(words) = with_data(&command, data.as_deref()) else {
            println!("Left as it is: '{command}' needs SINEW_DATA, see docs/data.md");
            continue;
        };
        let mut sinew = Command::new(&program);
        sinew.args(words.split_whitespace().skip(1)).arg("--json").current_dir(tree::root());
        println!("$ {}", command::shown(&sinew));
        let said: Value = serde_json::from_str(&command::output(&mut sinew)?)
            .with_context(|| format!("'{command}' wrote no JSON"))?;
        tables.insert(command, said);
    }
    let written = rewrite(&text, &tables, &machine()?)?;
    std::fs::write(&path, written)?;
    println!("README.md: the figures of {} commands were made again", tables.len());
    Ok(())
}

/// The command with the folder of data in its place; `None` if it needs one and there is none.
fn with_data(command: &str, data: Option<&str>) -> Option<String> {
    if command.contains("$SINEW_DATA") {
        Some(command.replace("$SINEW_DATA", data?))
    } else {
        Some(command.into())
    }
}

fn section(line: &str) -> Option<Result<Section>> {
    let inside = line.trim().strip_prefix(OPEN)?;
    let Some(inside) = inside.strip_suffix("-->") else {
        return Some(Err(anyhow::anyhow!("'{line}' does not end in -->")));
    };
    let mut parts = inside.split('|').map(str::trim);
    let command = parts.next().unwrap_or_default().to_owned();
    let title = parts.next().unwrap_or_default().to_owned();
    let worst = match parts.next() {
        None => false,
        Some("worst") => true,
        Some(other) => {
            return Some(Err(anyhow::anyhow!("'{other}' is no way to show a table; there is: worst")));
        }
    };
    if command != MACHINE && (!command.starts_with("sinew ") || title.is_empty()) {
        return Some(Err(anyhow::anyhow!("'{line}' names no command 'sinew …' and table")));
    }
    Some(Ok(Section { command, title, worst }))
}

fn sections(text: &str) -> Result<Vec<Section>> {
    text.lines().filter_map(section).collect()
}

/// The text with every section replaced whose command ran.
fn rewrite(text: &str, tables: &BTreeMap<String, Value>, machine: &str) -> Result<String> {
    let mut result = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        result += line;
        result.push('\n');
        let Some(found) = section(line) else { continue };
        let found = found?;
        let mut old = String::new();
        loop {
            let inner = lines.next().with_context(|| format!("'{line}' is not closed by {CLOSE}"))?;
            if inner.trim() == CLOSE {
                break;
            }
            if section(inner).is_some() {
                bail!("'{line}' is not closed by {CLOSE}");
            }
            old += inner;
            old.push('\n');
        }
        if found.command == MACHINE {
            result += &if tables.is_empty() { old } else { format!("\n{machine}\n\n") };
        } else if let Some(said) = tables.get(&found.command) {
            let table = find(said, &found.title)
                .with_context(|| format!("'{}' has no table '{}…'", found.command, found.title))?;
            result += &format!("\n{}\n", markdown(table, found.worst, &found.command)?);
        } else {
            result += &old;
        }
        result += CLOSE;
        result.push('\n');
    }
    Ok(result)
}

/// The table whose title begins so, of one evaluation; some write a single table.
fn find<'a>(said: &'a Value, title: &str) -> Option<&'a Value> {
    let several = said["tables"].as_array().map(Vec::as_slice);
    let all = several.unwrap_or(std::slice::from_ref(said));
    all.iter().find(|table| table["title"].as_str().is_some_and(|t| t.starts_with(title)))
}

/// A table in Markdown: its title, with the command that makes it, the rows, and its notes.
fn markdown(table: &Value, worst: bool, command: &str) -> Result<String> {
    let list = |key: &str| table[key].as_array().cloned().unwrap_or_default();
    let mut columns: Vec<String> =
        list("columns").iter().map(|c| c.as_str().unwrap_or_default().into()).collect();
    let mut rows: Vec<Vec<Value>> = list("rows").iter().filter_map(|row| row.as_array().cloned()).collect();
    if rows.is_empty() {
        bail!("the table '{}' of '{command}' is empty", table["title"]);
    }
    if worst {
        (columns, rows) = largest(&columns, &rows);
    }
    let title = table["title"].as_str().unwrap_or_default();
    let mut text =
        format!("**{title}**{} (`{command}`)\n\n", if worst { ", the worst of all rows" } else { "" });
    text += &format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for row in &rows {
        let cells: Vec<String> = row.iter().map(cell).collect();
        text += &format!("| {} |\n", cells.join(" | "));
    }
    for note in list("notes") {
        text += &format!("\n{}.", note.as_str().unwrap_or_default().trim_end_matches('.'));
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// The number of a cell, which is a text or a list of one number.
fn number(cell: &Value) -> Option<f64> {
    cell.as_array().and_then(|list| list.first()).unwrap_or(cell).as_f64()
}

/// One row with the largest value of each column that holds numbers.
fn largest(columns: &[String], rows: &[Vec<Value>]) -> (Vec<String>, Vec<Vec<Value>>) {
    let mut heads = Vec::new();
    let mut row = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        let values: Vec<f64> = rows.iter().filter_map(|row| number(row.get(i)?)).collect();
        if let Some(most) = values.into_iter().reduce(f64::max) {
            heads.push(column.clone());
            row.push(serde_json::json!([most]));
        }
    }
    (heads, vec![row])
}

/// Three digits that count, as people write them; text as it is.
fn cell(value: &Value) -> String {
    let Some(number) = number(value) else { return value.as_str().unwrap_or_default().replace('|', "\\|") };
    if number == 0.0 {
        return "0".into();
    }
    let digits = (2 - number.abs().log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{number:.digits$}");
    if !text.contains('.') {
        return text;
    }
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "0" || short == "-0" { format!("{number:.0e}") } else { short.into() }
}

/// Processor, compiler, date and commit, as a sentence.
fn machine() -> Result<String> {
    let run = |program: &str, arguments: &[&str]| -> Result<String> {
        Ok(command::output(Command::new(program).args(arguments).current_dir(tree::root()))?
            .trim()
            .to_owned())
    };
    let commit = run("git", &["rev-parse", "--short=10", "HEAD"])?;
    let changed = if run("git", &["status", "--porcelain"])?.is_empty() { "" } else { " with changes" };
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
    let date = date(seconds / 86_400);
    let rustc = run("rustc", &["--version"])?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!(
        "Measured on {} ({cores} cores, {}), {rustc}, {date}, commit {commit}{changed}, by `cargo xtask figures`.",
        processor(),
        std::env::consts::OS
    ))
}

/// The date of a day in UTC, counted from 1970-01-01: the standard library has no calendar. Years begin in
/// March here, so that the day of the leap year comes last.
fn date(day: u64) -> String {
    let day = day + 719_468; // from 0000-03-01
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2))
}

/// The processor's name, where the system tells it.
fn processor() -> String {
    let linux = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let mac = || {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    };
    let windows = || std::env::var("PROCESSOR_IDENTIFIER").ok();
    linux.or_else(mac).or_else(windows).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "before\n<!-- figures: machine -->\nold\n<!-- /figures -->\nbetween\n\
        <!-- figures: sinew eval a | Times | worst -->\nold\n<!-- /figures -->\n\
        <!-- figures: sinew eval b | Errors -->\nkept\n<!-- /figures -->\nafter\n";

    fn tables() -> BTreeMap<String, Value> {
        let times = serde_json::json!({
            "title": "Times of all", "columns": ["name", "µs", "mm"],
            "rows": [["x", [1.2345], [0.0]], ["y", [0.5], [0.01]]], "notes": ["f32"],
        });
        BTreeMap::from([("sinew eval a".into(), serde_json::json!({ "tables": [times] }))])
    }

    #[test]
    fn sections_are_replaced_and_all_else_stays() {
        let text = rewrite(PAGE, &tables(), "Measured here.").unwrap();
        assert!(text.starts_with("before\n<!-- figures: machine -->\n\nMeasured here.\n"), "{text}");
        assert!(
            text.contains("| µs | mm |\n|---|---|\n| 1.23 | 0.01 |\n\nf32.\n\n<!-- /figures -->"),
            "{text}"
        );
        assert!(
            text.contains("Errors -->\nkept\n<!-- /figures -->\nafter\n") && text.contains("\nbetween\n"),
            "{text}"
        );
        // What is written is found again, and writing it again changes nothing.
        assert_eq!(sections(&text).unwrap().len(), 3);
        assert_eq!(rewrite(&text, &tables(), "Measured here.").unwrap(), text);
    }

    #[test]
    fn a_table_that_is_gone_and_a_section_that_is_open_are_errors() {
        let other = PAGE.replace("| Times |", "| Speeds |");
        assert!(rewrite(&other, &tables(), "").is_err());
        assert!(rewrite("<!-- figures: machine -->\n", &tables(), "").is_err());
        assert!(sections("<!-- figures: rm -rf | x -->").is_err());
        assert!(sections("<!-- figures: sinew eval a | x | best -->").is_err());
    }

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in
            [(0.0, "0"), (1234.5, "1234"), (99.95, "100"), (0.02234, "0.0223"), (7.0, "7"), (1e-9, "1e-9")]
        {
            assert_eq!(cell(&serde_json::json!([value])), text);
        }
        assert_eq!(cell(&serde_json::json!("a|b")), "a\\|b");
    }

    #[test]
    fn days_have_dates() {
        for (day, text) in
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (47_541, "2100-03-01")]
        {
            assert_eq!(date(day), text);
        }
    }

    #[test]
    fn data_is_put_in_or_missed() {
        assert_eq!(
            with_data("sinew eval sik --data $SINEW_DATA/cmu", Some("d")).unwrap(),
            "sinew eval sik --data d/cmu"
        );
        assert_eq!(with_data("sinew eval sik --data $SINEW_DATA/cmu", None), None);
        assert_eq!(with_data("sinew eval walk", None).unwrap(), "sinew eval walk");
    }
}
