//! Words that OpenCL C keeps for itself, so that nothing can bear them as its name.

/// C99's, and those of OpenCL C, of any version: a device may have a later one.
const WORDS: [&str; 53] = [
    "_Bool",
    "_Complex",
    "_Imaginary",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constant",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "generic",
    "global",
    "goto",
    "half",
    "if",
    "inline",
    "int",
    "kernel",
    "local",
    "long",
    "pipe",
    "private",
    "read_only",
    "read_write",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "true",
    "typedef",
    "uniform",
    "union",
    "unsigned",
    "vec_step",
    "void",
    "volatile",
    "while",
    "write_only",
];

/// Whether a name is one of them, also where Rust writes it `r#…`.
#[must_use]
pub const fn is_reserved(name: &str) -> bool {
    let name = plain(name);
    let mut place = 0;
    while place < WORDS.len() {
        if are_equal(WORDS[place].as_bytes(), name.as_bytes()) {
            return true;
        }
        place += 1;
    }
    false
}

/// As `==`, which is not for constants.
const fn are_equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut place = 0;
    while place < one.len() {
        if one[place] != other[place] {
            return false;
        }
        place += 1;
    }
    true
}

/// Rust's names of fields such as `r#type` without what makes them names there.
pub(crate) const fn plain(name: &str) -> &str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        assert!(WORDS.into_iter().all(is_reserved) && is_reserved("r#const"));
        for free in ["", "globe", "glob", "Global", "kernel_", "x", "type"] {
            assert!(!is_reserved(free), "{free}");
        }
        assert_eq!(plain("r#type"), "type");
        assert_eq!(plain("type"), "type");
    }
}
