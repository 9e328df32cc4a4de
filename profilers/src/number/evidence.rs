//! Finds a file's decimal mark from all its cells.

use super::{NumberStyle, is_mark};
use crate::Error;
use crate::cell::Cell;
use crate::error::shortened;

/// Evidence of a file's decimal mark: lines that show it, and cells that could be read both ways.
#[derive(Default)]
pub(super) struct Evidence<'t> {
    point: Option<u64>,
    comma: Option<u64>,
    either_point: Option<Cell<'t>>,
    either_comma: Option<Cell<'t>>,
    /// Whether a cell has four digits or more without a mark, which shows that the file does not group digits.
    ungrouped: bool,
}

impl<'t> Evidence<'t> {
    pub(super) fn add(&mut self, cell: Cell<'t>) -> Result<(), Error> {
        let mantissa = cell
            .text
            .trim_start_matches('-')
            .split(['e', 'E'])
            .next()
            .unwrap_or_default();
        let marks = mantissa.matches(['.', ',']).collect::<Vec<_>>();
        let decimal = match marks[..] {
            [] => {
                self.ungrouped |= mantissa.len() > 3 && !mantissa.contains(is_mark);
                None
            }
            [only] => {
                let (whole, fraction) = mantissa.split_once(only).unwrap_or_default();
                let either = fraction.len() == 3
                    && (1..=3).contains(&whole.len())
                    && !whole.starts_with('0');
                match (either, only) {
                    (false, _) => Some(only),
                    (true, ".") => {
                        self.either_point.get_or_insert(cell);
                        None
                    }
                    (true, _) => {
                        self.either_comma.get_or_insert(cell);
                        None
                    }
                }
            }
            [first, .., last] if first != last => Some(last),
            [".", ..] => Some(","),
            _ => Some("."),
        };
        match decimal {
            Some(".") => self.point.get_or_insert(cell.line),
            Some(_) => self.comma.get_or_insert(cell.line),
            None => return Ok(()),
        };
        match (self.point, self.comma) {
            (Some(one), Some(other)) => Err(Error::MixedNumbers {
                line: cell.line,
                column: shortened(cell.column),
                value: shortened(cell.text),
                other_line: if decimal == Some(".") { other } else { one },
            }),
            _ => Ok(()),
        }
    }

    pub(super) fn verdict(self) -> Result<NumberStyle, Error> {
        let decimal = match (self.point, self.comma, self.either_point, self.either_comma) {
            (Some(_), _, _, _) | (None, None, None, None) => '.',
            (None, Some(_), _, _) => ',',
            (None, None, Some(_), None) if self.ungrouped => '.',
            (None, None, None, Some(_)) if self.ungrouped => ',',
            // A lone 1,632: ncu never prints three decimals in a locale with decimal commas.
            (None, None, None, Some(_)) => '.',
            (None, None, Some(cell), _) => {
                return Err(Error::AmbiguousNumber {
                    line: cell.line,
                    column: shortened(cell.column),
                    value: cell.text.to_owned(),
                });
            }
        };
        Ok(NumberStyle { decimal })
    }
}
