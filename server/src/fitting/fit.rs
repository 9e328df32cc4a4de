use std::sync::Arc;

use kerncast_models::{
    Calibration, Coverage, Dataset, ErrorReport, FitError, Fitted, HoldOut, HoldOutKey, METHODS,
    Method, coverage, errors, hold_out, warnings as warnings_of,
};
use kerncast_wire::ModelSpecification;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Table, warnings::of_hold_out};
use crate::db::{
    fits::{Fingerprint, NewFit, NewModel},
    stored_fit,
};

/// Whether intervals of this level hold is measured with every fit.
const LEVEL: f64 = 0.9;

/// A fit that can be made.
pub(super) struct Plan {
    pub(super) id: Uuid,
    device: i32,
    specification: ModelSpecification,
    default_counters: bool,
    table: Arc<Table>,
    code_version: String,
    /// Fits with the same one come out the same.
    pub(super) fingerprint: Fingerprint,
}

impl Plan {
    pub(super) fn new(
        device: i32,
        specification: ModelSpecification,
        default_counters: bool,
        table: Arc<Table>,
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
            id: Uuid::now_v7(),
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
    METHODS.iter().copied().find(|it| it.name() == name)
}

/// The place of a method among all, the simplest first.
fn complexity(name: &str) -> i16 {
    let place = METHODS.iter().position(|it| it.name() == name);
    place.map_or(i16::MAX, |it| i16::try_from(it).unwrap_or(i16::MAX))
}

/// What made a fit: the server's version, and the revision of the method.
pub(super) fn code_version(name: &str) -> String {
    match method(name) {
        Some(method) => version_of(method),
        None => env!("CARGO_PKG_VERSION").to_owned(),
    }
}

pub(super) fn version_of(method: &dyn Method) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} ({} {})", method.name(), method.revision())
}

/// Makes the fit and its hold-outs, or finds why there is none.
pub(super) fn fit(plan: Plan) -> NewModel {
    let Plan {
        id,
        device,
        specification,
        default_counters,
        table,
        code_version,
        fingerprint,
    } = plan;
    let mut model = NewModel {
        id,
        device,
        source_device: None,
        complexity: complexity(&specification.method),
        specification,
        default_counters,
        code_version,
        fingerprint,
        sample_ids: table.sample_ids.clone(),
        source_sample_ids: None,
        global_sample_ids: None,
        kernels: table.kernels,
        outcome: Err(String::new()),
        warnings: table.warnings.clone(),
        hold_outs: Vec::new(),
        calibration: None,
        coverage: None,
        signs: None,
    };
    let name = &model.specification.method;
    model.outcome = match method(name) {
        Some(method) => fit_into(&mut model, &table, method, validate),
        None => Err(format!("there is no method {name}")),
    };
    model
}

/// Forecasts of rows left out, and their errors.
type HeldOut = Vec<(HoldOut, ErrorReport)>;

/// Fills in what is known of the fit, and returns it.
pub(super) fn fit_into(
    model: &mut NewModel,
    table: &Table,
    method: &dyn Method,
    validate: fn(&Dataset, &dyn Method) -> HeldOut,
) -> Result<NewFit, String> {
    let counters = &model.specification.counters;
    let dataset = table.dataset.as_ref().map_err(ToString::to_string)?;
    if table.sample_ids.is_empty() {
        return Err("no sample has all of the counters".to_owned());
    }
    let fitted = method.fit(&dataset.rows());
    let fitted = fitted.map_err(|error| in_words(&error, counters))?;
    let json = stored_fit::write(&fitted).ok_or_else(|| FitError::NotFinite.to_string())?;
    let dropped = dropped(&fitted, counters);
    let known = warnings_of(dataset, &fitted);
    model.warnings.extend(known.iter().map(ToString::to_string));
    model.hold_outs = validate(dataset, method);
    for (hold_out, report) in &model.hold_outs {
        model.warnings.extend(of_hold_out(hold_out, report));
        if hold_out.key == HoldOutKey::Kernel {
            model.calibration = Some(Calibration::new(dataset, hold_out));
            match coverage(dataset, hold_out, LEVEL) {
                Ok(covered) => model.coverage = Some(covered).filter(is_finite),
                Err(why) => model.warnings.push(format!("no intervals: {why}")),
            }
        }
    }
    Ok(NewFit { json, dropped })
}

/// Leaves kernels, families and rows out.
pub(super) fn validate(dataset: &Dataset, method: &dyn Method) -> HeldOut {
    let judge = |held_out: HoldOut| judged(dataset, held_out);
    let kernel = hold_out(dataset, HoldOutKey::Kernel, method);
    // Where every kernel is its own family, leaving families out is leaving kernels out.
    let same = dataset.folds(HoldOutKey::Family) == dataset.folds(HoldOutKey::Kernel);
    let family = if same {
        HoldOut {
            key: HoldOutKey::Family,
            ..kernel.clone()
        }
    } else {
        hold_out(dataset, HoldOutKey::Family, method)
    };
    let row = hold_out(dataset, HoldOutKey::Row, method);
    [kernel, family, row].map(judge).into()
}

/// A hold-out with its errors.
pub(super) fn judged(dataset: &Dataset, held_out: HoldOut) -> (HoldOut, ErrorReport) {
    let report = errors(dataset, &held_out);
    (held_out, report)
}

pub(super) fn dropped(fitted: &Fitted, counters: &[String]) -> Vec<Option<String>> {
    let mut reasons = vec![None; counters.len()];
    for dropped in &fitted.dropped {
        reasons[dropped.column] = Some(dropped.reason.in_words(counters));
    }
    reasons
}

fn is_finite(coverage: &Coverage) -> bool {
    coverage.typical_factor.is_finite()
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
