//! The chunks and lanes that are chosen by forecast, beside all that could have been chosen, in one run.

use kerncast_opencl::OpenClDevice;
use kerncast_primitives::{Effort, Job, Options, Streamer, Type, Way, Work};
use serde_json::json;

use crate::{
    Arguments, Done,
    arrays::{Array, fill},
    by_work, say, timed,
};

const WORKS: [Work; 4] = [Work::Transform, Work::Reduce, Work::Scan, Work::Sort];

/// Rates are measured first. What is chosen is measured before all else, and once more after it.
pub(crate) fn measure(device: &OpenClDevice, arguments: &Arguments) -> Done<()> {
    let effort = Effort {
        host_bytes: vec![1 << 18],
        ..Effort::of(device)
    };
    let rates = kerncast_primitives::measure(device, &effort, |_| {})?;
    say(&json!({"what": "rates", "lanes": rates.lanes}))?;
    let bytes = usize::try_from(arguments.bytes)? / 8 * 8;
    let usual = Options::new(arguments.device_memory);
    let first = Streamer::new(device.clone(), usual.clone())?;
    for way in [Way::Staged, Way::Pinned] {
        let [mut a, mut b] = match way {
            Way::Pinned => [first.pinned(bytes)?, first.pinned(bytes)?].map(Array::Pinned),
            _ => [Array::pageable(bytes), Array::pageable(bytes)],
        };
        fill(a.slice_mut::<u32>());
        for work in WORKS {
            let job = Job::new(work, Type::U32, bytes as u64 / 4, way);
            let (explained, chosen) = job.best(&usual, &rates).ok_or("no plan fits")?;
            let mut tried: Vec<(Options, f64)> = Vec::new();
            for options in choices(&chosen, way, rates.threads) {
                // One at a time: a sort takes all device memory that it may have.
                let mut streamer = Streamer::new(device.clone(), options.clone())?;
                let mut seconds = timed(arguments.repeats, || {
                    let (from, to) = (a.source::<u32>(), b.sink::<u32>());
                    by_work(&mut streamer, work, from, to)
                })?;
                seconds.sort_by(f64::total_cmp);
                tried.push((options, seconds[seconds.len() / 2]));
            }
            let [first, .., last] = &tried[..] else {
                return Err("nothing was tried".into());
            };
            let chosen_s = (first.1 + last.1) / 2.0;
            let by_time = |a: &&(Options, f64), b: &&(Options, f64)| a.1.total_cmp(&b.1);
            let best = tried.iter().min_by(by_time).unwrap_or(first);
            let worst = tried.iter().max_by(by_time).unwrap_or(first);
            say(&json!({
                "what": work, "way": a.way(), "tried": tried.len(),
                "chosen": shown(&chosen), "chosen_s": [first.1, last.1],
                "forecast_s": explained.trips_s,
                "best": shown(&best.0), "best_s": best.1, "worst": shown(&worst.0), "worst_s": worst.1,
                "chosen_by_best": chosen_s / best.1,
                "all": tried.iter().map(|it| json!([it.0.lanes, it.0.chunk_bytes >> 20, it.1])).collect::<Vec<_>>(),
            }))?;
        }
    }
    Ok(())
}

/// What is chosen comes first and last.
fn choices(chosen: &Options, way: Way, threads: usize) -> Vec<Options> {
    let mut lanes = vec![threads / 4, threads / 2, threads, 2 * threads];
    if way == Way::Pinned {
        // Nothing is copied.
        lanes = vec![chosen.lanes];
    }
    let mut choices = vec![chosen.clone()];
    for lanes in lanes {
        for mib in [1, 2, 4, 8, 16, 32, 64, 128] {
            choices.push(Options {
                lanes: lanes.max(1),
                chunk_bytes: mib << 20,
                ..chosen.clone()
            });
        }
    }
    choices.push(chosen.clone());
    choices
}

fn shown(options: &Options) -> serde_json::Value {
    json!({"chunk_mib": options.chunk_bytes >> 20, "lanes": options.lanes})
}
