use std::collections::BTreeMap;

use serde_json::Value;

use crate::Error;

const KEY: &str = "rocprofiler-sdk-tool";

/// Whether a text is what `--output-format json` writes.
pub(crate) fn is_json(text: &str) -> bool {
    let inner = text.trim_start().strip_prefix('{');
    inner.is_some_and(|inner| inner.trim_start().starts_with(&format!("\"{KEY}\"")))
}

const LAUNCH: &str = "Process_Id,Dispatch_Id,Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp";

/// The file as the table that the same tool prints: `counter_collection.csv`, or `kernel_trace.csv` where nothing was
/// counted. Launches have the lines of that table, whose parser refuses what is missing here.
pub(crate) fn as_table(text: &str) -> Result<String, Error> {
    let file: Value = serde_json::from_str(text).map_err(|error| Error::Json(error.to_string()))?;
    let (mut counters, mut times) = (Vec::new(), Vec::new());
    for process in items(&file[KEY]) {
        for counted in items(&process["callback_records"]["counter_collection"]) {
            count(process, counted, &mut counters);
        }
        for dispatch in items(&process["buffer_records"]["kernel_dispatch"]) {
            let [grid, group] = shape(dispatch).map(|axes| axes.map(plain).join(","));
            times.push(format!("{},{grid},{group}", launch(process, dispatch)));
        }
    }
    let (columns, rows) = match counters.is_empty() {
        false => (
            "Grid_Size,Workgroup_Size,Counter_Name,Counter_Value",
            counters,
        ),
        true => (
            "Grid_Size_X,Grid_Size_Y,Grid_Size_Z,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z",
            times,
        ),
    };
    Ok(format!("{LAUNCH},{columns}\n{}\n", rows.join("\n")))
}

/// A row a counter, which is the sum over the units that counted it.
fn count(process: &Value, counted: &Value, rows: &mut Vec<String>) {
    let mut sums: BTreeMap<u64, f64> = BTreeMap::new();
    for record in items(&counted["records"]) {
        let counter = record["counter_id"]["handle"].as_u64();
        if let (Some(counter), Some(value)) = (counter, record["value"].as_f64()) {
            *sums.entry(counter).or_default() += value;
        }
    }
    let dispatch = &counted["dispatch_data"];
    let [grid, group] = shape(dispatch).map(|axes| {
        let sizes = axes.map(|axis| axis.as_u64().unwrap_or_default());
        sizes.into_iter().fold(1, u64::saturating_mul)
    });
    let launch = launch(process, dispatch);
    for (counter, value) in sums {
        let mut counters = items(&process["counters"]);
        let name = counters.find(|it| it["id"]["handle"] == counter);
        let name = plain(name.map_or(&Value::Null, |it| &it["name"]));
        rows.push(format!("{launch},{grid},{group},{name},{value}"));
    }
}

/// The columns of [`LAUNCH`].
fn launch(process: &Value, dispatch: &Value) -> String {
    let info = &dispatch["dispatch_info"];
    let mut symbols = items(&process["kernel_symbols"]);
    let symbol = symbols.find(|it| it["kernel_id"] == info["kernel_id"]);
    let cells = [
        &process["metadata"]["pid"],
        &info["dispatch_id"],
        &info["agent_id"]["handle"],
        symbol.map_or(&Value::Null, |it| &it["formatted_kernel_name"]),
        &dispatch["start_timestamp"],
        &dispatch["end_timestamp"],
    ];
    cells.map(plain).join(",")
}

/// Work-items of the launch and of a work-group, by dimension.
fn shape(dispatch: &Value) -> [[&Value; 3]; 2] {
    ["grid_size", "workgroup_size"].map(|size| {
        let axes = &dispatch["dispatch_info"][size];
        ["x", "y", "z"].map(|axis| &axes[axis])
    })
}

fn items(list: &Value) -> std::slice::Iter<'_, Value> {
    list.as_array().map_or(&[][..], Vec::as_slice).iter()
}

/// A cell of a table.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        other => other.to_string(),
    }
}
