//! What is shown on a terminal: text of others may hold what moves its cursor, rewrites its lines or its title.

use std::borrow::Cow;

use super::silence;

/// Says it on standard error, as `eprintln!` does.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::cli::terminal::say(&format!($($words)*))
    };
}

/// Says it on standard error.
pub(super) fn say(text: &str) {
    let text = harmless(text);
    silence::said();
    eprintln!("{text}");
}

/// The text with what a terminal would obey written as JSON does, so that JSON stays what it is.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let written = |character: char| match is_obeyed(character) {
        true => format!("\\u{:04x}", u32::from(character)),
        false => character.to_string(),
    };
    Cow::Owned(text.chars().map(written).collect())
}

/// Controls, but for the ends of lines and tabs; and what turns the direction of writing.
fn is_obeyed(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (character.is_control() && !matches!(character, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let title = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}1A\rline\u{202e}";
        let shown = harmless(title);
        assert_eq!(
            shown,
            "\\u001b]0;owned\\u0007\\u001b[2J\\u009b1A\\u000dline\\u202e"
        );
        assert_eq!(harmless("a\n\tµ │ 日本"), "a\n\tµ │ 日本");
        let json = serde_json::to_string(&format!("{title}\u{7f}")).expect("text");
        let read: String = serde_json::from_str(&harmless(&json)).expect("still JSON");
        assert_eq!(read, format!("{title}\u{7f}"));
    }
}
