//! Cells that spreadsheets would take for formulas and run, because they begin with `=` and the like. In a tidy table
//! an apostrophe precedes such a name, as spreadsheets themselves write it.

use std::borrow::Cow;

/// The text to write for a cell. A number is never a formula.
pub fn as_text(cell: &str) -> Cow<'_, str> {
    if needs_apostrophe(cell) && cell.parse::<f64>().is_err() {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// The content of a written cell.
pub(super) fn from_text(cell: &str) -> &str {
    cell.strip_prefix('\'')
        .filter(|rest| needs_apostrophe(rest))
        .unwrap_or(cell)
}

fn needs_apostrophe(cell: &str) -> bool {
    // After an apostrophe too: what was written is what is read.
    let start = cell.trim_start_matches('\'');
    start.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_no_formula() {
        for (cell, written) in [
            ("=cmd|'/C calc'!A0", "'=cmd|'/C calc'!A0"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+x", "'+x"),
            ("-x", "'-x"),
            ("'=x", "''=x"),
            ("''=x", "'''=x"),
            ("'x", "'x"),
            ("matrix_mul", "matrix_mul"),
            ("-5", "-5"),
            ("", ""),
        ] {
            assert_eq!(as_text(cell), written);
            assert_eq!(from_text(written), cell);
        }
    }
}
