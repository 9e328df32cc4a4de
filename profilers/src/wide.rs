use crate::amd::{finish, kernel_name, optional_seconds};
use crate::count;
use crate::draft::Draft;
use crate::profile::Notes;
use crate::table::{IsHeader, Row, Table};
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
        let mut draft = Draft::new(self.format);
        for table in draft.tables(text, self.is_header)? {
            for column in [self.dispatch, self.kernel, self.grid, self.group] {
                table.require(column)?;
            }
            let counters = (0..).zip(table.columns());
            let counters = counters
                .filter(|(_, name)| !name.is_empty() && !(self.is_of_launch)(name))
                .collect::<Vec<_>>();
            for row in table.rows() {
                let launch = self.launch(&table, row, &counters, &mut draft.notes);
                draft.add(launch);
            }
        }
        finish(draft)
    }

    fn launch(
        &self,
        table: &Table,
        row: &Row,
        counters: &[(usize, &str)],
        notes: &mut Notes,
    ) -> Result<Launch, Error> {
        let cell = |column| Ok(table.cell(row, table.require(column)?));
        let text = |column| {
            table
                .find(column)
                .map(|at| table.cell(row, at).text.to_owned())
        };
        let mut launch = Launch {
            line: row.line,
            kernel: kernel_name(cell(self.kernel)?)?,
            gpu: text(self.gpu),
            process: text(self.process),
            dispatch: Some(cell(self.dispatch)?.whole()?),
            invocations: 1,
            time_s: optional_seconds(table, row, self.start, self.end, notes)?,
            geometry: Geometry::flat(cell(self.grid)?.whole()?, cell(self.group)?.whole()?),
            ..Launch::default()
        };
        for (column, name) in counters {
            if let Some(number) = count::read(table.cell(row, *column), name, notes)? {
                launch.count(self.format, name, number);
            }
        }
        Ok(launch)
    }
}
