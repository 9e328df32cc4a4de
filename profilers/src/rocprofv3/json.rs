//! rocprofv3's JSON, printed as the table that the same tool writes.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::Error;
use crate::table::{LONGEST_CELL, LONGEST_TITLE};

const TOOL_KEY: &str = "rocprofiler-sdk-tool";

/// Whether a text is the output of `--output-format json`.
pub(crate) fn is_json(text: &str) -> bool {
    let inner = text.trim_start().strip_prefix('{');
    inner.is_some_and(|inner| inner.trim_start().starts_with(&format!("\"{TOOL_KEY}\"")))
}

const LAUNCH_COLUMNS: &str =
    "Process_Id,Dispatch_Id,Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp";

/// The most bytes of kernels' names over all launches.
const MOST_NAME_BYTES: usize = 1 << 30;

/// The file as a table of the same tool: `counter_collection.csv`, or `kernel_trace.csv` where nothing was counted.
/// Lines of launches are lines of that table, whose parser refuses missing values.
pub(super) struct Printed {
    pub(super) table: String,
    pub(super) is_counted: bool,
    /// Names of kernels; the table has indices into this list, so that a long name does not take room in each row.
    pub(super) kernels: Vec<String>,
}

/// Prints the file as a table; see [`Printed`].
pub(super) fn print(text: &str) -> Result<Printed, Error> {
    let file: Value = serde_json::from_str(text).map_err(|error| Error::Json(error.to_string()))?;
    let (mut kernels, mut counters, mut times) = (Vec::new(), Vec::new(), Vec::new());
    let mut bytes_left = MOST_NAME_BYTES;
    for item in items(&file[TOOL_KEY]) {
        let process = Process::new(item, &mut kernels)?;
        for counted in items(&item["callback_records"]["counter_collection"]) {
            bytes_left = process.left_of_names(&counted["dispatch_data"], &kernels, bytes_left)?;
            process.count(counted, &mut counters);
        }
        for dispatch in items(&item["buffer_records"]["kernel_dispatch"]) {
            bytes_left = process.left_of_names(dispatch, &kernels, bytes_left)?;
            let [grid, group] = shape(dispatch).map(|axes| axes.map(number).join(","));
            times.push(format!("{},{grid},{group}", process.launch(dispatch)));
        }
    }
    let is_counted = !counters.is_empty();
    let (columns, rows) = if is_counted {
        (
            "Grid_Size,Workgroup_Size,Counter_Name,Counter_Value",
            counters,
        )
    } else {
        (
            "Grid_Size_X,Grid_Size_Y,Grid_Size_Z,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z",
            times,
        )
    };
    Ok(Printed {
        table: format!("{LAUNCH_COLUMNS},{columns}\n{}\n", rows.join("\n")),
        is_counted,
        kernels,
    })
}

/// The common parts of a process's launches.
struct Process<'f> {
    pid: String,
    /// Names of counters by handle.
    counters: HashMap<u64, &'f str>,
    /// Indices in the list of all kernels, by kernel id.
    kernels: HashMap<u64, usize>,
}

impl<'f> Process<'f> {
    fn new(process: &'f Value, kernels: &mut Vec<String>) -> Result<Self, Error> {
        let mut new = Self {
            pid: number(&process["metadata"]["pid"]),
            counters: HashMap::new(),
            kernels: HashMap::new(),
        };
        for counter in items(&process["counters"]) {
            let handle = counter["id"]["handle"].as_u64();
            if let (Some(handle), Some(name)) = (handle, counter["name"].as_str()) {
                let name = at_most(name, LONGEST_TITLE)?;
                new.counters.entry(handle).or_insert(name);
            }
        }
        for symbol in items(&process["kernel_symbols"]) {
            let (id, name) = (&symbol["kernel_id"], &symbol["formatted_kernel_name"]);
            if let (Some(id), Some(name)) = (id.as_u64(), name.as_str()) {
                let name = at_most(name, LONGEST_CELL)?;
                new.kernels.entry(id).or_insert(kernels.len());
                kernels.push(name.to_owned());
            }
        }
        Ok(new)
    }

    /// Adds a row for each counter, summed over the units that counted it.
    fn count(&self, counted: &Value, rows: &mut Vec<String>) {
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
        let launch = self.launch(dispatch);
        for (counter, value) in sums {
            let name = self.counters.get(&counter).copied().unwrap_or_default();
            let name = name.replace('"', "\"\"");
            rows.push(format!("{launch},{grid},{group},\"{name}\",{value}"));
        }
    }

    /// The cells of the columns in [`LAUNCH_COLUMNS`].
    fn launch(&self, dispatch: &Value) -> String {
        let info = &dispatch["dispatch_info"];
        let kernel = self.kernel(dispatch).map(|place| place.to_string());
        [
            self.pid.clone(),
            number(&info["dispatch_id"]),
            number(&info["agent_id"]["handle"]),
            kernel.unwrap_or_default(),
            number(&dispatch["start_timestamp"]),
            number(&dispatch["end_timestamp"]),
        ]
        .join(",")
    }

    fn kernel(&self, dispatch: &Value) -> Option<usize> {
        let id = dispatch["dispatch_info"]["kernel_id"].as_u64()?;
        self.kernels.get(&id).copied()
    }

    /// The rest of `bytes_left` after this launch's name; an error where none is left.
    fn left_of_names(
        &self,
        dispatch: &Value,
        kernels: &[String],
        bytes_left: usize,
    ) -> Result<usize, Error> {
        let name = self
            .kernel(dispatch)
            .map_or(0, |place| kernels[place].len());
        bytes_left.checked_sub(name).ok_or_else(|| {
            Error::Json(
                "kernels' names of more than 1 GiB in all launches: split the file".to_owned(),
            )
        })
    }
}

/// The trimmed name; an error where it is longer than a table allows.
fn at_most(name: &str, longest: usize) -> Result<&str, Error> {
    let name = name.trim();
    if name.len() <= longest {
        return Ok(name);
    }
    Err(Error::Json(format!(
        "a name of {} bytes, expected at most {longest}",
        name.len()
    )))
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

/// A number as a table's cell; empty where the value is no number.
fn number(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}
