//! What is fitted where nobody says: the questions that samples answer, and every way to answer one.

use std::sync::Arc;

use kerncast_models::{
    METHODS, Method, OrdinaryLeastSquares,
    across::{self, ByMedianRatio, FromCounters, FromCountersAndTime, Paper},
};
use kerncast_profilers::{
    catalogue::{ncu::is_beyond_sections, roles},
    sass::Chain,
};

use crate::{
    GLOBAL, LOCAL, LOCAL_MEMORY, Question, Response, Samples,
    counters::{CYCLES, papers, volumes, volumes_and},
    training::Input,
};

/// The paper's method.
pub const PAPERS_METHOD: &str = "ols";

/// A method, and what it learns from.
#[derive(Clone, Debug)]
pub struct Way {
    /// The method.
    pub method: Arc<dyn Method>,
    /// The counters that it takes.
    pub counters: Vec<String>,
    /// What it is given.
    pub input: Input,
    /// The method's place among all that answer such a question, the simplest first.
    pub complexity: i16,
}

/// The questions that samples of a device and provider answer, about that device or, with `counted_on`, from
/// another one's counters: its times, of a device itself also those of each of the paper's two variants. Of the
/// microbenchmark Okamoto's one line, in clock cycles where a clock was read.
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
        let response = match samples.seen(CYCLES) {
            true => Response::Counter(CYCLES.to_owned()),
            false => Response::Time,
        };
        return vec![question(response, None)];
    }
    let mut questions = vec![question(Response::Time, None)];
    if counted_on.is_none() {
        let variants = [GLOBAL, LOCAL].into_iter();
        let there = variants.filter(|variant| samples.has_variant(variant));
        questions.extend(there.map(|variant| question(Response::Time, Some(variant))));
    }
    questions
}

/// Every way to answer a question, those that take longest first.
#[must_use]
pub fn ways(question: &Question, samples: &Samples) -> Vec<Way> {
    match question.counted_on {
        Some(_) => across_devices(question, samples),
        None => own(question, samples),
    }
}

/// A way that there always is to answer a question, without counters: the baseline.
pub(crate) fn baseline(question: &Question) -> Way {
    let method: Arc<dyn Method> = match question.counted_on {
        Some(_) => Arc::new(ByMedianRatio),
        None => Arc::new(OrdinaryLeastSquares),
    };
    Way {
        method,
        counters: Vec::new(),
        input: Input::Counters,
        complexity: 0,
    }
}

/// Every method that knows what to do with the counters; of one variant or a microbenchmark the paper's
/// alone.
fn own(question: &Question, samples: &Samples) -> Vec<Way> {
    let provider = format!("{}:", question.provider);
    let names = samples.counters.keys();
    let counted: Vec<String> = names
        .filter(|it| it.starts_with(&provider))
        .cloned()
        .collect();
    let only_papers = question.variant.is_some() || question.provider == LOCAL_MEMORY;
    let mut ways = Vec::new();
    for (complexity, method) in (0..).zip(METHODS) {
        let is_papers = method.name() == PAPERS_METHOD;
        // Where there is nothing to do without, it is the method that takes all.
        let is_twin = lacks(*method).is_some_and(|lacks| !counted.iter().any(|it| lacks(it)));
        if (only_papers && !is_papers) || is_twin || !method.suits(&roles(&counted)) {
            continue;
        }
        ways.push(Way {
            method: Arc::new(*method),
            counters: default_counters(question, samples, *method),
            input: Input::Counters,
            complexity,
        });
    }
    ways.reverse();
    ways
}

/// The counters that a method takes of a device's own samples where nobody says.
pub(crate) fn default_counters(
    question: &Question,
    samples: &Samples,
    method: &dyn Method,
) -> Vec<String> {
    if method.name() == PAPERS_METHOD {
        return papers(samples, question);
    }
    let mut counters = volumes_and(samples, question, method.asks());
    if let Some(lacks) = lacks(method) {
        counters.retain(|it| !lacks(it));
    }
    counters
}

/// Of a twin of `waves_forest`, for files that can't have some counters: which these are.
fn lacks(method: &dyn Method) -> Option<fn(&str) -> bool> {
    match method.name() {
        "waves_forest_metrics" => Some(Chain::is_one),
        "waves_forest_sections" => Some(is_beyond_sections),
        _ => None,
    }
}

/// The baseline, counters alone, the paper's two experiments with the paper's counters, and the time on the
/// device that was counted on; of a target that has run nothing of it none.
fn across_devices(question: &Question, samples: &Samples) -> Vec<Way> {
    let asked = asked(question, samples);
    let papers = papers(samples, question);
    let way = |method: Arc<dyn Method>, counters: &[String], input| Way {
        complexity: complexity(across::NAMES, method.name()),
        method,
        counters: counters.to_vec(),
        input,
    };
    let mut counted = samples.counted.iter();
    let has_run = counted.any(|it| samples.timed(question.target, it.workload).is_some());
    if !has_run {
        return Vec::new();
    }
    vec![
        way(Arc::new(ByMedianRatio), &asked, Input::CountersAndTime),
        way(Arc::new(FromCounters), &asked, Input::Counters),
        way(Arc::new(Paper::Counters), &papers, Input::Counters),
        way(
            Arc::new(Paper::CountersAndTime),
            &papers,
            Input::CountersAndTime,
        ),
        way(
            Arc::new(FromCountersAndTime),
            &asked,
            Input::CountersAndTime,
        ),
    ]
}

/// Costs of counters that are the same on every device, such as AIWC's: as good as another device's.
pub(crate) fn from_counters(question: &Question, samples: &Samples) -> Way {
    Way {
        method: Arc::new(FromCounters),
        counters: asked(question, samples),
        input: Input::Counters,
        complexity: complexity(across::NAMES, FromCounters.name()),
    }
}

/// The counters that methods across devices take of those that grow with the work.
fn asked(question: &Question, samples: &Samples) -> Vec<String> {
    let volumes = volumes(samples, question);
    across::asked(&volumes, &roles(&volumes))
}

/// Every method across devices, to tell their versions.
pub(crate) fn across_methods() -> Vec<Arc<dyn Method>> {
    vec![
        Arc::new(ByMedianRatio),
        Arc::new(FromCounters),
        Arc::new(Paper::Counters),
        Arc::new(Paper::CountersAndTime),
        Arc::new(FromCountersAndTime),
    ]
}

fn complexity<'a>(names: impl IntoIterator<Item = &'a str>, name: &str) -> i16 {
    let place = names.into_iter().position(|it| it == name);
    place.map_or(i16::MAX, |it| i16::try_from(it).unwrap_or(i16::MAX))
}
