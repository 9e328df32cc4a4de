//! rocprofv3's database (rocpd): what it counted and timed, as the tables that the same tool prints.

use rusqlite::{Connection, MAIN_DB, OptionalExtension, Rows, types::ValueRef};

/// How a file of SQLite begins.
pub(super) const SQLITE: &[u8] = b"SQLite format 3\0";

/// A row a counter of a launch. Counters' values are sums over the units that counted them. Both read views, which stay
/// the same where the tables below them change.
const COUNTERS: (&str, &str) = (
    "counters_collection",
    "kernel_name AS Kernel_Name, grid_size AS Grid_Size, workgroup_size AS Workgroup_Size, counter_name AS Counter_Name,
     value AS Counter_Value",
);

/// A row a launch.
const TIMES: (&str, &str) = (
    "kernels",
    "name AS Kernel_Name, grid_x AS Grid_Size_X, grid_y AS Grid_Size_Y, grid_z AS Grid_Size_Z,
     workgroup_x AS Workgroup_Size_X, workgroup_y AS Workgroup_Size_Y, workgroup_z AS Workgroup_Size_Z",
);

/// The launches that it counted, or those that it timed where it counted none, as a table. None where the database is
/// of another program, or holds no launch.
pub(super) fn as_table(database: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_read_exact(MAIN_DB, database, database.len(), true)?;
    let counters = print(&connection, COUNTERS)?;
    counters.map_or_else(|| print(&connection, TIMES), |table| Ok(Some(table)))
}

/// A view as CSV; none where there is no such view, or nothing in it.
fn print(
    connection: &Connection,
    (view, columns): (&str, &str),
) -> rusqlite::Result<Option<Vec<u8>>> {
    // Releases call it agent_index, agent_abs_index and agent_absolute_index.
    let agent = "SELECT name FROM pragma_table_info(?1) WHERE name LIKE 'agent_%index' ORDER BY name LIMIT 1";
    let agent = connection.query_row(agent, [view], |row| row.get::<_, String>(0));
    let Some(agent) = agent.optional()? else {
        return Ok(None);
    };
    let query = format!(
        "SELECT pid AS Process_Id, dispatch_id AS Dispatch_Id, {agent} AS Agent_Id, start AS Start_Timestamp,
             \"end\" AS End_Timestamp, {columns}
         FROM {view} ORDER BY pid, dispatch_id"
    );
    let mut statement = connection.prepare(&query)?;
    let width = statement.column_count();
    let mut lines = vec![statement.column_names().join(",")];
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
