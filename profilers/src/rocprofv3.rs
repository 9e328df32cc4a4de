mod json;

use std::collections::BTreeMap;

use crate::amd::{finish, kernel_name, optional_seconds, seconds_between};
use crate::cell::Cell;
use crate::count;
use crate::draft::Draft;
use crate::profile::Notes;
use crate::table::{Row, Table};
use crate::{Error, Format, Geometry, Launch, Profile};
pub(crate) use json::is_json;

pub(crate) fn is_counters_header(cells: &[&str]) -> bool {
    cells.contains(&"Dispatch_Id") && cells.contains(&"Counter_Name")
}

/// Whether cells are the header of a kernel trace; that of ROCm 6.2 numbers no dispatches.
pub(crate) fn is_trace_header(cells: &[&str]) -> bool {
    let is_numbered = cells.contains(&"Dispatch_Id") || cells.contains(&"Correlation_Id");
    is_numbered && cells.contains(&"Kernel_Name") && !cells.contains(&"Counter_Name")
}

/// Reads `--output-format json`, which has the same content as the tables.
pub(crate) fn parse_json(text: &str) -> Result<Profile, Error> {
    let printed = json::print(text)?;
    let (table, kernels) = (&*printed.table, Kernels::At(&printed.kernels));
    let profile = if printed.is_counted {
        counters(table, kernels)
    } else {
        trace(table, kernels)
    };
    profile.map_err(|error| match error {
        Error::NoLaunches { .. } => Error::Unsupported {
            line: 1,
            what: "rocprofv3's JSON without kernel launches",
            instead: "profile with --kernel-trace or --pmc …",
        },
        other => other,
    })
}

/// The kernels of a table: their names in the table itself, or indices into a list here.
#[derive(Clone, Copy)]
enum Kernels<'t> {
    Named,
    At(&'t [String]),
}

impl<'t> Kernels<'t> {
    fn cell(self, table: &'t Table, row: &'t Row) -> Result<Cell<'t>, Error> {
        let cell = table.cell(row, table.require("Kernel_Name")?);
        let Self::At(names) = self else {
            return Ok(cell);
        };
        let place = cell.text.parse().ok();
        let name = place.and_then(|place: usize| names.get(place));
        Ok(Cell {
            text: name.map_or("", String::as_str),
            ..cell
        })
    }
}

/// Reads `counter_collection.csv`: a row for each counter; rows of the same process, agent and dispatch form a launch.
/// Older releases lack `Accum_VGPR_Count` and name agents by number; neither is read.
pub(crate) fn parse_counters(text: &str) -> Result<Profile, Error> {
    counters(text, Kernels::Named)
}

fn counters(text: &str, kernels: Kernels) -> Result<Profile, Error> {
    let mut draft = Draft::new(Format::Rocprofv3Counters);
    for table in draft.tables(text, is_counters_header)? {
        let dispatch = table.require("Dispatch_Id")?;
        for column in ["Kernel_Name", "Counter_Name", "Counter_Value"] {
            table.require(column)?;
        }
        let owner = [
            table.find("Process_Id"),
            table.find("Agent_Id"),
            Some(dispatch),
        ];
        let mut launches: Vec<Result<Launch, Error>> = Vec::new();
        let mut places = BTreeMap::new();
        for row in table.rows() {
            let key = owner.map(|column| column.map(|column| table.cell(row, column).text));
            let place = *places.entry(key).or_insert(launches.len());
            if place == launches.len() {
                launches.push(counted_launch(&table, row, kernels, &mut draft.notes));
            }
            if let Ok(launch) = &mut launches[place]
                && let Err(reason) = count_row(&table, row, kernels, launch, &mut draft.notes)
            {
                launches[place] = Err(reason);
            }
        }
        launches.into_iter().for_each(|launch| draft.add(launch));
    }
    finish(draft)
}

/// The launch that its first row of counters describes.
fn counted_launch(
    table: &Table,
    row: &Row,
    kernels: Kernels,
    notes: &mut Notes,
) -> Result<Launch, Error> {
    let (start, end) = ("Start_Timestamp", "End_Timestamp");
    Ok(Launch {
        time_s: optional_seconds(table, row, start, end, notes)?,
        geometry: flat_geometry(table, row)?,
        ..launch(table, row, kernels, "Dispatch_Id")?
    })
}

/// The launch that a row belongs to.
fn launch(
    table: &Table,
    row: &Row,
    kernels: Kernels,
    number: &'static str,
) -> Result<Launch, Error> {
    let text = |column| {
        let column = table.find(column)?;
        Some(table.cell(row, column).text.to_owned())
    };
    Ok(Launch {
        line: row.line,
        kernel: kernel_name(kernels.cell(table, row)?)?,
        gpu: text("Agent_Id"),
        process: text("Process_Id"),
        dispatch: Some(table.cell(row, table.require(number)?).whole()?),
        invocations: 1,
        ..Launch::default()
    })
}

fn count_row(
    table: &Table,
    row: &Row,
    kernels: Kernels,
    launch: &mut Launch,
    notes: &mut Notes,
) -> Result<(), Error> {
    let kernel = kernels.cell(table, row)?;
    if kernel_name(kernel)? != launch.kernel {
        return Err(kernel.wrong("the kernel of this dispatch's first row"));
    }
    let counter = table.cell(row, table.require("Counter_Name")?);
    let name = counter.name()?;
    let value = table.cell(row, table.require("Counter_Value")?);
    if let Some(number) = count::read(value, &name, notes)?
        && !launch.count(Format::Rocprofv3Counters, &name, number)
    {
        return Err(counter.wrong("each counter once a dispatch"));
    }
    Ok(())
}

fn flat_geometry(table: &Table, row: &Row) -> Result<Option<Geometry>, Error> {
    let (Some(grid), Some(group)) = (table.find("Grid_Size"), table.find("Workgroup_Size")) else {
        return Ok(None);
    };
    Ok(Geometry::flat(
        table.cell(row, grid).whole()?,
        table.cell(row, group).whole()?,
    ))
}

/// Reads `kernel_trace.csv`: a row for each launch, with time and shape. HSA's grid counts work-items.
pub(crate) fn parse_trace(text: &str) -> Result<Profile, Error> {
    trace(text, Kernels::Named)
}

fn trace(text: &str, kernels: Kernels) -> Result<Profile, Error> {
    let mut draft = Draft::new(Format::Rocprofv3Trace);
    for table in draft.tables(text, is_trace_header)? {
        let start = table.require("Start_Timestamp")?;
        let end = table.require("End_Timestamp")?;
        let global = table.require_axes(["Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"])?;
        let local = ["Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z"];
        let local = table.require_axes(local)?;
        let number = match table.find("Dispatch_Id") {
            Some(_) => "Dispatch_Id",
            None => "Correlation_Id",
        };
        for row in table.rows() {
            let (start, end) = (table.cell(row, start), table.cell(row, end));
            let read = |launch| {
                Ok(Launch {
                    time_s: seconds_between(start, end, &mut draft.notes)?,
                    geometry: Geometry::shaped(table.axes(row, global)?, table.axes(row, local)?),
                    ..launch
                })
            };
            let launch = launch(&table, row, kernels, number).and_then(read);
            draft.add(launch);
        }
    }
    finish(draft)
}
