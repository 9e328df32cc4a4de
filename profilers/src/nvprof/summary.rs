use std::collections::BTreeMap;

use super::{device, value};
use crate::draft::Draft;
use crate::table::{Row, Table};
use crate::{Error, Format, Launch};

pub(super) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Device", "Kernel", "Invocations", ..])
}

/// Launches of summaries, one a kernel of a device.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) launches: Vec<Launch>,
    /// By device, its number and the kernel.
    places: BTreeMap<(Option<String>, Option<String>, String), usize>,
}

impl Summary {
    /// `--metrics` or `--events`: a row a metric of a kernel, with its mean over all launches of
    /// the kernel. Metrics join the events of the same kernel from an earlier table.
    pub(super) fn read(&mut self, table: &Table, draft: &mut Draft) -> Result<(), Error> {
        let columns = Columns {
            device: table.require("Device")?,
            kernel: table.require("Kernel")?,
            invocations: table.require("Invocations")?,
            mean: table.require("Avg")?,
            metric: match table.find("Event Name") {
                Some(event) => event,
                None => table.require("Metric Name")?,
            },
        };
        for row in table.rows() {
            if let Err(reason) = self.read_row(table, row, &columns, draft) {
                draft.leave_out(reason);
            }
        }
        Ok(())
    }

    fn read_row(
        &mut self,
        table: &Table,
        row: &Row,
        columns: &Columns,
        draft: &mut Draft,
    ) -> Result<(), Error> {
        let kernel = table.cell(row, columns.kernel).name()?;
        let invocations = table.cell(row, columns.invocations).whole()?;
        let metric = table.cell(row, columns.metric);
        let name = metric.name()?;
        let (device, gpu) = device(table.cell(row, columns.device).text);
        let key = (device.clone(), gpu.clone(), kernel.clone());
        let next = self.launches.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.launches.push(Launch {
                line: row.line,
                kernel,
                device,
                gpu,
                invocations,
                ..Launch::default()
            });
        }
        let mean = table.cell(row, columns.mean);
        if let Some(number) = value::read(mean, &name, "", &mut draft.notes)
            && !self.launches[place].count(Format::Nvprof, &name, number)
        {
            return Err(metric.wrong("each metric once a kernel"));
        }
        Ok(())
    }
}

struct Columns {
    device: usize,
    kernel: usize,
    invocations: usize,
    mean: usize,
    metric: usize,
}
