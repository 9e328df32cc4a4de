//! Models from one device to another: from the source's samples of workloads that the target has run too;
//! where it has run nothing but its ceilings, from what other devices made of theirs.

mod ceilings;
mod table;

use kerncast_models::{
    Dataset, ErrorReport, HoldOut, HoldOutKey, Method,
    across::{
        ByMedianRatio, ByNearestCeiling, Demands, FromCounters, FromCountersAndTime, Paper, asked,
    },
    hold_out,
};
use kerncast_profilers::catalogue::roles;
use kerncast_wire::ModelSpecification;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{
    FittingError, defaults,
    fit::{fit_into, judged},
    gains,
};
use crate::db::{
    fits::{self, NewModel},
    pairs::{self, Device},
    training::{self, Training},
};
use table::Paired;

/// A target, a source, and the provider whose counters are the source's.
struct Pair<'a> {
    target: &'a Device,
    source: &'a Device,
    provider: &'a str,
    training: &'a Training,
}

/// A fit that can be made.
struct Plan {
    model: NewModel,
    fit: Box<dyn FnOnce(NewModel) -> NewModel + Send>,
}

/// Fits whatever new samples or ceilings of either device may change.
pub(super) async fn fit(
    connection: &mut PgConnection,
    target: i32,
    source: i32,
    provider: &str,
) -> Result<(), FittingError> {
    pairs::lock(connection, target).await?;
    let training = training::load(connection, source, provider).await?;
    let workloads: Vec<i32> = training.samples.iter().map(|it| it.workload).collect();
    let devices = pairs::devices(connection, &workloads).await?;
    let find = |id| devices.iter().find(|device| device.id == id);
    let (Some(on_target), Some(on_source)) = (find(target), find(source)) else {
        return Ok(());
    };
    let pair = Pair {
        target: on_target,
        source: on_source,
        provider,
        training: &training,
    };
    let plans = if on_target.ran.is_empty() {
        Vec::from_iter(ceilings::plan(&pair, &devices))
    } else {
        plans(&pair)
    };
    for Plan { model, fit } in plans {
        if fits::known(connection, &model.fingerprint).await?.is_none() {
            let model = spawn_blocking(move || fit(model)).await?;
            fits::store(connection, &model).await?;
        }
    }
    let gains = gains::Asked {
        device: target,
        source: Some(source),
        provider,
        training: &training,
    };
    gains::fit(connection, &gains).await
}

/// Every way there is, the plainest first: the baselines, counters alone, the paper's two experiments with
/// the paper's counters, and the source's time.
fn plans(pair: &Pair<'_>) -> Vec<Plan> {
    let volumes = counters(pair, "nnls");
    let asked = asked(&volumes, &roles(&volumes));
    let papers = counters(pair, "ols");
    let ceilings = (pair.source.ceilings, pair.target.ceilings);
    let way = |method: Box<dyn Method>, counters, with_time| Way {
        method,
        counters,
        with_time,
    };
    let mut ways: Vec<Way<'_>> = Vec::new();
    if let (Some(source), Some(target)) = ceilings {
        let demands = Demands::default();
        let nearest = ByNearestCeiling {
            source,
            target,
            demands,
        };
        ways.push(way(Box::new(nearest), &asked, true));
    }
    ways.push(way(Box::new(ByMedianRatio), &asked, true));
    ways.push(way(Box::new(FromCounters), &asked, false));
    ways.push(way(Box::new(Paper::Counters), &papers, false));
    ways.push(way(Box::new(Paper::CountersAndTime), &papers, true));
    ways.push(way(Box::new(FromCountersAndTime), &asked, true));
    let ways = (0..).zip(ways);
    ways.map(|(complexity, way)| plan(pair, way, complexity))
        .collect()
}

/// A method, the source's counters that it asks for, and whether it asks for the source's time.
struct Way<'a> {
    method: Box<dyn Method>,
    counters: &'a [String],
    with_time: bool,
}

fn plan(pair: &Pair<'_>, way: Way<'_>, complexity: i16) -> Plan {
    let Way {
        method,
        counters,
        with_time,
    } = way;
    let paired = Paired::new(pair, counters, with_time);
    let version = format!("{} {}", method.name(), method.revision());
    let model = new_model(pair, method.name(), &version, complexity, &paired);
    let fit = move |mut model: NewModel| {
        model.outcome = fit_into(&mut model, &paired.table, &*method, by_kernel);
        model
    };
    Plan {
        model,
        fit: Box::new(fit),
    }
}

/// What the method named takes of a device's own counters.
fn counters(pair: &Pair<'_>, method: &str) -> Vec<String> {
    let specification = specification(pair, method, Vec::new());
    defaults::counters(pair.training, &specification)
}

fn specification(pair: &Pair<'_>, method: &str, counters: Vec<String>) -> ModelSpecification {
    ModelSpecification {
        device: pair.target.id.into(),
        source: Some(pair.source.id.into()),
        provider: pair.provider.to_owned(),
        method: method.to_owned(),
        counters,
        variant: None,
        response: "time".to_owned(),
    }
}

/// A model without its fit.
fn new_model(
    pair: &Pair<'_>,
    method: &str,
    version: &str,
    complexity: i16,
    paired: &Paired,
) -> NewModel {
    let specification = specification(pair, method, paired.counters.clone());
    let code_version = format!("{} ({version})", env!("CARGO_PKG_VERSION"));
    let Paired {
        table,
        source_sample_ids,
        ..
    } = paired;
    // Ceilings are no part of a sample, and move the baseline.
    let ceilings = format!("{:?} {:?}", pair.source.ceilings, pair.target.ceilings);
    let parts = (
        &specification,
        &code_version,
        &table.sample_ids,
        source_sample_ids,
        ceilings,
    );
    let text = serde_json::to_vec(&parts).expect("names and ids have a JSON form");
    NewModel {
        id: Uuid::now_v7(),
        device: pair.target.id,
        source_device: Some(pair.source.id),
        specification,
        complexity,
        default_counters: true,
        code_version,
        fingerprint: Sha256::digest(text).into(),
        sample_ids: table.sample_ids.clone(),
        source_sample_ids: Some(source_sample_ids.clone()),
        global_sample_ids: None,
        kernels: table.kernels,
        outcome: Err(String::new()),
        warnings: table.warnings.clone(),
        hold_outs: Vec::new(),
        calibration: None,
        coverage: None,
        signs: None,
    }
}

/// Leaves kernels out. Fits across devices take too long to leave out more.
pub(super) fn by_kernel(dataset: &Dataset, method: &dyn Method) -> Vec<(HoldOut, ErrorReport)> {
    let held_out = hold_out(dataset, HoldOutKey::Kernel, method);
    vec![judged(dataset, held_out)]
}
