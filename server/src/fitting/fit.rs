use kerncast_models::{
    Dataset, ErrorReport, FitError, HoldOut, HoldOutKey, METHODS, Method, errors, hold_out,
    warnings as warnings_of,
};
use kerncast_wire::ModelSpecification;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Table, warnings::of_hold_out};
use crate::db::fits::{Fingerprint, NewModel};

const NO_ROWS: &str =
    "leaving one row out was not done: a fit a sample would take too long for so many samples";

/// A fit that can be made.
pub(super) struct Plan {
    device: i32,
    specification: ModelSpecification,
    default_counters: bool,
    table: Table,
    code_version: String,
    /// Fits with the same one come out the same.
    pub(super) fingerprint: Fingerprint,
}

impl Plan {
    pub(super) fn new(
        device: i32,
        specification: ModelSpecification,
        default_counters: bool,
        table: Table,
    ) -> Self {
        let code_version = code_version(&specification.method);
        let parts = (
            &specification,
            default_counters,
            &code_version,
            &table.sample_ids,
        );
        let text = serde_json::to_vec(&parts).expect("names and ids have a JSON form");
        let fingerprint = Sha256::digest(text).into();
        Self {
            device,
            specification,
            default_counters,
            table,
            code_version,
            fingerprint,
        }
    }
}

/// The method of a specification's name.
pub(super) fn method(name: &str) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|method| method.name() == name)
}

/// What made a fit: the server's version, and the revision of the method.
fn code_version(name: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match method(name) {
        Some(method) => format!("{version} ({name} {})", method.revision()),
        None => version.to_owned(),
    }
}

/// Makes the fit and both its hold-outs, or finds why there is none.
pub(super) fn fit(plan: Plan) -> NewModel {
    let Plan {
        device,
        specification,
        default_counters,
        table,
        code_version,
        fingerprint,
    } = plan;
    let Table {
        dataset,
        sample_ids,
        kernels,
        mut warnings,
    } = table;
    let mut hold_outs = Vec::new();
    let refused = |error: FitError| in_words(&error, &specification.counters);
    let outcome = match (dataset, method(&specification.method)) {
        (_, None) => Err(format!("there is no method {}", specification.method)),
        (Err(error), _) => Err(error.to_string()),
        (Ok(_), _) if sample_ids.is_empty() => Err("no sample has all of the counters".to_owned()),
        (Ok(dataset), Some(method)) => {
            let fitted = method.fit(&dataset.training()).map_err(refused);
            if let Ok(fitted) = &fitted {
                warnings.extend(
                    warnings_of(&dataset, fitted)
                        .iter()
                        .map(ToString::to_string),
                );
                hold_outs = validate(&dataset, method);
                if !is_small(&dataset) {
                    warnings.push(NO_ROWS.to_owned());
                }
            }
            fitted
        }
    };
    for (hold_out, report) in &hold_outs {
        warnings.extend(of_hold_out(hold_out, report));
    }
    NewModel {
        id: Uuid::now_v7(),
        device,
        specification,
        default_counters,
        code_version,
        fingerprint,
        sample_ids,
        kernels,
        outcome,
        warnings,
        hold_outs,
    }
}

fn validate(dataset: &Dataset, method: &dyn Method) -> Vec<(HoldOut, ErrorReport)> {
    let keys: &[HoldOutKey] = match is_small(dataset) {
        true => &[HoldOutKey::Kernel, HoldOutKey::Row],
        false => &[HoldOutKey::Kernel],
    };
    let judge = |&key: &HoldOutKey| {
        let held_out = hold_out(dataset, key, method);
        let report = errors(dataset, &held_out);
        (held_out, report)
    };
    keys.iter().map(judge).collect()
}

/// Whether n fits of n rows and p counters, about (n · p)² multiplications, are done in some seconds.
fn is_small(dataset: &Dataset) -> bool {
    dataset.x().len() <= 100_000
}

/// A refusal with the counter's name in place of its column.
fn in_words(error: &FitError, counters: &[String]) -> String {
    match error {
        FitError::Spread { column, scale } => format!(
            "the standard deviation of {} comes out as {scale}: use another unit",
            counters[*column]
        ),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2};

    use super::*;

    /// The response is 1 + 2a + 3b, exactly.
    fn model(rows: usize) -> NewModel {
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let x = Array2::from_shape_fn((rows, 2), |(row, column)| match column {
            0 => (row % 1000) as f64,
            _ => (row / 7 % 13) as f64,
        });
        let y: Array1<f64> = x
            .rows()
            .into_iter()
            .map(|it| 1.0 + 2.0 * it[0] + 3.0 * it[1])
            .collect();
        let names = vec!["p:a".to_owned(), "p:b".to_owned()];
        let kernels = (0..rows).map(|row| format!("k{}", row % 4)).collect();
        let table = Table {
            dataset: Dataset::new(names.clone(), kernels, x, y),
            sample_ids: vec![Uuid::nil(); rows],
            kernels: 4,
            warnings: Vec::new(),
        };
        let specification = ModelSpecification {
            device: 1,
            provider: "p".to_owned(),
            method: "ols".to_owned(),
            counters: names,
            variant: None,
            response: "time".to_owned(),
        };
        fit(Plan::new(1, specification, false, table))
    }

    #[test]
    fn rows_are_left_out_one_by_one_while_that_takes_seconds() {
        let (few, many) = (model(40), model(50_001));
        let keys = |model: &NewModel| {
            model
                .hold_outs
                .iter()
                .map(|(it, _)| it.key)
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&few), [HoldOutKey::Kernel, HoldOutKey::Row]);
        assert_eq!(few.warnings, [] as [&str; 0]);
        assert_eq!(keys(&many), [HoldOutKey::Kernel]);
        assert_eq!(many.warnings, [NO_ROWS]);
    }
}
