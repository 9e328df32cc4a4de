//! All of the host's cores, in place of the device.

use crate::{
    Explained, Job, Options, Rates, Way, Who, Work, by_checks::Error, job::moved, on_host,
    run::cores_of, trust::trust,
};

/// Of times that differ by less nobody says which is the longer one: verdicts are judged by it
/// (docs/notebook/streams.md).
const CLEARLY: f64 = 1.15;

impl Job {
    /// Seconds of all of the host's cores, alone: of sorts, scatters, and transforms and reductions whose operation is
    /// there [in Rust](Job::in_rust). Of files only a sort's are known, which are read before and written after it. None of
    /// others, and where the host was not measured with such elements.
    #[must_use]
    pub fn cores_s(&self, options: &Options, rates: &Rates) -> Option<f64> {
        let has_files = [self.way_in, self.way_out].contains(&Way::File);
        let can = match self.work {
            Work::Sort => true,
            Work::Scatter => !has_files,
            // What another operation takes the host is not known.
            Work::Transform | Work::Sine | Work::Reduce => {
                self.in_rust && self.kernel_s.is_none() && self.inputs.len() == 1 && !has_files
            }
            Work::Scan => false,
        };
        if !can {
            return None;
        }
        let mut seconds = on_host(&rates.all_cores, self.work, self.output, self.elements)?;
        if has_files {
            let file = rates.of(Way::File)?;
            for (way, line) in [
                (self.way_in, file.to_device),
                (self.way_out, file.from_device),
            ] {
                if way == Way::File {
                    let its = moved(way, self.output, self.elements, self.elements, options);
                    // What hinders the device's files hinders these: a disk, or other programs.
                    let hindered = rates.stretch(self.work, way.name(), 1).max(1.0);
                    seconds += hindered * line.seconds(its.bytes, its.pieces);
                }
            }
        }
        Some(seconds * rates.cores_stretch(self.work, &cores_of(self.way_in.name())))
    }

    /// The same by the host's cores, whose time is known: the device's trips stay, to compare with.
    #[must_use]
    pub fn by_cores(&self, explained: Explained, rates: &Rates) -> Explained {
        let error = |by| rates.error(self.work, by, self.elements);
        let mut worst = error(Who::AllCores.text());
        if self.way_in == Way::File {
            let pair = worst.zip(error(Way::File.name()));
            worst = pair.map(|(cores, files)| Error {
                factor: cores.factor.max(files.factor),
                is_near: cores.is_near && files.is_near,
            });
        }
        // Runs of it say more.
        let runs = rates.cores_error(self.work, &cores_of(self.way_in.name()), self.elements);
        worst = worst
            .zip(runs)
            .map(|(all, runs)| Error {
                factor: all.factor.max(runs.factor),
                is_near: all.is_near || runs.is_near,
            })
            .or(worst);
        let interval_s = explained
            .cores_s
            .zip(worst)
            .and_then(|(s, it)| it.interval(s));
        Explained {
            by_cores: true,
            start: None,
            stretch: 1.0,
            forecast_s: explained.cores_s,
            interval_s,
            trust: trust(interval_s, worst),
            ..explained
        }
    }
}

impl Explained {
    /// Whether the host's cores alone are forecast to be clearly faster than the device.
    #[must_use]
    pub fn cores_are_faster(&self) -> bool {
        let both = self.trips_s.zip(self.cores_s);
        both.is_some_and(|(device_s, cores_s)| CLEARLY * cores_s < device_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, Move, Timed, Type};

    /// A thousand numbers take the cores as many seconds, and files bring a byte a second.
    fn rates() -> Rates {
        let timed = |work| Timed {
            work,
            element: Type::U32,
            elements: 1000,
            seconds: 1000.0,
        };
        let line = Line {
            bytes_per_s: 1.0,
            piece_s: 0.0,
        };
        Rates {
            all_cores: crate::WORKS.map(timed).into(),
            moves: vec![Move {
                way: Way::File,
                to_device: line,
                from_device: line,
                both: line,
            }],
            ..Rates::default()
        }
    }

    #[test]
    fn cores_do_what_is_known_of_them() {
        let (rates, options) = (rates(), Options::new(1 << 20));
        let seconds = |work, way, in_rust| {
            let mut job = Job::new(work, Type::U32, 1000, way);
            job.in_rust = in_rust;
            job.cores_s(&options, &rates).map(f64::round)
        };
        let memory = Way::Staged;
        assert_eq!(seconds(Work::Sort, memory, false), Some(1000.0));
        assert_eq!(seconds(Work::Scatter, memory, false), Some(1000.0));
        assert_eq!(seconds(Work::Reduce, memory, true), Some(1000.0));
        assert_eq!(seconds(Work::Transform, memory, false), None);
        assert_eq!(seconds(Work::Scan, memory, true), None);
        // Read and written.
        assert_eq!(seconds(Work::Sort, Way::File, false), Some(9000.0));
        assert_eq!(seconds(Work::Scatter, Way::File, false), None);
        assert_eq!(seconds(Work::Transform, Way::File, true), None);
        let mut job = Job::new(Work::Transform, Type::U32, 1000, memory);
        (job.in_rust, job.kernel_s) = (true, Some(1.0));
        assert_eq!(job.cores_s(&options, &rates), None);
        let job = Job::new(Work::Sort, Type::I8, 1000, memory);
        assert_eq!(job.cores_s(&options, &rates), None);
    }

    #[test]
    fn cores_are_faster_that_beat_the_device_by_over_15_per_cent() {
        let explained = |trips_s, cores_s| Explained {
            trips_s,
            cores_s,
            ..Explained::of_trips(Vec::new())
        };
        assert!(explained(Some(1.2), Some(1.0)).cores_are_faster());
        assert!(!explained(Some(1.1), Some(1.0)).cores_are_faster());
        assert!(!explained(Some(1.2), None).cores_are_faster());
        assert!(!explained(None, Some(1.0)).cores_are_faster());
    }
}
