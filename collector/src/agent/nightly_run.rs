//! One nightly run of the agent: the workloads that are due, oldest first, and whether the run may go on.

use std::{
    thread,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_opencl::DeviceFacts;

use super::{
    Backlog, State, StateError,
    measured_log::{MeasuredLog, Subject},
};
use crate::{conditions::Observer, measure::Outcome, workload::Workload};

/// A workload is due after this part of [`AgentSettings::within`]. The rest is for nights when the machine is off or
/// busy.
const DUE_AFTER: f64 = 0.75;
/// How often the agent looks whether somebody else computes, while nobody does.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// How often it looks while somebody does.
const LOOK_EVERY_WHILE_BUSY: Duration = Duration::from_secs(5);

/// How often the agent measures everything, and how long it waits for a free device.
#[derive(Clone, Copy, Debug)]
pub struct AgentSettings {
    /// Every workload is measured again within this time.
    pub within: Duration,
    /// How long a run waits in total while others compute; none: it does not look.
    pub wait: Option<Duration>,
}

/// A run of the agent.
pub struct NightlyRun {
    settings: AgentSettings,
    log: MeasuredLog,
    /// All workloads of this machine's devices, due or not.
    subjects: Vec<Subject>,
    /// The index of the device being measured, its observer, and when that last looked.
    observer: Option<(usize, Observer, Instant)>,
    waited: Duration,
    stopped: Option<String>,
    /// Problems of this machine, apart from failed workloads.
    problems: Vec<String>,
}

impl NightlyRun {
    /// Begins a run.
    ///
    /// # Errors
    /// The state's folder can't be read or written.
    pub fn begin(state: &State, settings: AgentSettings) -> Result<Self, StateError> {
        Ok(Self {
            settings,
            log: MeasuredLog::open(state)?,
            subjects: Vec::new(),
            observer: None,
            waited: Duration::ZERO,
            stopped: None,
            problems: Vec::new(),
        })
    }

    /// The workloads in `all` that are due: first those never measured with these sources and this driver, in the order
    /// of `all`; then those tried longest ago.
    pub fn due<'k>(&mut self, device: &DeviceFacts, all: Vec<Workload<'k>>) -> Vec<Workload<'k>> {
        let now = Utc::now();
        let mut due = Vec::new();
        for workload in all {
            let subject = Subject::new(device, &workload);
            if self.is_due(&subject, now) {
                due.push((self.log.last(&subject).map(|it| it.at), workload));
            }
            self.subjects.push(subject);
        }
        due.sort_by_key(|(at, _)| *at);
        due.into_iter().map(|(_, workload)| workload).collect()
    }

    fn is_due(&self, subject: &Subject, now: DateTime<Utc>) -> bool {
        // A time to come: the clock was wrong then, or is now.
        self.log.last(subject).is_none_or(|it| {
            it.failed
                || it.at > now
                || now - it.at >= time_delta(self.settings.within.mul_f64(DUE_AFTER))
        })
    }

    fn is_overdue(&self, subject: &Subject, now: DateTime<Utc>) -> bool {
        // What was never measured goes first: a budget that is too small leaves others behind.
        let last = self.log.last(subject);
        last.is_some_and(|it| now - it.at > time_delta(self.settings.within))
    }

    /// Whether to go on measuring on a device. Waits while somebody else computes there.
    ///
    /// # Errors
    /// Why measuring must stop; after the first such error always the same.
    pub fn go_on(&mut self, device: &DeviceFacts) -> Result<(), String> {
        if let Some(why) = &self.stopped {
            return Err(why.clone());
        }
        let going = self.wait_while_busy(device);
        self.stopped = going.as_ref().err().cloned();
        going
    }

    fn wait_while_busy(&mut self, device: &DeviceFacts) -> Result<(), String> {
        loop {
            let Some(patience) = self.settings.wait else {
                return Ok(());
            };
            let Some(who) = self.who_computes(device) else {
                return Ok(());
            };
            let remaining = patience.saturating_sub(self.waited);
            if remaining.is_zero() {
                let waited = self.waited.as_secs();
                return Err(format!("{who}, also after waiting for {waited} s"));
            }
            if self.waited.is_zero() {
                eprintln!("{who}: waiting for {} s at most", remaining.as_secs());
            }
            let wait = LOOK_EVERY_WHILE_BUSY.min(remaining);
            thread::sleep(wait);
            self.waited += wait;
        }
    }

    /// Who else computes on the device, in words; none where nobody does. A look takes a second, so it comes only every
    /// [`LOOK_EVERY`] unless the last look found somebody.
    fn who_computes(&mut self, device: &DeviceFacts) -> Option<String> {
        let (observer, looked) = match self.observer.take() {
            Some((index, observer, looked)) if index == device.index => (observer, Some(looked)),
            _ => (Observer::new(device), None),
        };
        let is_fresh = looked.is_some_and(|at| at.elapsed() < LOOK_EVERY);
        let who = if is_fresh { None } else { observer.busy() };
        // Where somebody is there, the next look is at once.
        self.observer = who.is_none().then(|| {
            let at = looked.filter(|_| is_fresh).unwrap_or_else(Instant::now);
            (device.index, observer, at)
        });
        who
    }

    /// Notes what became of a workload. A postponed one stays as due as it was.
    ///
    /// # Errors
    /// The disk is full, or read-only.
    pub fn note_outcome(
        &mut self,
        device: &DeviceFacts,
        workload: &Workload<'_>,
        outcome: &Outcome,
    ) -> Result<(), StateError> {
        if matches!(outcome, Outcome::Postponed(_)) {
            return Ok(());
        }
        let has_failed = matches!(outcome, Outcome::Failed(_));
        self.log.note(Subject::new(device, workload), has_failed)
    }

    /// Why the run ended early; none where it did not, or only for want of time.
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// How many workloads there are, and how many are due now.
    pub fn backlog(&self) -> Backlog {
        let now = Utc::now();
        let subjects = self.subjects.iter();
        Backlog {
            workloads: self.subjects.len(),
            due: subjects.clone().filter(|it| self.is_due(it, now)).count(),
            overdue: subjects.filter(|it| self.is_overdue(it, now)).count(),
        }
    }

    /// Notes a problem of this machine, for the report to the server.
    pub fn complain(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// Problems to report; also that the budget is too small.
    pub fn complaints(&self) -> Vec<String> {
        let Backlog { overdue, .. } = self.backlog();
        let days = self.settings.within.as_secs_f64() / 86_400.0;
        let late = (overdue > 0).then(|| {
            format!(
                "{overdue} workloads were not measured within {days:.1} days: the budget is too small, or the machine \
                 is off or busy too often"
            )
        });
        self.problems.iter().cloned().chain(late).collect()
    }
}

