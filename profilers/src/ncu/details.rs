use std::collections::BTreeMap;

use super::{launch, metric};
use crate::cell::Cell;
use crate::draft::Draft;
use crate::number::NumberStyle;
use crate::table::{Row, Table};
use crate::{Error, Launch};

/// Columns of the details page: a row a metric of a launch.
pub(super) struct Columns {
    kernel: usize,
    id: usize,
    metric: usize,
    unit: usize,
    value: usize,
}

impl Columns {
    /// None where the table is another page.
    pub(super) fn of(table: &Table) -> Result<Option<Self>, Error> {
        let Some(value) = table.find("Metric Value") else {
            return Ok(None);
        };
        Ok(Some(Self {
            kernel: table.require("Kernel Name")?,
            id: table.require("ID")?,
            metric: table.require("Metric Name")?,
            unit: table.require("Metric Unit")?,
            value,
        }))
    }

    /// The metric of a row: by its own name, or by a label that says it. The page's own labels name many metrics
    /// alike; but for the time they are not read.
    fn name<'t>(&self, table: &'t Table, row: &'t Row) -> Option<&'t str> {
        let title = table.cell(row, self.metric).text;
        let behind_label = title
            .strip_suffix(')')
            .and_then(|title| title.rsplit_once(" ("));
        let name = behind_label.map_or(title, |(_, name)| name);
        match title {
            "Duration" => Some(metric::TIME),
            _ => (metric::is_name(name) && name.contains("__")).then_some(name),
        }
    }

    /// The cells that hold metrics.
    pub(super) fn values<'t>(&self, table: &'t Table) -> Vec<Cell<'t>> {
        let rows = table.rows().filter(|row| self.name(table, row).is_some());
        rows.map(|row| table.cell(row, self.value)).collect()
    }

    pub(super) fn read(
        &self,
        table: &Table,
        style: NumberStyle,
        draft: &mut Draft,
    ) -> Result<(), Error> {
        let process = table.find("Process ID");
        let mut launches: Vec<Result<Launch, Error>> = Vec::new();
        let (mut places, mut label) = (BTreeMap::new(), None);
        for row in table.rows() {
            let process = process.map(|column| table.cell(row, column).text);
            let key = (process, table.cell(row, self.id).text);
            let place = *places.entry(key).or_insert(launches.len());
            if place == launches.len() {
                launches.push(launch::read(table, row, self.kernel));
            }
            let Some(name) = self.name(table, row) else {
                let title = table.cell(row, self.metric);
                label = label.or(Some(title).filter(|it| !it.text.is_empty()));
                continue;
            };
            let (value, unit) = (table.cell(row, self.value), table.cell(row, self.unit));
            let put = |launch: &mut Launch| {
                metric::put(launch, name, value, unit, style, &mut draft.notes)
            };
            if let Err(error) = launches[place].as_mut().map_or(Ok(()), put) {
                launches[place] = Err(error);
            }
        }
        if let Some(label) = label {
            let has_counters = |it: &Result<Launch, Error>| {
                it.as_ref().is_ok_and(|launch| !launch.counters.is_empty())
            };
            if !launches.iter().any(has_counters) {
                return Err(LABELS(table.line()));
            }
            let text = "metrics without their own names left out: print them with --page raw";
            draft.notes.once(label.line, text.to_owned());
        }
        launches.into_iter().for_each(|launch| draft.add(launch));
        Ok(())
    }
}

/// The refusal of a page that names no metric.
const LABELS: fn(u64) -> Error = |line| Error::Unsupported {
    line,
    what: "ncu's details page without the metrics' own names",
    instead: "print the raw page: ncu --import REPORT --csv --page raw, or add --page raw when profiling",
};
