//! The fits that a server makes by itself of what files hold.

use kerncast_training::{Candidate, LOCAL_MEMORY, questions};

use super::{Files, samples::Numbered};

/// What a server fits once it has all that the files hold, and nothing else: of each device by each provider's
/// counters, and of each by each other one's that has run the same.
#[must_use]
pub fn candidates(files: &Files) -> Vec<Candidate> {
    let numbered = Numbered::new(files);
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
