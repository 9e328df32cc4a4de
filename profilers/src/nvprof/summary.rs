use std::collections::BTreeMap;

use super::{device, value};
use crate::profile::Notes;
use crate::table::Table;
use crate::{Error, Format, Launch};

pub(super) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Device", "Kernel", "Invocations", ..])
}

/// Launches of summaries, one a kernel of a device.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) launches: Vec<Launch>,
    places: BTreeMap<(Option<String>, String), usize>,
}

impl Summary {
    /// `--metrics` or `--events`: a row a metric of a kernel, with its mean over all launches of
    /// the kernel. Metrics join the events of the same kernel from an earlier table.
    pub(super) fn read(&mut self, table: &Table, notes: &mut Notes) -> Result<(), Error> {
        let (at_device, kernel) = (table.require("Device")?, table.require("Kernel")?);
        let invocations = table.require("Invocations")?;
        let mean = table.require("Avg")?;
        let metric = match table.find("Event Name") {
            Some(event) => event,
            None => table.require("Metric Name")?,
        };
        for row in table.rows() {
            let device = device(table.cell(row, at_device).text);
            let kernel = table.cell(row, kernel).name()?;
            let next = self.launches.len();
            let place = *self
                .places
                .entry((device.clone(), kernel.clone()))
                .or_insert(next);
            if place == next {
                let invocations = table.cell(row, invocations).whole()?;
                let line = row.line;
                self.launches.push(Launch {
                    line,
                    kernel,
                    device,
                    invocations,
                    ..Launch::default()
                });
            }
            let name = table.cell(row, metric).name()?;
            if let Some(number) = value::read(table.cell(row, mean), &name, "", notes)
                && !self.launches[place].count(Format::Nvprof, &name, number)
            {
                return Err(table.cell(row, metric).wrong("each metric once a kernel"));
            }
        }
        Ok(())
    }
}
