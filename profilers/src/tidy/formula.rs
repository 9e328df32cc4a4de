//! Spreadsheets take a cell that begins with `=` and the like for a formula, and run it: a name that begins so
//! stands behind an apostrophe in a tidy table, as spreadsheets themselves write it.

use std::borrow::Cow;

/// A cell as it is written. A number is no formula.
pub fn as_text(cell: &str) -> Cow<'_, str> {
    if needs_apostrophe(cell) && cell.parse::<f64>().is_err() {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// What a written cell says.
pub(super) fn of_text(cell: &str) -> &str {
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
            assert_eq!(of_text(written), cell);
        }
    }
}
