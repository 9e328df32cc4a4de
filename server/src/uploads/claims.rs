//! What an upload claims about others than itself, and whether its token may claim it: an agent's token speaks for its
//! own agent alone, and contradicts nothing that is stored.

use axum::http::StatusCode;
use kerncast_wire::{Agent, Device, DeviceKind, FieldProblem, NewSample, Origin, Workload};
use sqlx::PgPool;

use super::samples::CheckedSample;
use crate::{
    access::{Bearer, Rights},
    db::{
        self,
        uploads::descriptions::{Descriptions, read_descriptions},
    },
    http::{Checker, Error, fields_problem},
};

/// Systems keep a part of a device's memory for themselves, and not always the same.
const SAME_MEMORY: f64 = 0.1;

/// What an upload says of others than itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claims<'a> {
    pub(crate) agent: &'a Agent,
    pub(crate) device: &'a Device,
    pub(crate) workload: Option<&'a Workload>,
    pub(crate) origin: Origin,
}

impl<'a> Claims<'a> {
    pub(crate) fn from_sample(sample: &'a NewSample) -> Self {
        Self {
            agent: &sample.agent,
            device: &sample.device,
            workload: Some(&sample.workload),
            origin: sample.origin,
        }
    }
}

/// Turns samples down that their token may not bring.
pub(crate) async fn check_samples(
    pool: &PgPool,
    bearer: &Bearer,
    batch: &mut [CheckedSample],
) -> db::Result<()> {
    let Rights::Agent(own) = &bearer.rights else {
        return Ok(());
    };
    let arrivals = batch.iter().flat_map(|it| &it.sample);
    let stored =
        stored_descriptions(pool, arrivals.map(|it| Claims::from_sample(&it.sample))).await?;
    for checked in batch {
        if let Ok(arrival) = &checked.sample {
            let base = format!("/samples/{}", checked.index);
            let problems = Claims::from_sample(&arrival.sample).problems(&base, own, &stored);
            if !problems.is_empty() {
                checked.sample = Err(problems);
            }
        }
    }
    Ok(())
}

/// Turns an upload down that its token may not bring.
///
/// # Errors
/// Every field that it may not say so; where the database fails.
pub(crate) async fn check_upload(
    pool: &PgPool,
    bearer: &Bearer,
    claims: Claims<'_>,
) -> Result<(), Error> {
    let Rights::Agent(own) = &bearer.rights else {
        return Ok(());
    };
    let stored = stored_descriptions(pool, [claims].into_iter()).await?;
    let problems = claims.problems("", own, &stored);
    if problems.is_empty() {
        return Ok(());
    }
    Err(fields_problem(StatusCode::FORBIDDEN, problems).into())
}

/// What is stored of the devices and kernels that these claims are about.
async fn stored_descriptions<'a>(
    pool: &PgPool,
    claims: impl Iterator<Item = Claims<'a>> + Clone,
) -> db::Result<Descriptions> {
    let distinct = |mut names: Vec<String>| {
        names.sort_unstable();
        names.dedup();
        names
    };
    let devices = claims.clone().map(|it| it.device.name.clone()).collect();
    let kernels = claims
        .filter_map(|it| Some(it.workload?.kernel.clone()))
        .collect();
    let mut connection = pool.acquire().await?;
    read_descriptions(&mut connection, &distinct(devices), &distinct(kernels)).await
}

impl Claims<'_> {
    /// What speaks against them, where the token is that of the agent `own`.
    fn problems(self, base: &str, own: &str, stored: &Descriptions) -> Vec<FieldProblem> {
        let device = self.device;
        let mut checker = Checker::new(base);
        checker.own_agent(own, self.agent);
        let name = (device.vendor.clone(), device.name.clone());
        if let Some(known) = stored.devices.get(&name) {
            checker.same_device(device, known);
        }
        if let Some(workload) = self.workload {
            let subject = format!("the kernel {}", workload.kernel);
            let known = stored.families.get(&workload.kernel);
            if let (Some(family), Some(known)) = (&workload.family, known)
                && family != known
            {
                checker.wrong("/workload/family", family, unless_admin(known, &subject));
            }
            let known = stored.generated.get(&workload.kernel);
            if let Some(known) = known.filter(|known| **known != workload.generated) {
                let expected = unless_admin(known, &subject);
                checker.wrong("/workload/generated", workload.generated, expected);
            }
        }
        if self.origin == Origin::Shipped {
            let expected = "measured or imported: only an admin's token brings what was shipped";
            checker.wrong("/origin", "shipped", expected);
        }
        checker.problems
    }
}

impl Checker<'_> {
    pub(crate) fn own_agent(&mut self, own: &str, agent: &Agent) {
        if agent.name != own {
            let expected = format!("{own}: this token is that agent's");
            self.wrong("/agent/name", &agent.name, expected);
        }
    }

    fn same_device(&mut self, device: &Device, known: &Device) {
        let subject = format!("the device {}", known.name);
        if device.kind != known.kind {
            let word = |kind| format!("{kind:?}").to_lowercase();
            let expected = unless_admin(word(known.kind), &subject);
            self.wrong("/device/kind", word(device.kind), expected);
        }
        let units = [device, known].map(|it| it.compute_units.map(u64::from));
        let groups = [device, known].map(|it| it.max_work_group_size);
        for (name, sizes) in [("compute_units", units), ("max_work_group_size", groups)] {
            if let [Some(said), Some(known)] = sizes
                && said != known
            {
                let expected = unless_admin(known, &subject);
                self.wrong(format_args!("/device/{name}"), said, expected);
            }
        }
        // A CPU's global memory is its machine's: as much as somebody put in, less what the system keeps.
        let is_comparable = known.kind != DeviceKind::Cpu;
        let global = [device, known].map(|it| it.global_memory_bytes.filter(|_| is_comparable));
        let local = [device, known].map(|it| it.local_memory_bytes);
        for (name, sizes) in [("global", global), ("local", local)] {
            if let [Some(said), Some(known)] = sizes
                && !is_same_size(said, known)
            {
                let expected = format!("about {}", unless_admin(known, &subject));
                self.wrong(format_args!("/device/{name}_memory_bytes"), said, expected);
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a tenth is far coarser")]
fn is_same_size(said: u64, known: u64) -> bool {
    said.abs_diff(known) as f64 <= SAME_MEMORY * known as f64
}

fn unless_admin(known: impl std::fmt::Display, subject: &str) -> String {
    format!("{known}, as {subject} is known: only an admin's token changes that")
}
