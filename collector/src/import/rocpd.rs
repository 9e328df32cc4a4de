//! rocprofv3's database (rocpd): what it counted and timed, as the tables that the same tool prints.

use rusqlite::{Connection, MAIN_DB, Rows, types::ValueRef};

/// How a file of SQLite begins.
pub(super) const SQLITE: &[u8] = b"SQLite format 3\0";

/// A row a counter of a launch. Counters' values are sums over the units that counted them.
const COUNTERS: &str = "
    SELECT pid AS Process_Id, dispatch_id AS Dispatch_Id, agent_abs_index AS Agent_Id, kernel_name AS Kernel_Name,
        start AS Start_Timestamp, \"end\" AS End_Timestamp, grid_size AS Grid_Size, workgroup_size AS Workgroup_Size,
        counter_name AS Counter_Name, value AS Counter_Value
    FROM counters_collection ORDER BY pid, dispatch_id";

/// A row a launch.
const TIMES: &str = "
    SELECT dispatch.pid AS Process_Id, dispatch.dispatch_id AS Dispatch_Id, dispatch.agent_id AS Agent_Id,
        symbol.display_name AS Kernel_Name, dispatch.start AS Start_Timestamp, dispatch.\"end\" AS End_Timestamp,
        grid_size_x AS Grid_Size_X, grid_size_y AS Grid_Size_Y, grid_size_z AS Grid_Size_Z,
        workgroup_size_x AS Workgroup_Size_X, workgroup_size_y AS Workgroup_Size_Y, workgroup_size_z AS Workgroup_Size_Z
    FROM rocpd_kernel_dispatch AS dispatch JOIN rocpd_info_kernel_symbol AS symbol
        ON symbol.id = dispatch.kernel_id AND symbol.guid = dispatch.guid
    ORDER BY dispatch.pid, dispatch.dispatch_id";

/// The launches that it counted, or those that it timed where it counted none, as a table. None where the database is
/// of another program.
pub(super) fn as_table(database: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_read_exact(MAIN_DB, database, database.len(), true)?;
    let is_there = |name: &str| {
        let query = "SELECT 1 FROM sqlite_schema WHERE name = ?1";
        connection.prepare(query)?.exists([name])
    };
    if !is_there("counters_collection")? && !is_there("rocpd_kernel_dispatch")? {
        return Ok(None);
    }
    let counters = match is_there("counters_collection")? {
        true => print(&connection, COUNTERS)?,
        false => None,
    };
    match counters {
        Some(table) => Ok(Some(table)),
        None => print(&connection, TIMES),
    }
}

/// A query's answer as CSV; none where it has no rows.
fn print(connection: &Connection, query: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut statement = connection.prepare(query)?;
    let columns = statement.column_names().join(",");
    let width = statement.column_count();
    let mut lines = vec![columns];
    let mut rows: Rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let cells = (0..width).map(|column| Ok(cell(row.get_ref(column)?)));
        let cells: rusqlite::Result<Vec<String>> = cells.collect();
        lines.push(cells?.join(","));
    }
    lines.push(String::new());
    Ok((lines.len() > 2).then(|| lines.join("\n").into_bytes()))
}

fn cell(value: ValueRef) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            let text = String::from_utf8_lossy(text).replace('"', "\"\"");
            format!("\"{text}\"")
        }
    }
}
