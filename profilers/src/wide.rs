use crate::amd::{finish, kernel_name, optional_seconds};
use crate::count;
use crate::profile::Notes;
use crate::table::{IsHeader, below};
use crate::{Error, Format, Geometry, Launch, Profile};

/// The columns of a table with a row a dispatch and a column a counter.
pub(crate) struct Wide {
    pub(crate) format: Format,
    pub(crate) is_header: IsHeader,
    pub(crate) dispatch: &'static str,
    pub(crate) kernel: &'static str,
    /// Work-items of the launch, in all.
    pub(crate) grid: &'static str,
    /// Work-items of a work-group, in all.
    pub(crate) group: &'static str,
    /// Nanoseconds; only where times were asked for.
    pub(crate) start: &'static str,
    /// Nanoseconds; only where times were asked for.
    pub(crate) end: &'static str,
    /// Columns that are not counters.
    pub(crate) is_of_launch: fn(&str) -> bool,
}

impl Wide {
    pub(crate) fn parse(&self, text: &str) -> Result<Profile, Error> {
        let table = below(text, self.is_header).ok_or(Error::Empty)??;
        let dispatch = table.require(self.dispatch)?;
        let kernel = table.require(self.kernel)?;
        let (grid, group) = (table.require(self.grid)?, table.require(self.group)?);
        let counters = (0..).zip(table.columns());
        let counters = counters
            .filter(|(_, name)| !name.is_empty() && !(self.is_of_launch)(name))
            .collect::<Vec<_>>();

        let mut notes = Notes::default();
        let mut launches = Vec::new();
        for row in table.rows() {
            let mut launch = Launch {
                line: row.line,
                kernel: kernel_name(table.cell(row, kernel))?,
                dispatch: Some(table.cell(row, dispatch).whole()?),
                invocations: 1,
                time_s: optional_seconds(&table, row, self.start, self.end)?,
                geometry: Geometry::flat(
                    table.cell(row, grid).whole()?,
                    table.cell(row, group).whole()?,
                ),
                ..Launch::default()
            };
            for (column, name) in &counters {
                if let Some(number) = count::read(table.cell(row, *column), name, &mut notes)? {
                    launch.count(self.format, name, number);
                }
            }
            launches.push(launch);
        }
        finish(self.format, launches, notes)
    }
}
