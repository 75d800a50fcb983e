//! How much memory a file may become: one budget for the whole command.

use std::sync::OnceLock;

use anyhow::Result;
use sinew_io::Budget;

use crate::failure::usage;

static BUDGET: OnceLock<Budget> = OnceLock::new();

/// What may be said instead of the option, for scripts.
const VARIABLE: &str = "SINEW_MEMORY";

/// Takes what `--memory` says, or the environment. Once, before anything is read.
pub fn choose(option: Option<&str>) -> Result<()> {
    let from_outside = || std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    let chosen = match option {
        Some(text) => Some(("--memory", text.to_string())),
        None => from_outside().map(|text| (VARIABLE, text)),
    };
    if let Some((name, text)) = chosen {
        let bytes = parse(&text).ok_or_else(|| {
            usage(format!("{name} {text}: expected a number of bytes above zero, such as 512M or 2G"))
        })?;
        let _ = BUDGET.set(Budget::new(bytes));
    }
    Ok(())
}

/// The budget of this run.
pub fn budget() -> Budget {
    BUDGET.get().copied().unwrap_or_default()
}

/// Bytes, with K, M or G for powers of 1024.
fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 1 << 10),
        (at, 'm' | 'M') => (&text[..at], 1 << 20),
        (at, 'g' | 'G') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    number.trim().parse::<u64>().ok()?.checked_mul(unit).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(parse("1000"), Some(1000));
        assert_eq!(parse(" 512 M"), Some(512 << 20));
        assert_eq!(parse("2g"), Some(2 << 30));
        for bad in ["", "0", "-1", "M", "1.5G", "2T", "99999999999G", "é"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
