//! The questions that samples answer, and every approach to each.

use kerncast_models::{
    METHODS, Method, OrdinaryLeastSquares, WavesForestTwin,
    across::{self, ByMedianRatio, FromCounters, FromCountersAndTime, Paper},
};
use kerncast_profilers::{
    catalogue::{ncu::is_beyond_sections, roles},
    sass::Chain,
};
use kerncast_wire::provider::LOCAL_MEMORY;

use crate::{
    GLOBAL, LOCAL, Question, Response, Samples,
    counters::{CYCLES, papers_counters, volumes, volumes_and_roles},
    rows::Input,
};

/// The paper's method on one device: the baseline of every other.
pub const PAPERS_METHOD: &str = "ols";

/// Every method across devices, and the columns that it learns from.
pub(crate) const ACROSS_METHODS: [(&dyn Method, Input); 5] = [
    (&ByMedianRatio, Input::CountersAndTime),
    (&FromCounters, Input::Counters),
    (&Paper::Counters, Input::Counters),
    (&Paper::CountersAndTime, Input::CountersAndTime),
    (&FromCountersAndTime, Input::CountersAndTime),
];

/// An approach to a question: a method, and the columns that it learns from.
#[derive(Clone, Debug)]
pub struct Approach {
    /// The method.
    pub method: &'static dyn Method,
    /// The counters that it takes.
    pub counters: Vec<String>,
    /// Whether it also takes the time on the device counted on.
    pub input: Input,
    /// The method's place among all that answer such a question, the simplest first.
    pub complexity: i16,
}

/// The questions that samples of a provider answer about the device `target`: its times; from its own counters also the
/// times of each of the paper's two variants. `counted_on`: the device whose counters they are, where that is another.
/// The microbenchmark of local memory answers one question: Okamoto's line, in clock cycles where a clock was read.
#[must_use]
pub fn questions(
    samples: &Samples,
    target: i64,
    counted_on: Option<i64>,
    provider: &str,
) -> Vec<Question> {
    let question = |response, variant: Option<&str>| Question {
        target,
        counted_on,
        provider: provider.to_owned(),
        variant: variant.map(str::to_owned),
        response,
    };
    if provider == LOCAL_MEMORY {
        let response = if samples.have(CYCLES) {
            Response::Counter(CYCLES.to_owned())
        } else {
            Response::Time
        };
        return vec![question(response, None)];
    }
    let mut questions = vec![question(Response::Time, None)];
    if counted_on.is_none() {
        let variants = [GLOBAL, LOCAL].into_iter();
        let variants = variants.filter(|variant| samples.has_variant(variant));
        questions.extend(variants.map(|variant| question(Response::Time, Some(variant))));
    }
    questions
}

/// Every approach to a question, those that take longest first.
#[must_use]
pub fn approaches(question: &Question, samples: &Samples) -> Vec<Approach> {
    match question.counted_on {
        Some(_) => across_devices(question, samples),
        None => on_one_device(question, samples),
    }
}

/// The baseline, without counters: it can always be tried.
pub(crate) fn baseline(question: &Question) -> Approach {
    let method: &dyn Method = match question.counted_on {
        Some(_) => &ByMedianRatio,
        None => &OrdinaryLeastSquares,
    };
    Approach {
        method,
        counters: Vec::new(),
        input: Input::Counters,
        complexity: 0,
    }
}

/// Every method that suits the counters; for one variant or a microbenchmark the paper's alone.
fn on_one_device(question: &Question, samples: &Samples) -> Vec<Approach> {
    let names = samples.counters_of(&question.provider).map(|it| it.0);
    let counted: Vec<String> = names.cloned().collect();
    let only_papers = question.variant.is_some() || question.provider == LOCAL_MEMORY;
    let mut approaches = Vec::new();
    for (complexity, &method) in (0..).zip(METHODS) {
        let is_papers = method.name() == PAPERS_METHOD;
        // Without anything to withhold it fits what `waves_forest` does.
        let is_the_same = withheld_from(method)
            .is_some_and(|is_withheld| !counted.iter().any(|it| is_withheld(it)));
        if (only_papers && !is_papers) || is_the_same || !method.suits(&roles(&counted)) {
            continue;
        }
        approaches.push(Approach {
            method,
            counters: default_counters(question, samples, method),
            input: Input::Counters,
            complexity,
        });
    }
    approaches.reverse();
    approaches
}

/// The counters that a method takes of a device's own samples.
pub(crate) fn default_counters(
    question: &Question,
    samples: &Samples,
    method: &dyn Method,
) -> Vec<String> {
    if method.name() == PAPERS_METHOD {
        return papers_counters(samples, question);
    }
    let mut counters = volumes_and_roles(samples, question, method.geometry_roles());
    if let Some(is_withheld) = withheld_from(method) {
        counters.retain(|it| !is_withheld(it));
    }
    counters
}

/// Tells counters that a twin of `waves_forest` does without, since its files can't have them; none for other methods.
fn withheld_from(method: &dyn Method) -> Option<fn(&str) -> bool> {
    let is = |twin: WavesForestTwin| twin.name() == method.name();
    if is(WavesForestTwin::WavesForestOfMetrics) {
        Some(Chain::is_one)
    } else if is(WavesForestTwin::WavesForestOfSections) {
        Some(is_beyond_sections)
    } else {
        None
    }
}

/// Every method across devices, the paper's with the paper's counters; none where the target has run nothing that was
/// counted.
fn across_devices(question: &Question, samples: &Samples) -> Vec<Approach> {
    let mut counted = samples.counted.iter();
    if !counted.any(|it| samples.timed(question.target, it.workload).is_some()) {
        return Vec::new();
    }
    let counters = across_counters(question, samples);
    let papers = papers_counters(samples, question);
    let paper_names = [Paper::Counters, Paper::CountersAndTime].map(|it| it.name());
    let approach = |(method, input): (&'static dyn Method, Input)| {
        let is_papers = paper_names.contains(&method.name());
        let counters = if is_papers { &papers } else { &counters };
        across_approach(method, input, counters.clone())
    };
    ACROSS_METHODS.into_iter().map(approach).collect()
}

/// The approach that fits a device's own counters as if they were another device's, where counters are the same on
/// every device.
pub(crate) fn from_counters(question: &Question, samples: &Samples) -> Approach {
    let counters = across_counters(question, samples);
    across_approach(&FromCounters, Input::Counters, counters)
}

/// The counters that methods across devices take, out of those that grow with the work.
fn across_counters(question: &Question, samples: &Samples) -> Vec<String> {
    let volumes = volumes(samples, question);
    across::needed_counters(&volumes, &roles(&volumes))
}

/// The approach of a method across devices; its complexity is its place among these.
fn across_approach(method: &'static dyn Method, input: Input, counters: Vec<String>) -> Approach {
    let mut places = (0..).zip(across::NAMES);
    let place = places.find(|it| it.1 == method.name());
    let (complexity, _) = place.expect("NAMES has every method across devices");
    Approach {
        method,
        counters,
        input,
        complexity,
    }
}
