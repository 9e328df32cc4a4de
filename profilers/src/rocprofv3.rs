mod json;

use std::collections::BTreeMap;

use crate::amd::{finish, kernel_name, optional_seconds, seconds_between};
use crate::cell::Cell;
use crate::profile::Notes;
use crate::reading::ProfileReader;
use crate::table::Row;
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
    fn cell(self, row: Row<'t>) -> Result<Cell<'t>, Error> {
        let cell = row.require("Kernel_Name")?;
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
    let mut reader = ProfileReader::new(Format::Rocprofv3Counters);
    for table in reader.tables(text, is_counters_header)? {
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
            let key = owner.map(|column| column.map(|column| row.cell(column).text));
            let place = *places.entry(key).or_insert(launches.len());
            if place == launches.len() {
                launches.push(counted_launch(row, kernels, &mut reader.notes));
            }
            if let Ok(launch) = &mut launches[place]
                && let Err(reason) = count_row(row, kernels, launch, &mut reader.notes)
            {
                launches[place] = Err(reason);
            }
        }
        launches.into_iter().for_each(|launch| reader.add(launch));
    }
    finish(reader)
}

/// The launch that its first row of counters describes.
fn counted_launch(row: Row, kernels: Kernels, notes: &mut Notes) -> Result<Launch, Error> {
    let time_s = optional_seconds(row, "Start_Timestamp", "End_Timestamp", notes)?;
    let geometry = match (row.find("Grid_Size"), row.find("Workgroup_Size")) {
        (Some(grid), Some(group)) => Geometry::flat(grid.whole()?, group.whole()?),
        _ => None,
    };
    Ok(Launch {
        time_s,
        geometry,
        ..launch(row, kernels, "Dispatch_Id")?
    })
}

/// The launch that a row belongs to.
fn launch(row: Row, kernels: Kernels, number: &'static str) -> Result<Launch, Error> {
    let kernel = kernel_name(kernels.cell(row)?)?;
    Ok(Launch {
        gpu: row.text("Agent_Id"),
        process: row.text("Process_Id"),
        dispatch: Some(row.require(number)?.whole()?),
        ..Launch::new(row.line(), kernel)
    })
}

fn count_row(
    row: Row,
    kernels: Kernels,
    launch: &mut Launch,
    notes: &mut Notes,
) -> Result<(), Error> {
    let kernel = kernels.cell(row)?;
    if kernel_name(kernel)? != launch.kernel {
        return Err(kernel.wrong("the kernel of this dispatch's first row"));
    }
    let counter = row.require("Counter_Name")?;
    let name = counter.name()?;
    let value = row.require("Counter_Value")?;
    if let Some(number) = notes.read_count(value, &name)?
        && !launch.count(Format::Rocprofv3Counters, &name, number)
    {
        return Err(counter.wrong("each counter once a dispatch"));
    }
    Ok(())
}

/// Reads `kernel_trace.csv`: a row for each launch, with time and shape. HSA's grid counts work-items.
pub(crate) fn parse_trace(text: &str) -> Result<Profile, Error> {
    trace(text, Kernels::Named)
}

fn trace(text: &str, kernels: Kernels) -> Result<Profile, Error> {
    let mut reader = ProfileReader::new(Format::Rocprofv3Trace);
    for table in reader.tables(text, is_trace_header)? {
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
            let (start, end) = (row.cell(start), row.cell(end));
            let read = |launch| {
                Ok(Launch {
                    time_s: seconds_between(start, end, &mut reader.notes)?,
                    geometry: Geometry::shaped(row.axes(global)?, row.axes(local)?),
                    ..launch
                })
            };
            let launch = launch(row, kernels, number).and_then(read);
            reader.add(launch);
        }
    }
    finish(reader)
}
