//! What is doubtful about a launch lowers the trust in its forecast: the server does not see the source.

use kerncast_wire::{NoVerdict, Prediction, SpeedupForecast, TrustWord};

/// Lowers the trust where there are doubts; they come before the server's reason.
pub(super) fn lower_trust(prediction: &mut Prediction, doubts: &[String]) {
    if doubts.is_empty() {
        return;
    }
    let trust = &mut prediction.trust;
    let mut why = doubts.join("; ");
    if trust.word <= TrustWord::Low {
        why = format!("{why}; {}", trust.why);
    }
    trust.word = trust.word.min(TrustWord::Low);
    trust.why = why;
}

/// The same for both sides of a change, which then has no verdict.
pub fn lower_speedup_trust(speedup: &mut SpeedupForecast, before: &[String], after: &[String]) {
    lower_trust(&mut speedup.before, before);
    lower_trust(&mut speedup.after, after);
    if speedup.verdict.is_some() && !(before.is_empty() && after.is_empty()) {
        (speedup.verdict, speedup.right) = (None, None);
        speedup.no_verdict = Some(NoVerdict::Doubtful);
    }
}
