//! A GPU with few kernels of its own learns from another's samples, as if it had run them itself.

use std::collections::BTreeSet;

use kerncast_models::{ByWaves, Method};
use kerncast_profilers::{catalogue::roles, gpus};
use kerncast_wire::Facts;
use ndarray::ArrayView1;

use crate::{Input, Question, Sample, Samples, Training, approaches::default_counters};

/// Number of kernels of its own, generated ones aside, with which a device needs no other's samples.
pub const ENOUGH_KERNELS: usize = 40;

/// Another GPU's samples.
#[derive(Clone, Debug)]
pub struct Lender {
    /// The device's number.
    pub device: i64,
    /// The device's samples.
    pub samples: Samples,
    /// The data sheets of the GPU that lends and of the GPU that borrows.
    pub facts: [&'static Facts; 2],
}

/// The device that lends to the GPU `name`, and the data sheets of both. Out of `others` (number, name, kernels) it is
/// the one with the most kernels among those of the same architecture that have enough. How far off a conversion
/// between architectures is, nobody has measured.
#[must_use]
pub fn lender<'a>(
    name: &str,
    others: impl IntoIterator<Item = (i64, &'a str, usize)>,
) -> Option<(i64, [&'static Facts; 2])> {
    let facts = gpus::find(name)?;
    let others = others.into_iter().filter(|it| it.2 >= ENOUGH_KERNELS);
    let with_facts =
        others.filter_map(|(id, name, kernels)| Some((id, gpus::find(name)?, kernels)));
    let alike = with_facts.filter(|(_, other, _)| other.architecture == facts.architecture);
    let most = alike.max_by_key(|it| it.2);
    most.map(|(id, from, _)| (id, [from, facts]))
}

impl Samples {
    /// Adds the lender's samples of kernels that people wrote, except of workloads that are here. Their times are
    /// multiplied by the forecast for this GPU ÷ the forecast for the lender. Both forecasts come from costs fitted to
    /// the lender's samples, with each GPU's data sheet, so that errors which both share cancel. Adds nothing where the
    /// lender's samples make no such fit.
    pub fn borrow(&mut self, lender: &Lender, provider: &str) {
        let (lent, [from, to]) = (&lender.samples, lender.facts);
        let question = Question::own_time(lender.device, provider);
        let counters = default_counters(&question, lent, &ByWaves);
        let roles = roles(&counters);
        if !ByWaves.suits(&roles) {
            return;
        }
        let training = Training::new(&question, lent, &counters, Input::Counters);
        let dataset = training.dataset.ok();
        let fitted = dataset.and_then(|it| ByWaves.fit(&it.rows()).ok());
        let Some((lenders, own)) = fitted.and_then(|lenders| {
            let own = lenders.for_other_gpu(&roles, from, to)?;
            Some((lenders, own))
        }) else {
            return;
        };
        let own_workloads: BTreeSet<i32> = self.counted.iter().map(|it| it.workload).collect();
        let revision = self.newest_revision(provider);
        for sample in &lent.counted {
            let values = counters.iter().map(|it| lent.value(sample, it));
            let Some(values) = values.collect::<Option<Vec<f64>>>() else {
                continue;
            };
            let is_other = lent.revision(sample, provider) != revision;
            if sample.generated || is_other || own_workloads.contains(&sample.workload) {
                continue;
            }
            let row = ArrayView1::from(&values);
            let factor = own.predict(row) / lenders.predict(row);
            if factor.is_normal() {
                self.borrowed.insert(sample.id, factor);
                self.counted.push(Sample {
                    median_s: factor * sample.median_s,
                    ..sample.clone()
                });
            }
        }
        self.lender = Some(from.name.clone());
        self.counted.sort_by_key(|it| it.id);
    }
}
