//! How far off the ratios of a method's forecasts are: kernels' variants `global` and `local`, as the server pairs them.

use std::collections::BTreeMap;

use kerncast_models::{LeftOutPair, SECOND_OPINION, Speedups};
use kerncast_training::{GLOBAL, LOCAL};
use kerncast_wire::Workload;
use uuid::Uuid;

use super::{
    judged::{Forecast, Judged},
    samples::{Key, key},
};

/// Sets each method's, with [`SECOND_OPINION`]'s forecasts beside those of the others, where that is one of them.
pub(super) fn judge(methods: &mut [Judged], workloads: &BTreeMap<Uuid, &Workload>) {
    let second = methods.iter().find(|it| it.method == SECOND_OPINION);
    let second = second.map_or(Vec::new(), |it| it.forecasts.clone());
    let second = by_workload(&second, workloads);
    for judged in methods {
        let own = by_workload(&judged.forecasts, workloads);
        let pairs = own
            .iter()
            .filter_map(|(&(kernel, variant, sizes), before)| {
                let after = own
                    .get(&(kernel, LOCAL, sizes))
                    .filter(|_| variant == GLOBAL)?;
                let of_second = |variant| second.get(&(kernel, variant, sizes))?.forecast;
                let second = of_second(GLOBAL).zip(of_second(LOCAL));
                let second = second.filter(|_| judged.method != SECOND_OPINION);
                Some(LeftOutPair {
                    kernel: kernel.to_owned(),
                    measured: before.measured / after.measured,
                    forecast: before.forecast? / after.forecast?,
                    second: second
                        .map(|(before, after)| before / after)
                        .filter(|it| *it > 0.0),
                })
            });
        judged.speedups = Speedups::new(pairs.collect()).errors();
    }
}

fn by_workload<'a>(
    forecasts: &'a [Forecast],
    workloads: &BTreeMap<Uuid, &'a Workload>,
) -> BTreeMap<Key<'a>, &'a Forecast> {
    let of = |it: &'a Forecast| Some((key(workloads.get(&it.sample)?), it));
    forecasts.iter().filter_map(of).collect()
}
