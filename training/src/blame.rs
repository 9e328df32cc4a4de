use std::collections::BTreeSet;

use kerncast_models::{Contender, HoldOutKey, may_succeed};
use uuid::Uuid;

use crate::{Candidate, Fingerprint, LEVEL, Response, Samples, judge};

/// Samples that came together, such as an agent's newest upload.
#[derive(Clone, Debug)]
pub struct Group {
    /// What to call it.
    pub name: String,
    /// Its samples.
    pub samples: BTreeSet<Uuid>,
}

/// Of a candidate whose model may not succeed the one `before` it: the group of the `samples` without which it
/// may, or without which its errors are the least where several do; none where no single group is to blame.
/// Costs a fit a kernel for each group that has samples in the fit.
#[must_use]
pub fn to_blame<'a>(
    candidate: &Candidate,
    samples: &Samples,
    groups: &'a [Group],
    before: &Contender,
) -> Option<&'a Group> {
    let mut seen: BTreeSet<Fingerprint> = BTreeSet::from([candidate.fingerprint]);
    let mut least: Option<(f64, &Group)> = None;
    for group in groups {
        let mut rest = samples.clone();
        rest.counted.retain(|it| !group.samples.contains(&it.id));
        for device in rest.devices.values_mut() {
            device
                .ran
                .retain(|_, ran| !group.samples.contains(&ran.sample));
        }
        let method = candidate.method.name();
        let mut without = Candidate::all(&candidate.question, &rest).into_iter();
        let Some(without) = without.find(|it| it.method.name() == method) else {
            continue;
        };
        if !seen.insert(without.fingerprint) {
            continue;
        }
        let Some(contender) = contender(&without) else {
            continue;
        };
        let error = contender.error.unwrap_or(f64::INFINITY);
        if may_succeed(before, &contender).is_ok() && least.is_none_or(|(most, _)| error < most) {
            least = Some((error, group));
        }
    }
    least.map(|(_, group)| group)
}

/// A candidate as champions are chosen, by kernels left out; none where it has no rows.
fn contender(candidate: &Candidate) -> Option<Contender> {
    let dataset = candidate.training.dataset.as_ref().ok()?;
    let (question, method) = (&candidate.question, &*candidate.method);
    let report = judge(question, dataset, method, HoldOutKey::Kernel, LEVEL).report;
    let error = |it: kerncast_wire::Errors| match question.response {
        Response::Speedup => it.factor.map(f64::ln),
        _ => Some(it.mean_ape),
    };
    let kernels = report.kernels.into_iter();
    Some(Contender {
        all_variants: question.variant.is_none(),
        complete: report.overall.is_some_and(|it| it.unpredicted == 0),
        complexity: candidate.complexity,
        error: report.overall.and_then(error),
        kernels: kernels
            .map(|it| (it.kernel, it.errors.and_then(error)))
            .collect(),
    })
}
