//! Metrics of Nsight Compute as counters of a launch.

use crate::cell::Cell;
use crate::error::shortened;
use crate::number::NumberStyle;
use crate::profile::Notes;
use crate::unit::{nanoseconds, to_base};
use crate::{Error, Format, Launch};

/// The metric of the launch's time. It is no counter, because forecasts are of the time.
pub(super) const TIME: &str = "gpu__time_duration.sum";

/// Whether a title can be a metric's name.
pub(super) fn is_name(title: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    !title.is_empty() && title.bytes().all(is_of_name)
}

/// Adds a metric's value to the launch, in its base unit.
///
/// # Errors
/// A time has a unit that is none of time.
pub(super) fn put(
    launch: &mut Launch,
    name: &str,
    cell: Cell,
    unit: Cell,
    style: NumberStyle,
    notes: &mut Notes,
) -> Result<(), Error> {
    if cell.text.is_empty() {
        return Ok(());
    }
    let factor = match name {
        TIME => nanoseconds(unit.text),
        _ => to_base(unit.text, 1000.0),
    };
    let Some(factor) = factor else {
        if name == TIME {
            return Err(unit.wrong("a unit of time: ns, us, ms or s"));
        }
        let (name, unit_name) = (shortened(name), shortened(unit.text));
        let text = format!("`{name}` left out: its unit `{unit_name}` is not known");
        notes.once(unit.line, text);
        return Ok(());
    };
    let number = style.read(cell.text).map(|number| number * factor);
    let Some(number) = notes.count(cell, name, number) else {
        return Ok(());
    };
    if name == TIME {
        launch.time_s = (number > 0.0).then_some(number / 1e9);
    } else if !name.starts_with("gpu__time_duration.") {
        launch.count(Format::Ncu, name, number);
    }
    Ok(())
}
