//! The fits that a server makes of the samples of files by itself.

use kerncast_training::{Candidate, questions};
use kerncast_wire::provider::LOCAL_MEMORY;

use super::{Files, samples::NumberedSamples};

/// The fits that a server with these files alone makes: for each device by each provider's counters, and across each
/// pair of devices that ran the same workloads.
pub fn server_candidates(files: &Files) -> Vec<Candidate> {
    let numbered = NumberedSamples::new(files);
    let mut candidates = Vec::new();
    for &counted_on in &numbered.devices {
        for provider in numbered.providers(counted_on) {
            let samples = numbered.samples(counted_on, provider);
            let borrowing = numbered.borrowing(&samples, counted_on, provider);
            let own = borrowing.as_ref().unwrap_or(&samples);
            for &device in &numbered.devices {
                let Some(target) = numbered.device(device) else {
                    continue;
                };
                let from = (device != counted_on).then_some(counted_on);
                let from = from.and_then(|it| numbered.device(it));
                let ran = &samples.devices[&target];
                let mut counted = samples.counted.iter();
                let in_common = counted.any(|it| ran.contains_key(&it.workload));
                // Local memory's latency tells nothing of another device.
                if from.is_some() && (provider == LOCAL_MEMORY || !in_common) {
                    continue;
                }
                let samples = if from.is_none() { own } else { &samples };
                for question in questions(samples, target, from, provider) {
                    candidates.extend(Candidate::all(&question, samples));
                }
            }
        }
    }
    candidates
}
