//! A request for forecasts: its counter sets, and which models and devices it names.

use kerncast_models::{METHODS, across};
use kerncast_profilers::gpus;
use kerncast_wire::{
    Facts, FileNote, NamedCounterSet, PredictionRequest, Problem, limits::MOST_PREDICTIONS,
    words::did_you_mean,
};
use uuid::Uuid;

use super::counter_set::PostedSet;
use crate::http::unprocessable;

/// So few predictions take less time than moving to a thread of their own.
const FEW_PREDICTIONS: usize = 8;

/// Bytes of a prediction until it is written.
const BYTES_PER_PREDICTION: usize = 500;

/// A request, in whatever form it came.
pub(crate) struct ForecastRequest {
    /// At least one.
    pub(super) sets: Vec<PostedSet>,
    /// Empty: none was named.
    pub(super) devices: Vec<i64>,
    /// GPUs of the table of data sheets. They come after the devices.
    pub(super) gpus: Vec<&'static Facts>,
    /// The device that was counted on, where that is another than the one to forecast.
    pub(super) counted_on: Option<i64>,
    pub(super) models: ModelChoice,
    /// Whether `time_s` stands beside the one set: the answer must then depend on it.
    pub(super) names_time: bool,
    /// What a file's parser left out.
    pub(super) notes: Vec<FileNote>,
    /// What fields' names begin with: `/` in JSON, nothing in a query.
    root: &'static str,
}

/// Whose models forecast.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ModelChoice {
    #[default]
    Champions,
    /// The best models of this method.
    Method(String),
    Model(Uuid),
}

/// What a request names beside its counter sets.
#[derive(Debug, Default)]
pub(crate) struct RequestOptions {
    pub(crate) model: Option<Uuid>,
    pub(crate) method: Option<String>,
    pub(crate) devices: Vec<i64>,
    pub(crate) gpus: Vec<String>,
    pub(crate) counted_on: Option<i64>,
}

impl RequestOptions {
    /// Which models forecast. `root`: what fields' names begin with.
    /// Fails where options contradict each other, or a method is not known.
    fn model_choice(&self, root: &str) -> Result<ModelChoice, Problem> {
        let choice = match (self.model, &self.method) {
            (Some(_), Some(method)) => {
                let expected = "model or method, not both";
                return Err(unprocessable(format!("{root}method"), method, expected));
            }
            (Some(model), None) => ModelChoice::Model(model),
            (None, Some(method)) => ModelChoice::Method(method.clone()),
            (None, None) => ModelChoice::Champions,
        };
        let names: Vec<&str> = match self.counted_on {
            None => METHODS.iter().map(|it| it.name()).collect(),
            Some(_) => across::NAMES.to_vec(),
        };
        if let ModelChoice::Method(method) = &choice
            && !names.contains(&method.as_str())
        {
            let expected = format!("one of: {}", names.join(", "));
            return Err(unprocessable(format!("{root}method"), method, expected));
        }
        let excludes_gpus = match (&choice, self.counted_on) {
            (ModelChoice::Model(_), _) => Some("model"),
            (_, Some(_)) => Some("counted_on"),
            _ => None,
        };
        if let (Some(name), Some(other)) = (self.gpus.first(), excludes_gpus) {
            let expected = format!("gpus or {other}, not both");
            return Err(unprocessable(format!("{root}gpus"), name, expected));
        }
        Ok(choice)
    }
}

