//! What ceilings must be beyond their JSON type.

use chrono::{DateTime, Utc};
use kerncast_wire::{Ceilings, FieldProblem, NewCeilings};

use super::samples::LONGEST_TIME;
use crate::http::Checker;

/// A million times what the fastest devices do.
const LARGEST_RATE: f64 = 1e21;

/// Everything wrong with them beyond their JSON types.
pub(crate) fn check(new: &NewCeilings, now: DateTime<Utc>) -> Vec<FieldProblem> {
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
    checker.past("/measured_at", *measured_at, now);
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
        let by_name = [
            ("copy_bytes_per_s", copy_bytes_per_s),
            ("host_to_device_bytes_per_s", host_to_device_bytes_per_s),
            ("device_to_host_bytes_per_s", device_to_host_bytes_per_s),
            ("fp32_flop_per_s", fp32_flop_per_s),
            ("fp64_flop_per_s", fp64_flop_per_s),
            ("int32_op_per_s", int32_op_per_s),
            ("local_bytes_per_s", local_bytes_per_s),
            ("launch_latency_s", launch_latency_s),
        ];
        if by_name.iter().all(|(_, value)| value.is_none()) {
            self.wrong("/ceilings", "none", "at least one ceiling");
        }
        for (name, value) in by_name {
            let most = match name {
                "launch_latency_s" => LONGEST_TIME,
                _ => LARGEST_RATE,
            };
            if let Some(value) = value.filter(|&value| !(value > 0.0 && value < most)) {
                let expected = format!("a number above 0 and below {most:e}");
                self.wrong(format_args!("/ceilings/{name}"), value, expected);
            }
        }
    }
}
