//! Text from elsewhere on a terminal: characters that a terminal obeys are escaped.

use std::borrow::Cow;

/// What a terminal obeys: controls, but for the ends of lines and tabs; and what turns the direction of writing.
#[must_use]
pub fn is_obeyed(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// The text with these characters escaped as in JSON, so that JSON stays what it is.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let escaped = |character: char| {
        if is_obeyed(character) {
            format!("\\u{:04x}", u32::from(character))
        } else {
            character.to_string()
        }
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let title = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}1A\rline\u{202e}";
        assert_eq!(
            harmless(title),
            "\\u001b]0;owned\\u0007\\u001b[2J\\u009b1A\\u000dline\\u202e"
        );
        assert_eq!(harmless("a\n\tµ │ 日本"), "a\n\tµ │ 日本");
        let json = serde_json::to_string(&format!("{title}\u{7f}")).expect("text");
        let parsed: String = serde_json::from_str(&harmless(&json)).expect("still JSON");
        assert_eq!(parsed, format!("{title}\u{7f}"));
    }
}
