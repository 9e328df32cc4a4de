//! Turns points into samples, so that they are stored, uploaded and fitted like all others.

use chrono::Utc;
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{Agent, Conditions, NewSample, Origin, Provenance, Reading, Workload};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{MeasuredPoints, Point, measure::SOURCE};
use crate::{
    conditions::flags,
    device::{provenance, sample_device},
};

/// The name of the kernel and of the provider.
const NAME: &str = kerncast_wire::provider::LOCAL_MEMORY;
const FAMILY: &str = "microbenchmark";

/// A sample for each point, all with the same `conditions`. The samples have no `launch` reading, so that no other
/// model learns from them.
pub fn samples(
    measured: &MeasuredPoints,
    conditions: Option<&Conditions>,
    agent: &Agent,
    device: &DeviceFacts,
) -> Vec<NewSample> {
    let source_hash = hex::encode(Sha256::digest(SOURCE));
    let sample = |point: &Point| NewSample {
        id: Uuid::now_v7(),
        measured_at: Utc::now(),
        agent: agent.clone(),
        device: sample_device(device),
        workload: Workload {
            kernel: NAME.to_owned(),
            family: Some(FAMILY.to_owned()),
            generated: false,
            variant: "local".to_owned(),
            parameters: [
                ("i", point.instructions),
                ("w", point.warps),
                ("c", point.congestion),
            ]
            .map(|(name, value)| (name.to_owned(), i64::from(value)))
            .into(),
        },
        times: point.times.clone(),
        readings: [(NAME.to_owned(), reading(point))].into(),
        conditions: conditions.cloned(),
        flags: flags(&point.times, conditions),
        provenance: Provenance {
            source_hash: Some(source_hash.clone()),
            build_options: Some(point.build_options.clone()),
            ..provenance(device)
        },
        origin: Origin::Measured,
    };
    measured.points.iter().map(sample).collect()
}

fn reading(point: &Point) -> Reading {
    let counters = [
        ("instructions", Some(f64::from(point.instructions))),
        ("warps", Some(f64::from(point.warps))),
        ("congestion", Some(f64::from(point.congestion))),
        ("product", Some(f64::from(point.product()))),
        ("cycles", point.cycles),
    ];
    let measured = |(name, value): (&str, Option<f64>)| Some((name.to_owned(), value?));
    Reading {
        counters: counters.into_iter().filter_map(measured).collect(),
        ..Reading::default()
    }
}
