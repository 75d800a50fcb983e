//! The name that someone probably meant.

/// How many letters have to be added, dropped or changed to make `b` of `a`
/// (Levenshtein), or `None` if it is more than `most`.
fn edits(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    Some(row[b.len()]).filter(|n| *n <= most)
}

/// The candidate that is written most like `wanted`, if any comes close. Case,
/// spaces and underscores count little.
pub(crate) fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Longer names are not typed by hand, and the search is quadratic in them.
    const LONGEST: usize = 64;
    let plain = |name: &str| -> Vec<char> {
        name.chars().filter(|c| !matches!(c, ' ' | '_' | '-' | '.')).flat_map(char::to_lowercase).collect()
    };
    let letters = plain(wanted);
    if letters.len() > LONGEST {
        return None;
    }
    let most = (letters.len() / 3).max(1);
    candidates
        .filter_map(|candidate| edits(&letters, &plain(candidate), most).map(|n| (n, candidate)))
        .min_by_key(|(n, _)| *n)
        .map(|(_, candidate)| candidate)
}

/// ` (did you mean 'elbow'?)`, or nothing.
pub(crate) fn did_you_mean<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    nearest(wanted, candidates).map_or(String::new(), |name| format!(" (did you mean '{name}'?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        let names = ["left_elbow", "right_elbow", "head"];
        assert_eq!(nearest("LeftElbw", names.into_iter()), Some("left_elbow"));
        assert_eq!(nearest("haed", names.into_iter()), None);
        assert_eq!(nearest("hed", names.into_iter()), Some("head"));
        assert_eq!(nearest("tentacle", names.into_iter()), None);
        assert_eq!(edits(&['a', 'b'], &['b'], 2), Some(1));
    }
}
