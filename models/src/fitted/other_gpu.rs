//! A fit of one GPU used for another GPU: the same costs in cycles, with the other GPU's data sheet. The cost of a
//! launch stays the same.

use kerncast_wire::{Facts, Role};

use super::{Corrected, EventCost, Fitted, Form, Resource, Waves};

/// How many times as wide intervals are on another GPU: of the same architecture, and of another architecture. The
/// H200's fit is as far off on an H100 as on the H200; on a V100, nine in ten of its intervals would hold at 1.4 times
/// their width (docs/notebook/methods.md).
const WIDENINGS: [f64; 2] = [1.1, 1.5];

/// The factor by which the expected error of a fit of the GPU `from` is larger on the GPU `to`.
#[must_use]
pub fn widening(from: &Facts, to: &Facts) -> f64 {
    let [same, other] = WIDENINGS;
    if from.architecture == to.architecture {
        same
    } else {
        other
    }
}

impl Fitted {
    /// The fit moved from the GPU `from` to the GPU `to`. `roles`: those of the columns (p). None where the form knows
    /// nothing about hardware.
    #[must_use]
    pub fn for_other_gpu(&self, roles: &[Option<Role>], from: &Facts, to: &Facts) -> Option<Self> {
        let form = match &self.form {
            Form::Waves(waves) => Form::Waves(waves.for_other_gpu(roles, from, to)),
            Form::Corrected(corrected) => Form::Corrected(Corrected {
                costs: corrected.costs.for_other_gpu(roles, from, to),
                lenders_costs: Some(Box::new(corrected.costs.clone())),
                ..corrected.clone()
            }),
            _ => return None,
        };
        Some(Self {
            form,
            ..self.clone()
        })
    }
}

impl Waves {
    fn for_other_gpu(&self, roles: &[Option<Role>], from: &Facts, to: &Facts) -> Self {
        let mut waves = self.clone();
        let sizes = f64::from(to.multiprocessors) / f64::from(from.multiprocessors);
        waves.workers.multiprocessors = (waves.workers.multiprocessors * sizes).round().max(1.0);
        let l2 = f64::from(to.l2_kib) / f64::from(from.l2_kib);
        for term in &mut waves.terms {
            let role = roles.get(term.column).copied().flatten();
            term.seconds *= seconds(term, role, to) / seconds(term, role, from);
            term.cached = term.cached.map(|events| events * l2);
        }
        waves
    }
}

/// The time of an event on a GPU, up to a factor that is the same for all GPUs.
fn seconds(term: &EventCost, role: Option<Role>, facts: &Facts) -> f64 {
    use Role::*;
    let cycle = 1.0 / facts.clock_mhz;
    let rates = facts.per_cycle;
    match (term.resource, role) {
        (
            Resource::Device,
            Some(DramReadSectors | DramWriteSectors | DramReadBytes | DramWriteBytes | DramBytes),
        ) => 1.0 / facts.dram_gb_per_s,
        // Slices of the last cache, and what hands out work-groups, are about as many as multiprocessors.
        (Resource::Device, _) => cycle / f64::from(facts.multiprocessors),
        (Resource::Multiprocessor, Some(FmaInstructions | ItemFp32)) => cycle / rates.fp32,
        (Resource::Multiprocessor, Some(Fp64Instructions | ItemFp64)) => cycle / rates.fp64,
        (Resource::Multiprocessor, Some(AluInstructions | ItemIntegers)) => cycle / rates.int32,
        (Resource::Multiprocessor, Some(SpecialInstructions)) => cycle / rates.special,
        // The latency of memory does not depend on the clock.
        (Resource::Warp, Some(DramReadSectors)) => 1.0,
        _ => cycle,
    }
}
