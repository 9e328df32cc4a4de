use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Error;

const KEY: &str = "\"rocprofiler-sdk-tool\"";

/// Whether a text is what `--output-format json` writes.
pub(crate) fn is_json(text: &str) -> bool {
    let inner = text.trim_start().strip_prefix('{');
    inner.is_some_and(|inner| inner.trim_start().starts_with(KEY))
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "rocprofiler-sdk-tool")]
    processes: Vec<Process>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Process {
    metadata: Metadata,
    counters: Vec<Counter>,
    kernel_symbols: Vec<Symbol>,
    callback_records: Counted,
    buffer_records: Traced,
}

#[derive(Default, Deserialize)]
struct Metadata {
    pid: Option<u64>,
}

#[derive(Deserialize)]
struct Counter {
    id: Handle,
    name: String,
}

#[derive(Deserialize)]
struct Handle {
    handle: u64,
}

#[derive(Deserialize)]
struct Symbol {
    kernel_id: u64,
    formatted_kernel_name: Option<String>,
}

#[derive(Default, Deserialize)]
struct Counted {
    #[serde(default)]
    counter_collection: Vec<Collection>,
}

#[derive(Deserialize)]
struct Collection {
    dispatch_data: Dispatch,
    records: Vec<Record>,
}

#[derive(Deserialize)]
struct Record {
    counter_id: Handle,
    value: f64,
}

#[derive(Default, Deserialize)]
struct Traced {
    #[serde(default)]
    kernel_dispatch: Vec<Dispatch>,
}

#[derive(Deserialize)]
struct Dispatch {
    start_timestamp: u64,
    end_timestamp: u64,
    dispatch_info: Info,
}

#[derive(Deserialize)]
struct Info {
    kernel_id: u64,
    dispatch_id: u64,
    agent_id: Handle,
    grid_size: Axes,
    workgroup_size: Axes,
}

#[derive(Clone, Copy, Deserialize)]
struct Axes {
    x: u64,
    y: u64,
    z: u64,
}

/// The file as the table that the same tool prints: `counter_collection.csv`, or `kernel_trace.csv` where nothing was
/// counted. Launches have the lines of that table.
pub(crate) fn as_table(text: &str) -> Result<String, Error> {
    let file: File = serde_json::from_str(text).map_err(|error| Error::Json(error.to_string()))?;
    let is_counted = |process: &Process| !process.callback_records.counter_collection.is_empty();
    let (header, print): (_, fn(&Process, &mut Vec<String>)) =
        match file.processes.iter().any(is_counted) {
            true => (COUNTERS, Process::print_counters),
            false => (TRACE, Process::print_times),
        };
    let mut rows = vec![header.to_owned()];
    file.processes.iter().for_each(|it| print(it, &mut rows));
    rows.push(String::new());
    Ok(rows.join("\n"))
}

const COUNTERS: &str = "Process_Id,Dispatch_Id,Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp,Grid_Size,\
                        Workgroup_Size,Counter_Name,Counter_Value";
const TRACE: &str = "Process_Id,Dispatch_Id,Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp,Grid_Size_X,\
                     Grid_Size_Y,Grid_Size_Z,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z";

impl Process {
    /// Each counter is the sum over the units that counted it.
    fn print_counters(&self, rows: &mut Vec<String>) {
        let names = self.counters.iter();
        let names: BTreeMap<u64, &str> = names.map(|it| (it.id.handle, &*it.name)).collect();
        for Collection {
            dispatch_data,
            records,
        } in &self.callback_records.counter_collection
        {
            let mut sums: BTreeMap<u64, f64> = BTreeMap::new();
            for record in records {
                *sums.entry(record.counter_id.handle).or_default() += record.value;
            }
            let info = &dispatch_data.dispatch_info;
            let [grid, group] = [info.grid_size, info.workgroup_size].map(Axes::product);
            for (counter, value) in sums {
                let name = quoted(names.get(&counter).copied().unwrap_or_default());
                let launch = self.launch(dispatch_data);
                rows.push(format!("{launch},{grid},{group},{name},{value}"));
            }
        }
    }

    fn print_times(&self, rows: &mut Vec<String>) {
        for dispatch in &self.buffer_records.kernel_dispatch {
            let info = &dispatch.dispatch_info;
            let [grid, group] = [info.grid_size, info.workgroup_size]
                .map(|Axes { x, y, z }| format!("{x},{y},{z}"));
            rows.push(format!("{},{grid},{group}", self.launch(dispatch)));
        }
    }

    /// The columns that both tables have. A kernel without a name is refused by the table's parser.
    fn launch(&self, dispatch: &Dispatch) -> String {
        let (start, end) = (dispatch.start_timestamp, dispatch.end_timestamp);
        let info = &dispatch.dispatch_info;
        let mut symbols = self.kernel_symbols.iter();
        let symbol = symbols.find(|it| it.kernel_id == info.kernel_id);
        let kernel = symbol.and_then(|it| it.formatted_kernel_name.as_deref());
        let kernel = quoted(kernel.unwrap_or_default());
        let pid = self
            .metadata
            .pid
            .map_or(String::new(), |pid| pid.to_string());
        let (number, agent) = (info.dispatch_id, info.agent_id.handle);
        format!("{pid},{number},{agent},{kernel},{start},{end}")
    }
}

impl Axes {
    fn product(self) -> u64 {
        self.x.saturating_mul(self.y).saturating_mul(self.z)
    }
}

/// A cell of a table.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
