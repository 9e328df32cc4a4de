//! Words of a source: names and keywords, without comments, texts in quotes and lines of the preprocessor.

use std::ops::Range;

/// Where the words of a part of a source are.
pub(super) fn words(source: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = range.start;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    while at < range.end {
        let rest = &source[at..range.end];
        let line = source[..at].rfind('\n').map_or(0, |it| it + 1);
        let is_first = source[line..at].trim().is_empty();
        at = if rest.starts_with("//") || (rest.starts_with('#') && is_first) {
            line_end(source, at)
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(range.end, |it| at + it + 2)
        } else if rest.starts_with(['"', '\'']) {
            behind_quotes(bytes, at)
        } else if is_word(bytes[at]) {
            let length = rest.bytes().take_while(|byte| is_word(*byte)).count();
            found.push(at..at + length);
            at + length
        } else {
            at + rest.chars().next().map_or(1, char::len_utf8)
        };
    }
    found
}

/// The end of a line, of one that goes on behind a backslash that of its last.
fn line_end(source: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(length) = source[at..].find('\n') {
        let line = source[at..at + length].trim_end_matches('\r');
        if !line.ends_with('\\') {
            return at + length;
        }
        at += length + 1;
    }
    source.len()
}

fn behind_quotes(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != bytes[from] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn what_is_no_code_has_no_words() {
        let source = "a // b\n/* c */ d\n#define e \\\n f\n\"g\\\"h\" i2 'j' _k";
        let found: Vec<&str> = words(source, 0..source.len())
            .into_iter()
            .map(|it| &source[it])
            .collect();
        assert_eq!(found, ["a", "d", "i2", "_k"]);
    }
}
