//! Columns of the tidy table, by their titles.

use super::formula::from_text;
use crate::cell::Cell;
use crate::error::shortened;
use crate::number::NumberStyle;
use crate::{Error, Launch};

/// A column of the tidy table.
pub(super) enum Column {
    Device,
    Kernel,
    Variant,
    Family,
    Vendor,
    Generated,
    Time,
    /// The server's export: whether a sample is set aside.
    Standing,
    /// Further columns of the server's export, which are ignored.
    Added,
    Parameter(String),
    Counter {
        provider: String,
        name: String,
    },
}

impl Column {
    /// The column of a header's cell.
    pub(super) fn parse(title: &str, line: u64) -> Result<Self, Error> {
        let unknown = || Error::UnknownColumn {
            line,
            column: shortened(title),
            expected: "device, kernel, variant, time_s, family, vendor, generated, param:NAME or PROVIDER:COUNTER",
        };
        Ok(match title {
            "device" => Self::Device,
            "kernel" => Self::Kernel,
            "variant" => Self::Variant,
            "family" => Self::Family,
            "vendor" => Self::Vendor,
            "generated" => Self::Generated,
            "time_s" => Self::Time,
            "standing" => Self::Standing,
            "id"
            | "measured_at"
            | "agent"
            | "min_s"
            | "n"
            | "cv"
            | "launches_per_repetition"
            | "settled"
            | "flags"
            | "origin" => Self::Added,
            _ => match title.split_once(':') {
                Some(("", _) | (_, "")) | None => return Err(unknown()),
                Some(("param", name)) => Self::Parameter(name.to_owned()),
                Some((provider, name)) => Self::Counter {
                    provider: provider.to_owned(),
                    name: name.to_owned(),
                },
            },
        })
    }

    /// Whether a cell of this column sets its sample aside, so that it is left out here too.
    pub(super) fn sets_aside(&self, cell: &Cell) -> bool {
        matches!(self, Self::Standing) && matches!(cell.text, "quarantined" | "rejected")
    }

    /// Whether cells of this column may have a decimal mark.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Time | Self::Counter { .. })
    }

    /// Reads a cell into its launch. An empty cell means a missing value.
    pub(super) fn read(
        &self,
        cell: Cell,
        style: NumberStyle,
        launch: &mut Launch,
    ) -> Result<(), Error> {
        let text = || (!cell.text.is_empty()).then(|| from_text(cell.text).to_owned());
        match self {
            Self::Device => launch.device = text(),
            Self::Kernel => launch.kernel = from_text(&cell.name()?).to_owned(),
            Self::Variant => launch.variant = text(),
            Self::Family => launch.family = text(),
            Self::Vendor => launch.vendor = text(),
            Self::Standing | Self::Added => {}
            _ if cell.text.is_empty() => {}
            // pandas begins them with a capital.
            Self::Generated => {
                launch.generated = match cell.text {
                    "true" | "True" => true,
                    "false" | "False" => false,
                    _ => return Err(cell.wrong("true or false")),
                };
            }
            Self::Time => {
                let time = style.read_ungrouped(cell.text).filter(|time| *time > 0.0);
                launch.time_s = Some(time.ok_or_else(|| {
                    cell.wrong("seconds above 0, or nothing where there is no time")
                })?);
            }
            Self::Parameter(name) => {
                // pandas writes whole numbers with .0 where others of the column are missing.
                let whole = cell
                    .text
                    .strip_suffix(".0")
                    .unwrap_or(cell.text)
                    .parse::<i64>();
                let whole = whole
                    .map_err(|_| cell.wrong("a whole number, or nothing where there is none"))?;
                launch.parameters.insert(name.clone(), whole);
            }
            Self::Counter { provider, name } => {
                let number = style
                    .read_ungrouped(cell.text)
                    .filter(|number| *number >= 0.0);
                let expected =
                    "a number from 0 without thousands separators, or nothing where there is none";
                let number = number.ok_or_else(|| cell.wrong(expected))?;
                launch
                    .counters
                    .entry(provider.clone())
                    .or_default()
                    .insert(name.clone(), number.abs());
            }
        }
        Ok(())
    }
}
