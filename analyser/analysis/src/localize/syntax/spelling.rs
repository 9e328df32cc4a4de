//! Words in a text of OpenCL C.

/// Whether a character may be part of a name or of a number.
pub(crate) fn is_part(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether a text is a name or a number.
#[must_use]
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_part)
}

/// All names and numbers of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign| !is_part(sign))
        .filter(|it| !it.is_empty())
}

/// The places of a word in a text, in bytes.
pub(crate) fn places_of<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let places = text.match_indices(word).map(|(at, _)| at);
    places.filter(|at| {
        !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// Whether a text has this word.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    places_of(text, word).next().is_some()
}

/// The text behind the word that a text begins with.
pub(crate) fn behind_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    (!rest.starts_with(is_part)).then_some(rest)
}

/// The byte at which the line of this byte begins.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |it| it + 1)
}
