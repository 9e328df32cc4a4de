//! Values of metrics with their units, as nvprof prints them.

use crate::cell::Cell;
use crate::number::NumberStyle;
use crate::profile::Notes;
use crate::unit::to_base;

/// Reads a metric's value in its base unit: `12500`, `9.4%`, `126.024706GB/s`, `Low (2)` (a level from 0 to 10). None,
/// with a note, for `<OVERFLOW>` and whatever else is no number.
pub(super) fn read(cell: Cell, name: &str, unit: &str, notes: &mut Notes) -> Option<f64> {
    if cell.text.is_empty() {
        return None;
    }
    let digits = cell
        .text
        .find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+' | 'e'));
    let (number, suffix) = cell.text.split_at(digits.unwrap_or(cell.text.len()));
    let level = cell
        .text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("));
    let (number, unit) = match (level, suffix) {
        (Some((_, level)), _) => (level, ""),
        (None, "") => (number, unit),
        (None, suffix) => (number, suffix),
    };
    let factor = to_base(unit, 1024.0);
    let number = NumberStyle::PLAIN.read(number);
    let value = number.zip(factor).map(|(number, factor)| number * factor);
    notes.count(cell, name, value)
}
