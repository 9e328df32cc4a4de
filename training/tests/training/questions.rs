//! What samples can answer.

use kerncast_profilers::{catalogue::of_provider, sass::Chain};
use kerncast_training::{Candidate, Question, Response, Samples, questions};
use kerncast_wire::Role;

use super::data::{COUNTED_ON, COUNTERS, TARGET, question, samples};

#[test]
fn a_device_answers_for_its_times_and_its_variants() {
    let of_samples =
        |samples: &Samples, counted_on, provider: &str| -> Vec<(String, Option<String>)> {
            let questions = questions(samples, TARGET, counted_on, provider).into_iter();
            questions
                .map(|it| (it.response.to_string(), it.variant))
                .collect()
        };
    let of =
        |response: &str, variant: Option<&str>| (response.to_owned(), variant.map(str::to_owned));
    assert_eq!(
        of_samples(&samples(TARGET), None, "oclgrind"),
        [of("time", None), of("time", Some("global"))]
    );
    assert_eq!(
        of_samples(&samples(COUNTED_ON), Some(COUNTED_ON), "oclgrind"),
        [of("time", None)]
    );
}

/// Files of ncu's metrics have no chains, and those of its sections less: beside the fit with all there is one for
/// each.
#[test]
fn what_a_file_can_not_have_can_be_done_without() {
    let of_role = |role| {
        let mut counters = of_provider("ncu").filter(|it| it.role == Some(role));
        format!("ncu:{}", counters.next().expect("ncu counts it").name)
    };
    let warps = of_role(Role::Warps);
    let chain = format!("ncu:{}", Chain::ALL[0].1);
    let fitted = |second: &str| -> Vec<(String, Vec<String>)> {
        let mut samples = samples(TARGET);
        let names = [&warps, second, COUNTERS[2], COUNTERS[3]];
        samples.counters = names.into_iter().map(str::to_owned).zip(0..).collect();
        let question = Question {
            provider: "ncu".to_owned(),
            ..question(None, Response::Time)
        };
        let all = Candidate::all(&question, &samples).into_iter();
        all.map(|it| (it.specification.method, it.specification.counters))
            .filter(|(method, _)| method.starts_with("waves_forest"))
            .collect()
    };
    let with_chains = fitted(&chain);
    let methods = |of: &[(String, Vec<String>)]| -> Vec<String> {
        of.iter().map(|(method, _)| method.clone()).collect()
    };
    let (sections, metrics) = ("waves_forest_sections", "waves_forest_metrics");
    assert_eq!(methods(&with_chains), [sections, metrics, "waves_forest"]);
    let [(_, fewest), (_, few), (_, all)] = &with_chains[..] else {
        panic!("{with_chains:?}");
    };
    assert!(all.contains(&chain) && !few.contains(&chain) && !fewest.contains(&chain));
    assert_eq!(few.len() + 1, all.len());
    // No section prints instructions by pipe.
    let pipe = of_role(Role::AluInstructions);
    let by_pipe = fitted(&pipe);
    assert_eq!(methods(&by_pipe), [sections, "waves_forest"]);
    assert!(!by_pipe[0].1.contains(&pipe) && by_pipe[1].1.contains(&pipe));
    assert!(by_pipe[0].1.contains(&warps));
    let without = fitted(&of_role(Role::GlobalStores));
    assert_eq!(methods(&without), ["waves_forest"]);
}
