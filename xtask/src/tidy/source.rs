//! Rust sources as the rules see them: code apart from comments and strings.

/// The source with comments and the insides of string and character literals
/// turned into spaces. Lines and columns stay where they are.
pub fn code_only(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out: Vec<u8> = bytes.to_vec();
    let blank = |out: &mut Vec<u8>, from: usize, to: usize| {
        for b in &mut out[from..to] {
            if *b != b'\n' {
                *b = b' ';
            }
        }
    };
    let mut i = 0;
    while i < bytes.len() {
        let rest = &bytes[i..];
        let after_word = i > 0 && (bytes[i - 1].is_ascii_alphanumeric() || bytes[i - 1] == b'_');
        if rest.starts_with(b"//") {
            let end = i + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            blank(&mut out, i, end);
            i = end;
        } else if rest.starts_with(b"/*") {
            let end = i + block_comment(rest);
            blank(&mut out, i, end);
            i = end;
        } else if let Some(length) = raw_string(rest).filter(|_| !after_word) {
            blank(&mut out, i, i + length);
            i += length;
        } else if rest[0] == b'"' {
            let end = i + quoted(rest, b'"');
            blank(&mut out, i + 1, end.saturating_sub(1).max(i + 1));
            i = end;
        } else if let Some(length) = character(rest) {
            blank(&mut out, i, i + length);
            i += length;
        } else {
            i += 1;
        }
    }
    // Whole bytes of multi-byte characters were blanked, or none.
    String::from_utf8_lossy(&out).into_owned()
}

fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut i) = (0_usize, 0);
    while i < rest.len() {
        if rest[i..].starts_with(b"/*") {
            depth += 1;
            i += 2;
        } else if rest[i..].starts_with(b"*/") {
            depth -= 1;
            i += 2;
            if depth == 0 {
                return i;
            }
        } else {
            i += 1;
        }
    }
    rest.len()
}

/// The length of a raw string that starts here, if one does.
fn raw_string(rest: &[u8]) -> Option<usize> {
    let start = match rest {
        [b'r', ..] => 1,
        [b'b' | b'c', b'r', ..] => 2,
        _ => return None,
    };
    let hashes = rest[start..].iter().take_while(|&&b| b == b'#').count();
    if rest.get(start + hashes) != Some(&b'"') {
        return None;
    }
    let body = start + hashes + 1;
    let mut end = vec![b'"'];
    end.extend(std::iter::repeat_n(b'#', hashes));
    let length = rest[body..].windows(end.len()).position(|w| w == end).map(|p| body + p + end.len());
    Some(length.unwrap_or(rest.len()))
}

/// The length of a quoted literal, both quotes included.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut i = 1;
    while i < rest.len() {
        match rest[i] {
            b'\\' => i += 2,
            b if b == quote => return i + 1,
            _ => i += 1,
        }
    }
    rest.len()
}

/// The length of a character literal that starts here; a lifetime is none.
fn character(rest: &[u8]) -> Option<usize> {
    if rest.first() != Some(&b'\'') {
        return None;
    }
    if rest.get(1) == Some(&b'\\') {
        return Some(quoted(rest, b'\''));
    }
    let text = std::str::from_utf8(&rest[1..rest.len().min(6)]);
    let text = match &text {
        Ok(text) => text,
        Err(e) => std::str::from_utf8(&rest[1..1 + e.valid_up_to()]).unwrap_or(""),
    };
    let first = text.chars().next()?;
    let end = 1 + first.len_utf8();
    (rest.get(end) == Some(&b'\'')).then_some(end + 1)
}

/// Code (from [`code_only`]) without the items that stand under an attribute
/// which contains `condition`, such as the tests under `cfg(test)`.
///
/// `original` is the source with its strings, for conditions that name one.
pub fn without_items(code: &str, original: &str, condition: &str) -> String {
    let mut out = code.as_bytes().to_vec();
    let bytes = code.as_bytes();
    let mut i = 0;
    while let Some(found) = code[i..].find("#[") {
        let start = i + found;
        let Some(end) = closing(bytes, start + 1) else { break };
        i = end;
        if !original[start..end].replace(' ', "").contains(condition) {
            continue;
        }
        let stop = item_end(bytes, end);
        for b in &mut out[start..stop] {
            if *b != b'\n' {
                *b = b' ';
            }
        }
        i = stop;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// One past the bracket that closes the one at `open`.
fn closing(code: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (i, b) in code.iter().enumerate().skip(open) {
        match b {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// One past the end of the item that starts at `from`: a semicolon, a closed
/// brace, or the end of what holds it.
fn item_end(code: &[u8], from: usize) -> usize {
    let mut i = from;
    while i < code.len() {
        match code[i] {
            b';' | b',' => return i + 1,
            b'{' => return closing(code, i).unwrap_or(code.len()),
            b'(' | b'[' => i = closing(code, i).unwrap_or(code.len()),
            b')' | b']' | b'}' => return i,
            _ => i += 1,
        }
    }
    code.len()
}

/// Where `word` stands in a line as a word of its own, or as the suffix of a number.
pub fn has_word(line: &str, word: &str) -> bool {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    line.match_indices(word).any(|(at, _)| {
        let after = line.as_bytes().get(at + word.len()).is_some_and(|&b| is_word(b));
        let start = line.as_bytes()[..at].iter().rposition(|&b| !is_word(b)).map_or(0, |p| p + 1);
        let before_is_number = line.as_bytes()[start..at].first().is_none_or(u8::is_ascii_digit);
        !after && before_is_number
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_blank_and_code_stays() {
        let source = "let a = \"f32 // no\"; // f32\n/* f32 /* f32 */ */ let b: f64 = 'x';\nlet c = r#\"f\"32\"#; let d: &'a str = '\\'';";
        let code = code_only(source);
        assert!(!code.contains("f32") && code.contains("f64") && !code.contains('x'));
        assert_eq!(code.len(), source.len());
        assert_eq!(code.lines().count(), 3);
        assert!(code.contains("&'a str"));
    }

    #[test]
    fn items_under_a_condition_go_and_others_stay() {
        let source = "use std::a;\n#[cfg(feature = \"std\")]\nuse std::b;\n#[cfg(test)]\nmod tests { use std::c; fn f() {} }\nfn g() { std::d }";
        let code = code_only(source);
        let code = without_items(&code, source, "feature=\"std\"");
        let code = without_items(&code, source, "cfg(test)");
        assert!(code.contains("std::a") && code.contains("std::d"));
        assert!(!code.contains("std::b") && !code.contains("std::c"));
    }

    #[test]
    fn words_stand_alone_or_end_a_number() {
        assert!(has_word("let x: f32;", "f32") && has_word("1.0f32", "f32") && has_word("1f32", "f32"));
        assert!(!has_word("as_f32", "f32") && !has_word("f32x4", "f32") && !has_word("to_f32()", "f32"));
    }
}
