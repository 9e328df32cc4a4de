//! A fit of one GPU as another's: the same costs in cycles, told what the other is made of. What it costs to launch is
//! taken to be the same.

use kerncast_wire::{Facts, Role};

use super::{Corrected, Fitted, Form, Place, Waves, Work};

/// How many times as doubtful a fit is of a GPU of the same architecture, and of another one. The H200's fit is as far
/// off on an H100 as on the H200; on a V100, nine in ten of its intervals would hold at 1.4 times their width
/// (docs/notebook/methods.md).
const WIDENINGS: [f64; 2] = [1.1, 1.5];

/// How many times as doubtful a fit of one GPU is where it is told of another.
#[must_use]
pub fn widening(from: &Facts, to: &Facts) -> f64 {
    let [same, other] = WIDENINGS;
    match from.architecture == to.architecture {
        true => same,
        false => other,
    }
}

impl Fitted {
    /// The fit for a GPU that it was not fitted to; `roles` are the columns' (p). None where its form knows nothing of
    /// hardware.
    #[must_use]
    pub fn elsewhere(&self, roles: &[Option<Role>], from: &Facts, to: &Facts) -> Option<Self> {
        let form = match &self.form {
            Form::Waves(waves) => Form::Waves(waves.elsewhere(roles, from, to)),
            Form::Corrected(corrected) => Form::Corrected(Corrected {
                costs: corrected.costs.elsewhere(roles, from, to),
                fitted: Some(Box::new(corrected.costs.clone())),
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
    fn elsewhere(&self, roles: &[Option<Role>], from: &Facts, to: &Facts) -> Self {
        let mut waves = self.clone();
        let sizes = f64::from(to.multiprocessors) / f64::from(from.multiprocessors);
        waves.workers.multiprocessors = (waves.workers.multiprocessors * sizes).round().max(1.0);
        let l2 = f64::from(to.l2_kib) / f64::from(from.l2_kib);
        for work in &mut waves.terms {
            let role = roles.get(work.column).copied().flatten();
            work.seconds *= seconds(work, role, to) / seconds(work, role, from);
            work.kept = work.kept.map(|kept| kept * l2);
        }
        waves
    }
}

/// How long an event takes on a GPU, but for a factor that all GPUs have alike.
fn seconds(work: &Work, role: Option<Role>, facts: &Facts) -> f64 {
    use Role::*;
    let cycle = 1.0 / facts.clock_mhz;
    let rates = facts.per_cycle;
    match (work.place, role) {
        (
            Place::Device,
            Some(DramReadSectors | DramWriteSectors | DramReadBytes | DramWriteBytes | DramBytes),
        ) => 1.0 / facts.dram_gb_per_s,
        // Slices of the last cache, and what hands out work-groups, are about as many as multiprocessors.
        (Place::Device, _) => cycle / f64::from(facts.multiprocessors),
        (Place::Multiprocessor, Some(FmaInstructions | ItemFp32)) => cycle / rates.fp32,
        (Place::Multiprocessor, Some(Fp64Instructions | ItemFp64)) => cycle / rates.fp64,
        (Place::Multiprocessor, Some(AluInstructions | ItemIntegers)) => cycle / rates.int32,
        (Place::Multiprocessor, Some(SpecialInstructions)) => cycle / rates.special,
        // How long memory takes to answer is no matter of the clock.
        (Place::Warp, Some(DramReadSectors)) => 1.0,
        _ => cycle,
    }
}
