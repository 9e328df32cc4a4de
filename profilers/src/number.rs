//! Numbers in the style of a file's locale.

mod evidence;

use crate::Error;
use crate::cell::Cell;
use evidence::Evidence;

/// How a file writes numbers: its decimal mark. Other marks group digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberStyle {
    decimal: char,
}

impl NumberStyle {
    /// The style of a C program, and of every tool that does not follow the locale.
    pub(crate) const PLAIN: Self = Self { decimal: '.' };

    /// Finds the style that all cells of a file have in common. Profilers follow the user's locale: 1,632 is more than
    /// a thousand in the USA, and less than two in Germany. Only all cells together show which.
    pub(crate) fn find<'t>(cells: impl Iterator<Item = Cell<'t>>) -> Result<Self, Error> {
        let mut evidence = Evidence::default();
        for cell in cells.filter(|cell| is_numeric(cell.text)) {
            evidence.add(cell)?;
        }
        evidence.verdict()
    }

    /// Reads a number without grouped digits; none where it is not one in this style, or not finite.
    pub(crate) fn read_ungrouped(self, text: &str) -> Option<f64> {
        let grouped = text.contains(|c| is_mark(c) && c != self.decimal);
        self.read(text).filter(|_| !grouped)
    }

    /// Reads a number; none where it is not one in this style, or not finite.
    pub(crate) fn read(self, text: &str) -> Option<f64> {
        if !is_numeric(text) {
            return None;
        }
        let (mantissa, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
        let (whole, fraction) = mantissa.split_once(self.decimal).unwrap_or((mantissa, "0"));
        if !is_grouped_well(whole) || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = whole.chars().filter(|c| !is_mark(*c));
        let plain = digits
            .chain(['.'])
            .chain(fraction.chars())
            .chain(exponent.chars())
            .collect::<String>();
        plain.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// Marks that group digits in one locale or another; the decimal mark is one of the first two.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, ',' | '.' | ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’')
}

/// Whether a text consists of digits and marks, perhaps with an exponent.
fn is_numeric(text: &str) -> bool {
    let body = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = body.split_at(body.find(['e', 'E']).unwrap_or(body.len()));
    let exponent = exponent.trim_start_matches(['e', 'E', '+', '-']);
    mantissa.starts_with(|c: char| c.is_ascii_digit())
        && mantissa.chars().all(|c| c.is_ascii_digit() || is_mark(c))
        && exponent.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether groups have three digits (or two, as in India), and the last group three.
fn is_grouped_well(whole: &str) -> bool {
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let mut groups = whole.split(is_mark).rev();
    let last = groups.next().unwrap_or_default().len();
    let mut groups = groups.map(str::len).peekable();
    if groups.peek().is_none() {
        return last > 0;
    }
    last == 3 && groups.all(|length| (1..=3).contains(&length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(cells: &[&str]) -> Result<char, Error> {
        let cells = (1..).zip(cells).map(|(line, text)| Cell {
            line,
            column: "c",
            text,
        });
        NumberStyle::find(cells).map(|style| style.decimal)
    }

    #[test]
    fn all_cells_together_show_the_decimal_mark() {
        assert_eq!(style(&["1,632", "270,087.76"]), Ok('.'));
        assert_eq!(style(&["1.632", "270.087,76"]), Ok(','));
        assert_eq!(style(&["1.632", "0,05"]), Ok(','));
        assert_eq!(style(&["1 632", "3,88"]), Ok(','));
        assert_eq!(style(&["35,651,584", "n/a", "PolicySpread"]), Ok('.'));
        assert_eq!(style(&["12.345", "35651584"]), Ok('.'));
        assert_eq!(style(&["12,345", "35651584"]), Ok(','));
        assert_eq!(style(&["1,632"]), Ok('.'));
        assert_eq!(style(&["12", "7"]), Ok('.'));
    }

    #[test]
    fn a_thousand_times_too_much_is_never_guessed() {
        assert!(matches!(
            style(&["1.632"]),
            Err(Error::AmbiguousNumber { line: 1, .. })
        ));
        assert!(matches!(
            style(&["1,632", "1.632"]),
            Err(Error::AmbiguousNumber { line: 2, .. })
        ));
        assert!(matches!(
            style(&["1.5", "1,5"]),
            Err(Error::MixedNumbers {
                line: 2,
                other_line: 1,
                ..
            })
        ));
    }

    #[test]
    fn numbers_are_read_in_their_style() {
        let german = NumberStyle { decimal: ',' };
        assert_eq!(NumberStyle::PLAIN.read("59,168,940"), Some(59_168_940.0));
        assert_eq!(
            NumberStyle::PLAIN.read("2.36316718e-02"),
            Some(0.023_631_671_8)
        );
        assert_eq!(NumberStyle::PLAIN.read("-4"), Some(-4.0));
        assert_eq!(german.read("270.087,76"), Some(270_087.76));
        assert_eq!(german.read("1\u{202f}632"), Some(1632.0));
        for wrong in [
            "", "n/a", "nan", "inf", "0x10", "1,63", "1e999", "-", "e5", "1.2.3", "1,,000", "12e",
        ] {
            assert_eq!(NumberStyle::PLAIN.read(wrong), None, "{wrong}");
        }
    }
}
