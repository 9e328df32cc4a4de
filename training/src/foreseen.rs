//! What a profiler would count of samples, by what the source alone tells of them.

use std::collections::BTreeMap;

use kerncast_models::Foreseen;
use kerncast_profilers::catalogue;
use ndarray::Array2;

use crate::{LAUNCH, Sample, Samples};

/// The columns of a fit to a provider's counters (p), of those of its judged rows (n, in their order) that the analysis
/// knows too; none where it knows none of them. A column that is foreseen of some row is foreseen, and rows without it
/// are none of these.
pub(crate) fn foreseen(
    provider: &str,
    samples: &Samples,
    judged: &[&Sample],
    columns: &[String],
) -> Option<Foreseen> {
    let revision = samples.newest_revision(catalogue::ANALYSIS);
    let values = |sample: &&Sample| -> Vec<Option<f64>> {
        let found = match samples.revision(sample, catalogue::ANALYSIS) == revision {
            true => by_name(provider, samples, sample),
            false => BTreeMap::new(),
        };
        let value = |column: &String| match column.split_once(':')? {
            (LAUNCH, _) if !found.is_empty() => samples.value(sample, column),
            (by, name) if by == provider => found.get(name).copied(),
            _ => None,
        };
        columns.iter().map(value).collect()
    };
    let all: Vec<Vec<Option<f64>>> = judged.iter().map(values).collect();
    let is_foreseen = |column: usize| all.iter().any(|row| row[column].is_some());
    let known: Vec<bool> = (0..columns.len()).map(is_foreseen).collect();
    let is_whole = |row: &Vec<Option<f64>>| {
        known
            .iter()
            .zip(row)
            .all(|(known, value)| !known || value.is_some())
    };
    let rows: Vec<usize> = (0..all.len()).filter(|&row| is_whole(&all[row])).collect();
    if rows.is_empty() || !known.contains(&true) {
        return None;
    }
    let value = |(row, column): (usize, usize)| all[rows[row]][column].unwrap_or_default();
    let x = Array2::from_shape_fn((rows.len(), columns.len()), value);
    Some(Foreseen::new(rows, known, x))
}

/// The provider's counters of a sample as they are foreseen; empty where the analysis knows nothing of it.
fn by_name(provider: &str, samples: &Samples, sample: &Sample) -> BTreeMap<String, f64> {
    let of_analysis = samples.counters.iter().filter_map(|(counter, number)| {
        let name = counter
            .strip_prefix(catalogue::ANALYSIS)?
            .strip_prefix(':')?;
        Some((name.to_owned(), *sample.values.get(number)?))
    });
    catalogue::foreseen(provider, &of_analysis.collect())
}
