//! `--on all`: a table of the devices, the fastest first.

use std::collections::BTreeSet;

use kerncast_collector::forecast::{KernelForecast, forecast_of};
use kerncast_profilers::gpus;
use kerncast_wire::Forecast;

use crate::cli::{predict::answer::ends, table, units};

/// A table for each workload, the shortest time first. Energy is time × the data sheet's power, an upper bound for a
/// launch.
pub(super) fn in_words(forecasts: &[KernelForecast]) -> String {
    let names: BTreeSet<&str> = forecasts.iter().map(|it| &*it.name).collect();
    let tables = names.into_iter().map(|name| {
        let of_name: Vec<&KernelForecast> = forecasts.iter().filter(|it| it.name == name).collect();
        let timed = of_name.iter();
        let timed = timed.filter_map(|it| Some((forecast_of(&it.prediction)?, *it)));
        let mut timed: Vec<(&Forecast, &KernelForecast)> = timed.collect();
        timed.sort_by(|(one, _), (other, _)| one.time_s.total_cmp(&other.time_s));
        let mut rows = table::new("device, time, interval, trust, energy ≤, rests on".split(", "));
        for (forecast, answer) in &timed {
            rows.add_row(row(forecast, answer));
        }
        let without = match of_name.len() - timed.len() {
            0 => String::new(),
            count => {
                let devices = units::count(count, "device");
                format!("\n{devices} without a forecast: --json says why")
            }
        };
        format!("{name}\n{rows}{without}")
    });
    units::joined(tables, "\n\n")
}

fn row(forecast: &Forecast, answer: &KernelForecast) -> [comfy_table::Cell; 6] {
    let watts = gpus::find(&answer.device_name).map(|it| it.watts);
    let energy = watts.map(|watts| format!("{:.3} J", watts * forecast.time_s));
    let rests_on = match &answer.prediction.unmeasured {
        None => "its own samples".to_owned(),
        Some(unmeasured) => format!("data sheet, {}", unmeasured.like_name),
    };
    [
        answer.on.clone().into(),
        table::number(units::time(forecast.time_s)),
        table::number_or_dash(forecast.interval.map(ends)),
        answer.prediction.trust.word.to_string().into(),
        table::number_or_dash(energy),
        rests_on.into(),
    ]
}