/// The duration as a [`TimeDelta`]; the longest one where it does not fit.
fn time_delta(duration: Duration) -> TimeDelta {
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    fn subject(made_of: &str) -> Subject {
        let subject = json!({ "workload": "a device: a kernel", "made_of": made_of });
        serde_json::from_value(subject).expect("a subject")
    }

    #[test]
    fn what_was_measured_long_ago_is_overdue_unless_the_driver_has_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = State::open(folder.path()).expect("opens");
        let overdue = |made_of| {
            let settings = AgentSettings {
                within: Duration::from_secs(3600),
                wait: None,
            };
            let mut nightly_run = NightlyRun::begin(&state, settings).expect("begins");
            nightly_run.subjects.push(subject(made_of));
            nightly_run.backlog().overdue
        };
        let measured = |at: &str| {
            let line = json!({
                "workload": "a device: a kernel", "made_of": "driver 1", "at": at, "failed": false
            });
            let log = state.path("agent.measured.jsonl");
            fs::write(log, format!("{line}\n")).expect("written");
        };
        assert_eq!(overdue("driver 1"), 0);
        measured("2020-01-01T00:00:00Z");
        assert_eq!(overdue("driver 1"), 1);
        // Another driver makes another workload of it.
        assert_eq!(overdue("driver 2"), 0);
        measured(&Utc::now().to_rfc3339());
        assert_eq!(overdue("driver 1"), 0);
    }
}
