//! Errors of the ratios of a method's forecasts, for pairs of a kernel's variants `global` and `local`, as the server
//! pairs them.

use std::collections::BTreeMap;

use kerncast_models::{LeftOutPair, SECOND_OPINION, SecondSpeedup, Speedups};
use kerncast_training::{GLOBAL, LOCAL};
use kerncast_wire::Workload;
use uuid::Uuid;

use super::{
    method_report::{Forecast, MethodReport},
    samples::{Key, key},
};

/// Sets the speedup errors of each method. `second`: forecasts of [`SECOND_OPINION`], where it applies to these
/// counters.
pub(super) fn add_errors(
    methods: &mut [MethodReport],
    second: Option<&[Forecast]>,
    workloads: &BTreeMap<Uuid, &Workload>,
) {
    let second_forecasts = second.map(|it| by_workload(it, workloads));
    for method in methods {
        let own = by_workload(&method.forecasts, workloads);
        let second = second_forecasts.as_ref();
        let second = second.filter(|_| method.method != SECOND_OPINION);
        let pairs = own.keys().filter_map(|&(kernel, variant, sizes)| {
            let keys = [(kernel, GLOBAL, sizes), (kernel, LOCAL, sizes)];
            let [before, after] = [own.get(&keys[0])?, own.get(&keys[1])?];
            let forecast = ratio(&own, keys).filter(|_| variant == GLOBAL)?;
            Some(LeftOutPair {
                kernel: kernel.to_owned(),
                measured: before.measured / after.measured,
                forecast,
                expected_error: before.doubt.max(after.doubt),
                second: SecondSpeedup::new(second.is_some(), second.and_then(|it| ratio(it, keys))),
            })
        });
        method.speedups = Speedups::new(pairs.collect()).errors();
    }
}

/// The ratio of two forecasts, where both are above 0.
fn ratio(forecasts: &BTreeMap<Key<'_>, &Forecast>, keys: [Key<'_>; 2]) -> Option<f64> {
    let [before, after] = keys.map(|key| forecasts.get(&key)?.forecast.filter(|it| *it > 0.0));
    Some(before? / after?)
}

fn by_workload<'a>(
    forecasts: &'a [Forecast],
    workloads: &BTreeMap<Uuid, &'a Workload>,
) -> BTreeMap<Key<'a>, &'a Forecast> {
    let keyed = |it: &'a Forecast| Some((key(workloads.get(&it.sample)?), it));
    forecasts.iter().filter_map(keyed).collect()
}
