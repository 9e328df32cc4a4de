use kerncast_models::{
    Dataset, ErrorReport, FitError, HoldOut, HoldOutKey, METHODS, Method, errors, hold_out,
    warnings as warnings_of,
};
use kerncast_wire::ModelSpecification;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Table, defaults::METHOD, warnings::of_hold_out};
use crate::db::fits::{Fingerprint, NewModel};

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

/// Of the methods that there are, those whose fits the database can hold.
pub(super) fn methods() -> impl Iterator<Item = &'static dyn Method> {
    let held = |method: &&dyn Method| method.name() == METHOD;
    METHODS.iter().copied().filter(held)
}

/// The method of a specification's name.
pub(super) fn method(name: &str) -> Option<&'static dyn Method> {
    methods().find(|method| method.name() == name)
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
    let judge = |key| {
        let held_out = hold_out(dataset, key, method);
        let report = errors(dataset, &held_out);
        (held_out, report)
    };
    [HoldOutKey::Kernel, HoldOutKey::Row].map(judge).into()
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
