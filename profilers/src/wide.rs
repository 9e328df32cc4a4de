//! Tables with a row a dispatch and a column a counter (rocprof, rocprofiler-compute).

use crate::amd::{finish, kernel_name, optional_seconds};
use crate::profile::Notes;
use crate::reading::ProfileReader;
use crate::table::{IsHeader, Row};
use crate::{Error, Format, Geometry, Launch, Profile};

/// The columns of a table with a row for each dispatch and a column for each counter.
pub(crate) struct Wide {
    pub(crate) format: Format,
    pub(crate) is_header: IsHeader,
    pub(crate) dispatch: &'static str,
    pub(crate) kernel: &'static str,
    /// The column of the GPU's number.
    pub(crate) gpu: &'static str,
    pub(crate) process: &'static str,
    /// The column of the launch's work-items, in all.
    pub(crate) grid: &'static str,
    /// The column of a work-group's work-items, in all.
    pub(crate) group: &'static str,
    /// The column of the start in nanoseconds; it exists only where times were asked for.
    pub(crate) start: &'static str,
    /// The column of the end in nanoseconds; it exists only where times were asked for.
    pub(crate) end: &'static str,
    /// Whether a column is no counter.
    pub(crate) is_of_launch: fn(&str) -> bool,
}

impl Wide {
    pub(crate) fn parse(&self, text: &str) -> Result<Profile, Error> {
        let mut reader = ProfileReader::new(self.format);
        for table in reader.tables(text, self.is_header)? {
            for column in [self.dispatch, self.kernel, self.grid, self.group] {
                table.require(column)?;
            }
            let counters = (0..).zip(table.columns());
            let counters = counters
                .filter(|(_, name)| !name.is_empty() && !(self.is_of_launch)(name))
                .collect::<Vec<_>>();
            for row in table.rows() {
                let launch = self.launch(row, &counters, &mut reader.notes);
                reader.add(launch);
            }
        }
        finish(reader)
    }

    fn launch(
        &self,
        row: Row,
        counters: &[(usize, &str)],
        notes: &mut Notes,
    ) -> Result<Launch, Error> {
        let kernel = kernel_name(row.require(self.kernel)?)?;
        let (grid, group) = (row.require(self.grid)?, row.require(self.group)?);
        let mut launch = Launch {
            gpu: row.text(self.gpu),
            process: row.text(self.process),
            dispatch: Some(row.require(self.dispatch)?.whole()?),
            time_s: optional_seconds(row, self.start, self.end, notes)?,
            geometry: Geometry::flat(grid.whole()?, group.whole()?),
            ..Launch::new(row.line(), kernel)
        };
        for (column, name) in counters {
            if let Some(number) = notes.read_count(row.cell(*column), name)? {
                launch.count(self.format, name, number);
            }
        }
        Ok(launch)
    }
}
