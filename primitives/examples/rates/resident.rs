//! Launches alone, of data that lie in device memory, beside CUB's in the same run (bench/cub.cu).

use std::process::Command;

use kerncast_opencl::OpenClDevice;
use kerncast_primitives::{Options, Sink, Source, Streamer, Work};
use serde_json::{Value, json};

use crate::{
    Arguments, Done,
    arrays::{Array, fill},
    by_work, measured, say,
};

/// Each in one chunk; of a report only the launches' own time counts, by their events, so that what lies between two launches
/// does not. CUB's time is from event to event around a call.
pub(crate) fn measure(device: &OpenClDevice, arguments: &Arguments, cub: &str) -> Done<()> {
    let bytes = usize::try_from(arguments.bytes)? / 8 * 8;
    let elements = bytes / 4;
    let options = Options {
        chunk_bytes: arguments.bytes,
        slots: 1,
        map: false,
        ..Options::new(arguments.device_memory)
    };
    let mut streamer = Streamer::new(device.clone(), options)?;
    let [mut a, mut b] = [Array::pageable(bytes), Array::pageable(bytes)];
    fill(a.slice_mut::<u32>());
    let repeats = arguments.repeats.to_string();
    let ran = Command::new(cub)
        .args([&elements.to_string(), &repeats])
        .output()?;
    if !ran.status.success() {
        return Err(format!("{cub}: {}", String::from_utf8_lossy(&ran.stderr)).into());
    }
    for line in String::from_utf8(ran.stdout)?.lines() {
        let cub: Value = serde_json::from_str(line)?;
        let what = cub["what"].as_str().ok_or("what it was")?.to_owned();
        let (mut seconds, mut chunks) = (Vec::new(), 0);
        for _ in 0..=arguments.repeats {
            let (from, to) = (a.slice::<u32>(), b.slice_mut::<u32>());
            let (from, to) = (Source::slice(from), Sink::slice(to));
            let work = match &*what {
                "reduce" => Work::Reduce,
                "scan" => Work::Scan,
                _ => Work::Sort,
            };
            let report = by_work(&mut streamer, work, from, to)?;
            seconds.push(report.trips.iter().map(|it| it.busy.device).sum());
            chunks = report.trips[0].plan.chunks;
        }
        let mut ours = measured(&what, "resident", arguments.bytes, seconds.split_off(1));
        let ratio = cub["median"].as_f64().zip(ours["median"].as_f64());
        ours["chunks"] = json!(chunks);
        ours["of_cub"] = json!(ratio.map(|(cub, ours)| cub / ours));
        ours["cub"] = cub;
        say(&ours)?;
    }
    Ok(())
}