impl ForecastRequest {
    /// From JSON.
    /// Fails where both or none of two fields that stand for one another are there, options or sets are not in order, or
    /// there is nothing or too much to forecast.
    pub(crate) fn from_json(request: PredictionRequest) -> Result<Self, Problem> {
        let (time_s, counted_on) = (request.time_s, request.counted_on);
        if let (Some(time), Some(_)) = (time_s, &request.counter_sets) {
            let expected = "time_s in each of counter_sets";
            return Err(unprocessable("/time_s", time, expected));
        }
        let sets: Vec<PostedSet> = match (request.counters, request.counter_sets) {
            (Some(_), Some(_)) => return Err(both("counters", "counter_sets")),
            (None, None) => {
                let expected = "counters (one set) or counter_sets (many)";
                return Err(unprocessable("/counters", "", expected));
            }
            (Some(counters), None) => {
                let set = NamedCounterSet {
                    name: None,
                    counters,
                    time_s,
                    measured: None,
                };
                vec![PostedSet::from_json(set, "/counters".to_owned())?]
            }
            (None, Some(sets)) => {
                let sets = sets.into_iter().enumerate().map(|(place, set)| {
                    PostedSet::from_json(set, format!("/counter_sets/{place}/counters"))
                });
                sets.collect::<Result<_, _>>()?
            }
        };
        let devices = match (request.device, request.devices) {
            (Some(_), Some(_)) => return Err(both("device", "devices")),
            (one, many) => many.unwrap_or_else(|| Vec::from_iter(one)),
        };
        let options = RequestOptions {
            model: request.model,
            method: request.method,
            devices,
            gpus: request.gpus.unwrap_or_default(),
            counted_on,
        };
        let mut request = Self::new(sets, options, Vec::new(), "/", "/counter_sets")?;
        request.names_time = time_s.is_some();
        Ok(request)
    }

    /// `root`: what fields' names begin with; `at`: where the sets are.
    /// Fails where options or sets are not in order, or there is nothing or too much to forecast.
    pub(super) fn new(
        sets: Vec<PostedSet>,
        options: RequestOptions,
        notes: Vec<FileNote>,
        root: &'static str,
        at: &str,
    ) -> Result<Self, Problem> {
        let models = options.model_choice(root)?;
        let gpus = options.gpus.iter().enumerate();
        let gpus = gpus.map(|(place, name)| find_gpu(format!("{root}gpus/{place}"), name));
        let request = Self {
            sets,
            gpus: gpus.collect::<Result<_, _>>()?,
            devices: options.devices,
            counted_on: options.counted_on,
            models,
            names_time: false,
            notes,
            root,
        };
        request.check_size(at)?;
        let mut sets = request.sets.iter();
        sets.try_for_each(|set| set.check(request.counted_on))?;
        Ok(request)
    }

    /// Devices and GPUs that it names, at least one.
    fn targets(&self) -> usize {
        (self.devices.len() + self.gpus.len()).max(1)
    }

    /// Predictions that it asks for, where devices are named; else at least so many.
    fn predictions(&self) -> usize {
        self.sets.len().saturating_mul(self.targets())
    }

    /// Fails where there is nothing or too much to forecast. `at`: where the sets are.
    fn check_size(&self, at: &str) -> Result<(), Problem> {
        let (sets, devices) = (self.sets.len(), self.targets());
        if sets == 0 || self.predictions() > MOST_PREDICTIONS {
            let sent = match sets {
                0 => "no counter set".to_owned(),
                _ => format!("{sets} × {devices} predictions"),
            };
            let expected = format!("1 to {MOST_PREDICTIONS} sets × devices");
            return Err(unprocessable(at, sent, expected));
        }
        Ok(())
    }

    /// Whether its forecasts take next to no time and memory.
    pub(crate) fn is_short(&self) -> bool {
        self.predictions() <= FEW_PREDICTIONS
    }

    /// Bytes that it takes until its forecasts are written, about.
    pub(crate) fn bytes(&self) -> usize {
        let sets: usize = self.sets.iter().map(PostedSet::bytes).sum();
        sets + BYTES_PER_PREDICTION * self.predictions()
    }

    /// The name of a field beside the sets, for a problem.
    pub(super) fn field(&self, name: &str) -> String {
        format!("{}{name}", self.root)
    }
}

/// The GPU of the table that a name means.
/// Fails where none or several are meant.
fn find_gpu(at: String, name: &str) -> Result<&'static Facts, Problem> {
    match gpus::matching(name)[..] {
        [one] => Ok(one),
        [] => {
            let all_names = gpus::all().iter().map(|it| &*it.name);
            let expected = "a GPU of /v1/gpus".to_owned() + &did_you_mean(name, all_names);
            Err(unprocessable(at, name, expected))
        }
        ref several => {
            let names: Vec<&str> = several.iter().map(|it| &*it.name).collect();
            let expected = format!("one of {}", names.join(", "));
            Err(unprocessable(at, name, expected))
        }
    }
}

fn both(one: &str, other: &str) -> Problem {
    let expected = format!("{one} or {other}, not both");
    unprocessable(format!("/{other}"), "", expected)
}
