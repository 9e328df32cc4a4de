//! rocprofv3's database (rocpd): its counters and times as the tables that the same tool prints.

use std::time::{Duration, Instant};

use rusqlite::{
    Connection, Error, ErrorCode, MAIN_DB, OptionalExtension, ffi, limits::Limit, types::ValueRef,
};

/// The first bytes of a file of SQLite.
pub(super) const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// View and columns of counters: a row for each counter of a launch, its value summed over the units that counted it.
/// Views stay the same when the tables below them change.
const COUNTERS: (&str, &str) = (
    "counters_collection",
    "kernel_name AS Kernel_Name, grid_size AS Grid_Size, workgroup_size AS Workgroup_Size, counter_name AS Counter_Name,
     value AS Counter_Value",
);

/// View and columns of times: a row for each launch.
const TIMES: (&str, &str) = (
    "kernels",
    "name AS Kernel_Name, grid_x AS Grid_Size_X, grid_y AS Grid_Size_Y, grid_z AS Grid_Size_Z,
     workgroup_x AS Workgroup_Size_X, workgroup_y AS Workgroup_Size_Y, workgroup_z AS Workgroup_Size_Z",
);

/// Time limit for queries: a view can be a program that never ends.
const QUERY_LIMIT: Duration = Duration::from_secs(60);
/// The most memory that SQLite may use, the database included.
const MOST_MEMORY_BYTES: u64 = 2 << 30;
const MOST_TABLE_BYTES: usize = 1 << 30;
/// The longest value, bytes; it keeps functions of a view from working too long on one value.
const LONGEST_VALUE: i32 = 1 << 20;

/// The counted launches as a table, or the timed ones where none was counted. None where the database belongs to
/// another program or holds no launch.
pub(super) fn as_table(database: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
    within(QUERY_LIMIT, database)
}

fn within(patience: Duration, database: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(&format!(
        "PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = {MOST_MEMORY_BYTES}"
    ))?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.deserialize_read_exact(MAIN_DB, database, database.len(), true)?;
    let start = Instant::now();
    connection.progress_handler(1000, Some(move || start.elapsed() > patience))?;
    let counters = print(&connection, COUNTERS).transpose();
    let table = counters.or_else(|| print(&connection, TIMES).transpose());
    table.transpose().map_err(|error| match error {
        Error::SqliteFailure(code, _) if code.code == ErrorCode::OperationInterrupted => {
            let text = format!("its views take more than {} s", patience.as_secs());
            Error::SqliteFailure(code, Some(text))
        }
        other => other,
    })
}

/// A view as CSV; none where the view is missing or empty.
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
    let header = statement.column_names().join(",");
    let mut table = header.clone();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..width {
            table.push(if column == 0 { '\n' } else { ',' });
            table.push_str(&cell(row.get_ref(column)?));
        }
        if table.len() > MOST_TABLE_BYTES {
            let text = format!("more than {} MiB of launches", MOST_TABLE_BYTES >> 20);
            let code = ffi::Error::new(ffi::SQLITE_TOOBIG);
            return Err(Error::SqliteFailure(code, Some(text)));
        }
    }
    let is_empty = table.len() == header.len();
    table.push('\n');
    Ok((!is_empty).then(|| table.into_bytes()))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of_launches(name: &str, last: &str) -> rusqlite::Result<Option<Vec<u8>>> {
        let database = Connection::open_in_memory()?;
        database.execute_batch(&format!(
            "CREATE VIEW kernels AS
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n {last})
                SELECT 1 AS pid, i AS dispatch_id, 0 AS agent_index, 1 AS start, 2 AS \"end\", {name} AS name,
                    1 AS grid_x, 1 AS grid_y, 1 AS grid_z, 1 AS workgroup_x, 1 AS workgroup_y, 1 AS workgroup_z FROM n"
        ))?;
        within(Duration::from_secs(1), &database.serialize(MAIN_DB)?)
    }

    #[test]
    fn views_have_an_end() {
        let two = of_launches("'k'", "LIMIT 2").unwrap().unwrap();
        assert!(two.ends_with(b"\n1,1,0,1,2,\"k\",1,1,1,1,1,1\n1,2,0,1,2,\"k\",1,1,1,1,1,1\n"));
        let endless = of_launches("'k'", "").unwrap_err().to_string();
        assert_eq!(endless, "its views take more than 1 s");
        let long = of_launches("hex(zeroblob(1000000))", "LIMIT 2").unwrap_err();
        assert_eq!(long.to_string(), "string or blob too big");
    }
}
