//! Whether local memory pays off: gains, forecast from the counters of variants without it.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{Dataset, GAIN_METHODS, HoldOutKey, Method, signs};
use kerncast_profilers::catalogue::roles;
use kerncast_wire::ModelSpecification;
use ndarray::{Array1, Array2};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{
    FittingError,
    across::by_kernel,
    defaults,
    fit::{fit_into, validate, version_of},
    table::{Table, flagged, in_part, lacking, newest, row},
};
use crate::db::{
    fits::{self, NewModel},
    gains::{self, GLOBAL, Gained, RESPONSE},
    training::{Training, TrainingSample},
};

/// Counts nothing that local memory would change.
const GEOMETRY: &str = "launch";

/// Whose gains, from whose counters.
pub(super) struct Asked<'a> {
    pub(super) device: i32,
    /// The device that was counted on, where that is another.
    pub(super) source: Option<i32>,
    pub(super) provider: &'a str,
    pub(super) training: &'a Training,
}

/// Fits gains by every method for them, where the device has run workloads with and without local memory.
pub(super) async fn fit(
    connection: &mut PgConnection,
    asked: &Asked<'_>,
) -> Result<(), FittingError> {
    if asked.provider == GEOMETRY {
        return Ok(());
    }
    let samples = asked.training.samples.iter();
    let workloads = samples
        .filter(|it| it.variant == GLOBAL)
        .map(|it| it.workload);
    let workloads: Vec<i32> = workloads.collect();
    let gained = gains::of_workloads(connection, asked.device, &workloads).await?;
    if gained.is_empty() {
        return Ok(());
    }
    for (complexity, method) in (0..).zip(GAIN_METHODS) {
        let (model, table) = plan(asked, *method, complexity, &gained);
        if fits::known(connection, &model.fingerprint).await?.is_none() {
            let model = spawn_blocking(move || fitted(model, &table, *method)).await?;
            fits::store(connection, &model).await?;
        }
    }
    Ok(())
}

fn fitted(mut model: NewModel, table: &Table, method: &dyn Method) -> NewModel {
    let validate = match model.source_device {
        Some(_) => by_kernel,
        None => validate,
    };
    model.outcome = fit_into(&mut model, table, method, validate);
    let by_kernel = model
        .hold_outs
        .iter()
        .find(|(held_out, _)| held_out.key == HoldOutKey::Kernel);
    model.signs = match (&table.dataset, by_kernel) {
        (Ok(dataset), Some((held_out, _))) => signs(dataset, held_out),
        _ => None,
    };
    model
}

/// A model without its fit, and what it is to be fitted to.
fn plan(
    asked: &Asked<'_>,
    method: &dyn Method,
    complexity: i16,
    gained: &BTreeMap<i32, Gained>,
) -> (NewModel, Table) {
    let mut specification = ModelSpecification {
        device: asked.device.into(),
        source: asked.source.map(i64::from),
        provider: asked.provider.to_owned(),
        method: method.name().to_owned(),
        counters: Vec::new(),
        variant: None,
        response: RESPONSE.to_owned(),
    };
    specification.counters = defaults::counters(asked.training, &specification);
    let Rows {
        table,
        global,
        source,
    } = Rows::new(asked, &specification.counters, gained);
    let code_version = version_of(method);
    let parts = (
        &specification,
        &code_version,
        &table.sample_ids,
        &global,
        &source,
    );
    let text = serde_json::to_vec(&parts).expect("names and ids have a JSON form");
    let model = NewModel {
        id: Uuid::now_v7(),
        device: asked.device,
        source_device: asked.source,
        specification,
        complexity,
        default_counters: true,
        code_version,
        fingerprint: Sha256::digest(text).into(),
        sample_ids: table.sample_ids.clone(),
        source_sample_ids: asked.source.map(|_| source),
        global_sample_ids: Some(global),
        kernels: table.kernels,
        outcome: Err(String::new()),
        warnings: table.warnings.clone(),
        hold_outs: Vec::new(),
        calibration: None,
        coverage: None,
        signs: None,
    };
    (model, table)
}

/// Counters of workloads without local memory, and the gains of these on the device.
struct Rows {
    /// Its samples are those with local memory.
    table: Table,
    /// Beside them: those without, on the device.
    global: Vec<Uuid>,
    /// And those that were counted.
    source: Vec<Uuid>,
}

impl Rows {
    fn new(asked: &Asked<'_>, counters: &[String], gained: &BTreeMap<i32, Gained>) -> Self {
        let Asked {
            source,
            provider,
            training,
            ..
        } = *asked;
        let samples = training.samples.iter();
        let both: Vec<&TrainingSample> = samples
            .filter(|it| it.variant == GLOBAL && gained.contains_key(&it.workload))
            .collect();
        let usable = both.iter().filter_map(|sample| {
            let row = row(training, counters, sample)?;
            Some((*sample, row, sample.median_s))
        });
        let (mut used, mut values, mut gains) = (Vec::new(), Vec::new(), Vec::new());
        let (mut local, mut global) = (Vec::new(), Vec::new());
        for (sample, row, own_s) in newest(usable.collect()) {
            let gained = &gained[&sample.workload];
            // On its own device what was counted is what was timed.
            let (id, without_s) = match source {
                Some(_) => (gained.global.sample, gained.global.median_s),
                None => (sample.id, own_s),
            };
            used.push(sample);
            values.extend(row);
            gains.push(gained.local.median_s / without_s);
            local.push(gained.local.sample);
            global.push(id);
        }
        let shape = (used.len(), counters.len());
        let x = Array2::from_shape_vec(shape, values).expect("rows have a value a counter");
        let kernels: Vec<String> = used.iter().map(|it| it.kernel.clone()).collect();
        let families: Vec<_> = used.iter().map(|it| it.family.clone()).collect();
        let mut warnings = lacking(training, counters, &"time".to_owned(), &both);
        warnings.extend(in_part(provider, &used));
        warnings.extend(flagged(&used));
        Self {
            source: used.iter().map(|it| it.id).collect(),
            global,
            table: Table {
                sample_ids: local,
                kernels: kernels.iter().collect::<BTreeSet<_>>().len(),
                warnings,
                dataset: Dataset::new(counters.to_vec(), kernels, x, Array1::from(gains))
                    .and_then(|dataset| dataset.with_roles(roles(counters)))
                    .and_then(|dataset| dataset.with_families(&families)),
            },
        }
    }
}
