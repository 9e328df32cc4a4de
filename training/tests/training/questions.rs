//! What samples can answer.

use kerncast_profilers::{catalogue::of_provider, sass::Chain};
use kerncast_training::{Candidate, Question, Response, Samples, questions};
use kerncast_wire::Role;

use super::data::{COUNTED_ON, COUNTERS, TARGET, question, samples};

#[test]
fn a_device_answers_for_its_times_and_its_variants() {
    let asked = |samples: &Samples, counted_on, provider: &str| -> Vec<(String, Option<String>)> {
        let questions = questions(samples, TARGET, counted_on, provider).into_iter();
        questions
            .map(|it| (it.response.to_string(), it.variant))
            .collect()
    };
    let of =
        |response: &str, variant: Option<&str>| (response.to_owned(), variant.map(str::to_owned));
    assert_eq!(
        asked(&samples(TARGET), None, "oclgrind"),
        [of("time", None), of("time", Some("global"))]
    );
    assert_eq!(
        asked(&samples(COUNTED_ON), Some(COUNTED_ON), "oclgrind"),
        [of("time", None)]
    );
}

/// Files of ncu's metrics have no chains: beside the fit with them there is one without.
#[test]
fn what_comes_from_machine_code_can_be_done_without() {
    let of_role = |role| {
        let mut found = of_provider("ncu").filter(|it| it.role == Some(role));
        format!("ncu:{}", found.next().expect("ncu counts it").name)
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
    let [(one, few), (other, all)] = &with_chains[..] else {
        panic!("{with_chains:?}");
    };
    assert_eq!([&**one, other], ["waves_forest_metrics", "waves_forest"]);
    assert!(all.contains(&chain) && !few.contains(&chain));
    assert_eq!(few.len() + 1, all.len());
    let without = fitted(&of_role(Role::GlobalStores));
    let methods: Vec<&str> = without.iter().map(|(method, _)| &**method).collect();
    assert_eq!(methods, ["waves_forest"]);
}
