//! Uploaded ceilings: checked, stored.

use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use kerncast_wire::{Ceilings, FieldProblem, NewCeilings};
use sqlx::PgPool;

use crate::{
    access::{Bearer, Claims, check_upload},
    checker::Checker,
    content::content_hash,
    db::{alone::Outcome, ceilings},
    error::Error,
    problem::{field, field_problem, unprocessable_all},
    samples::LONGEST_TIME,
};

/// A million times what the fastest devices do.
const LARGEST_RATE: f64 = 1e21;

/// Stores ceilings that are in order; whether they are new.
///
/// # Errors
/// Every field that is not in order, or that the token may not say; others under the same id.
pub(crate) async fn store(
    pool: &PgPool,
    new: &NewCeilings,
    bearer: &Bearer,
) -> Result<bool, Error> {
    let problems = check(new, Utc::now());
    if !problems.is_empty() {
        return Err(unprocessable_all(problems).into());
    }
    let claims = Claims {
        agent: &new.agent,
        device: &new.device,
        workload: None,
        origin: new.origin,
    };
    check_upload(pool, bearer, claims).await?;
    match ceilings::store(pool, new, content_hash(new), &bearer.uploader()).await? {
        Outcome::Stored => Ok(true),
        Outcome::Repeated => Ok(false),
        Outcome::Taken => {
            let field = field("/id", new.id, "a new id: other ceilings have this one");
            Err(field_problem(StatusCode::CONFLICT, field).into())
        }
    }
}

/// Everything wrong with them beyond their JSON types.
fn check(new: &NewCeilings, now: DateTime<Utc>) -> Vec<FieldProblem> {
    let NewCeilings {
        id: _,
        measured_at,
        agent,
        device,
        ceilings,
        conditions,
        provenance,
        origin: _,
    } = new;
    let mut checker = Checker::new("");
    checker.measured_at(*measured_at, now);
    checker.agent(agent);
    checker.device(device);
    checker.ceilings(ceilings);
    if let Some(conditions) = conditions {
        checker.conditions(conditions);
    }
    checker.provenance(provenance);
    checker.problems
}

impl Checker<'_> {
    fn ceilings(&mut self, ceilings: &Ceilings) {
        let &Ceilings {
            copy_bytes_per_s,
            host_to_device_bytes_per_s,
            device_to_host_bytes_per_s,
            fp32_flop_per_s,
            fp64_flop_per_s,
            int32_op_per_s,
            local_bytes_per_s,
            launch_latency_s,
        } = ceilings;
        let all = [
            ("copy_bytes_per_s", copy_bytes_per_s, LARGEST_RATE),
            (
                "host_to_device_bytes_per_s",
                host_to_device_bytes_per_s,
                LARGEST_RATE,
            ),
            (
                "device_to_host_bytes_per_s",
                device_to_host_bytes_per_s,
                LARGEST_RATE,
            ),
            ("fp32_flop_per_s", fp32_flop_per_s, LARGEST_RATE),
            ("fp64_flop_per_s", fp64_flop_per_s, LARGEST_RATE),
            ("int32_op_per_s", int32_op_per_s, LARGEST_RATE),
            ("local_bytes_per_s", local_bytes_per_s, LARGEST_RATE),
            ("launch_latency_s", launch_latency_s, LONGEST_TIME),
        ];
        if all.iter().all(|(_, value, _)| value.is_none()) {
            self.wrong("/ceilings", "none", "at least one ceiling");
        }
        for (name, value, most) in all {
            if let Some(value) = value.filter(|&value| !(value > 0.0 && value < most)) {
                let expected = format!("a number above 0 and below {most:e}");
                self.wrong(format_args!("/ceilings/{name}"), value, expected);
            }
        }
    }
}
