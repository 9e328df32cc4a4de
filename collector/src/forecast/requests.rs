//! Requests for many counter sets, each small enough for the server.

use anyhow::Result;
use kerncast_profilers::{Launch, parse_bytes};
use kerncast_wire::{
    FileNote, Measured, NamedCounterSet, PredictionRequest, Predictions,
    limits::{MOST_BODY_BYTES, MOST_FILE_CELLS, MOST_PREDICTIONS},
};

use crate::{UsageError, client::Client, device_choice::target::name_devices_in_error};

/// The most bytes of the sets in one request, with room for the rest of it.
const MAX_SET_BYTES: usize = MOST_BODY_BYTES / 4 * 3;

/// The number of devices that are asked for, at least one.
fn target_count(wishes: &PredictionRequest) -> usize {
    let devices = wishes.devices.as_ref().map_or(0, Vec::len);
    (devices + wishes.gpus.as_ref().map_or(0, Vec::len)).max(1)
}

/// Forecasts of a profiler's file. The file is sent whole, or set by set if it is too large for the server.
pub fn predict_file(
    server: &Client,
    text: &[u8],
    wishes: &PredictionRequest,
) -> Result<Predictions> {
    let count = |marks: &[u8]| text.iter().filter(|byte| marks.contains(byte)).count();
    let is_small = text.len() <= MAX_SET_BYTES
        && count(b"\n\r") <= MOST_PREDICTIONS / target_count(wishes)
        && count(b",;\t\n\r") <= MOST_FILE_CELLS;
    if is_small {
        return name_devices_in_error(server, server.predict_file(text, wishes));
    }
    let profile = parse_bytes(text).map_err(|error| UsageError(error.to_string()))?;
    let launches = profile.launches.into_iter();
    let sets = launches.map(|it| counter_set(it, wishes));
    let notes = profile.notes.into_iter().map(FileNote::from);
    let mut answer = Predictions {
        predictions: Vec::new(),
        notes: notes.collect(),
    };
    predict_sets(server, sets.collect(), wishes, &mut answer)?;
    Ok(answer)
}

fn counter_set(launch: Launch, wishes: &PredictionRequest) -> NamedCounterSet {
    let is_elsewhere = wishes.counted_on.is_some();
    let time_s = launch.time_s;
    let measured = time_s.map(|time_s| Measured {
        device: None,
        time_s,
    });
    NamedCounterSet {
        name: Some(launch.title()),
        counters: launch.counter_set(),
        time_s: time_s.filter(|_| is_elsewhere),
        measured: measured.filter(|_| !is_elsewhere),
    }
}

/// Adds the forecasts of all sets to `answer`, with as many requests as needed.
pub(super) fn predict_sets(
    server: &Client,
    sets: Vec<NamedCounterSet>,
    wishes: &PredictionRequest,
    answer: &mut Predictions,
) -> Result<()> {
    for batch in batches(sets, MOST_PREDICTIONS / target_count(wishes), MAX_SET_BYTES)? {
        let request = PredictionRequest {
            counter_sets: Some(batch),
            ..wishes.clone()
        };
        let before = answer.predictions.last().map_or(0, |it| it.counter_set + 1);
        let batch = name_devices_in_error(server, server.predict(&request))?;
        for mut prediction in batch.predictions {
            prediction.counter_set += before;
            answer.predictions.push(prediction);
        }
    }
    Ok(())
}

/// The sets in order, in batches of at most `most` sets and `bytes` bytes; a larger set is a batch of its own.
fn batches(
    sets: Vec<NamedCounterSet>,
    most: usize,
    bytes: usize,
) -> serde_json::Result<Vec<Vec<NamedCounterSet>>> {
    let mut batches: Vec<Vec<NamedCounterSet>> = Vec::new();
    let mut filled = usize::MAX;
    for set in sets {
        let own = serde_json::to_vec(&set)?.len() + 1;
        let has_room =
            |batch: &&mut Vec<_>| batch.len() < most && filled.saturating_add(own) <= bytes;
        match batches.last_mut().filter(has_room) {
            Some(batch) => {
                batch.push(set);
                filled += own;
            }
            None => {
                batches.push(vec![set]);
                filled = own;
            }
        }
    }
    Ok(batches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_hold_no_more_than_the_server_takes() {
        let set = |counters: u32| {
            let counters = (0..counters).map(|n| (format!("c{n}"), 1.0)).collect();
            NamedCounterSet {
                name: None,
                counters: [("ncu".to_owned(), counters)].into(),
                time_s: None,
                measured: None,
            }
        };
        let sizes = |sets: Vec<NamedCounterSet>| -> Vec<usize> {
            let batches = batches(sets, 3, 200).expect("JSON");
            batches.iter().map(Vec::len).collect()
        };
        assert_eq!(sizes(vec![set(1); 7]), [3, 3, 1]);
        assert_eq!(sizes(vec![set(9), set(9), set(1)]), [1, 2]);
        assert_eq!(sizes(vec![set(100), set(1)]), [1, 1]);
        assert_eq!(sizes(Vec::new()), [] as [usize; 0]);
    }
}
