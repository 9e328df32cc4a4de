//! nvprof: a row a metric of a kernel, with its mean over the launches.

use std::collections::BTreeMap;

use super::{device, value};
use crate::reading::ProfileReader;
use crate::table::{Row, Table};
use crate::{Error, Format, Launch};

pub(super) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Device", "Kernel", "Invocations", ..])
}

/// Mean launches from summaries, one for each kernel of a device.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) launches: Vec<Launch>,
    /// Indices of launches by device's name, its number and the kernel.
    places: BTreeMap<(Option<String>, Option<String>, String), usize>,
}

impl Summary {
    /// Reads `--metrics` or `--events`: a row for each metric of a kernel, with its mean over all launches. Metrics
    /// join the events of the same kernel from an earlier table.
    pub(super) fn read(&mut self, table: &Table, reader: &mut ProfileReader) -> Result<(), Error> {
        for column in ["Device", "Kernel", "Invocations", "Avg"] {
            table.require(column)?;
        }
        let metric = match table.find("Event Name") {
            Some(event) => event,
            None => table.require("Metric Name")?,
        };
        for row in table.rows() {
            if let Err(reason) = self.read_row(row, metric, reader) {
                reader.leave_out(reason);
            }
        }
        Ok(())
    }

    fn read_row(
        &mut self,
        row: Row,
        metric: usize,
        reader: &mut ProfileReader,
    ) -> Result<(), Error> {
        let kernel = row.require("Kernel")?.name()?;
        let invocations = row.require("Invocations")?.whole()?;
        let metric = row.cell(metric);
        let name = metric.name()?;
        let (device, gpu) = device(row.require("Device")?.text);
        let next = self.launches.len();
        let key = (device.clone(), gpu.clone(), kernel.clone());
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.launches.push(Launch {
                device,
                gpu,
                invocations,
                ..Launch::new(row.line(), kernel)
            });
        }
        if let Some(number) = value::read(row.require("Avg")?, &name, "", &mut reader.notes)
            && !self.launches[place].count(Format::Nvprof, &name, number)
        {
            return Err(metric.wrong("each metric once a kernel"));
        }
        Ok(())
    }
}
