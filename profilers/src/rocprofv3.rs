use std::collections::BTreeMap;

use crate::amd::{finish, kernel_name, optional_seconds, seconds_between};
use crate::count;
use crate::error::shortened;
use crate::profile::Notes;
use crate::table::{Row, Table, below};
use crate::{Error, Format, Geometry, Launch, Profile};

pub(crate) fn is_counters_header(cells: &[&str]) -> bool {
    cells.contains(&"Dispatch_Id") && cells.contains(&"Counter_Name")
}

pub(crate) fn is_trace_header(cells: &[&str]) -> bool {
    cells.contains(&"Dispatch_Id")
        && cells.contains(&"Kernel_Name")
        && !cells.contains(&"Counter_Name")
}

/// `counter_collection.csv`: a row a counter; rows of one process, agent and dispatch are a launch.
/// Older schemas lack `Accum_VGPR_Count` and name agents by number: neither is read.
pub(crate) fn parse_counters(text: &str) -> Result<Profile, Error> {
    let table = below(text, is_counters_header).ok_or(Error::Empty)??;
    let dispatch = table.require("Dispatch_Id")?;
    let kernel = table.require("Kernel_Name")?;
    let counter = table.require("Counter_Name")?;
    let value = table.require("Counter_Value")?;
    let owner = [
        table.find("Process_Id"),
        table.find("Agent_Id"),
        Some(dispatch),
    ];

    let mut notes = Notes::default();
    let mut launches: Vec<Launch> = Vec::new();
    let mut places = BTreeMap::new();
    for row in table.rows() {
        let key = owner.map(|column| column.map(|column| table.cell(row, column).text));
        let place = *places.entry(key).or_insert(launches.len());
        if place == launches.len() {
            launches.push(Launch {
                line: row.line,
                kernel: kernel_name(table.cell(row, kernel))?,
                dispatch: Some(table.cell(row, dispatch).whole()?),
                invocations: 1,
                time_s: optional_seconds(&table, row, "Start_Timestamp", "End_Timestamp")?,
                geometry: flat_geometry(&table, row)?,
                ..Launch::default()
            });
        }
        let launch = &mut launches[place];
        if kernel_name(table.cell(row, kernel))? != launch.kernel {
            return Err(table
                .cell(row, kernel)
                .wrong("the kernel of this dispatch's first row"));
        }
        let name = table.cell(row, counter).name()?;
        let Some(number) = count::read(table.cell(row, value), &name, &mut notes)? else {
            continue;
        };
        if !launch.count(Format::Rocprofv3Counters, &name, number) {
            return Err(table
                .cell(row, counter)
                .wrong("each counter once a dispatch"));
        }
    }
    finish(Format::Rocprofv3Counters, launches, notes)
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

/// `kernel_trace.csv`: a row a launch, with time and shape. HSA's grid counts work-items.
pub(crate) fn parse_trace(text: &str) -> Result<Profile, Error> {
    let table = below(text, is_trace_header).ok_or(Error::Empty)??;
    let dispatch = table.require("Dispatch_Id")?;
    let kernel = table.require("Kernel_Name")?;
    let start = table.require("Start_Timestamp")?;
    let end = table.require("End_Timestamp")?;
    let global = table.require_axes(["Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"])?;
    let local = ["Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z"];
    let local = table.require_axes(local)?;

    let mut notes = Notes::default();
    let mut launches = Vec::new();
    for row in table.rows() {
        let name = kernel_name(table.cell(row, kernel))?;
        let Some(time_s) = seconds_between(table.cell(row, start), table.cell(row, end))? else {
            notes.once(
                row.line,
                format!("`{}` left out: no time was taken", shortened(&name)),
            );
            continue;
        };
        launches.push(Launch {
            line: row.line,
            kernel: name,
            dispatch: Some(table.cell(row, dispatch).whole()?),
            invocations: 1,
            time_s: Some(time_s),
            geometry: Geometry::shaped(table.axes(row, global)?, table.axes(row, local)?),
            ..Launch::default()
        });
    }
    finish(Format::Rocprofv3Trace, launches, notes)
}
