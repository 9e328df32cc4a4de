use kerncast_models::Contender;
use kerncast_profilers::catalogue::of_provider;
use kerncast_wire::Role;
use serde_json::json;

use super::*;
use crate::forecasts::request::ForecastRequest;

/// A model of the device 1, off by `factor` on average.
fn model(number: u128, provider: &str, counters: &[&str], factor: f64) -> RankedModel {
    RankedModel {
        id: Uuid::from_u128(number),
        key: ModelKey {
            device: 1,
            counted_on: None,
            provider: provider.to_owned(),
        },
        method: format!("method_{number}"),
        standard: true,
        counters: counters
            .iter()
            .map(|it| format!("{provider}:{it}"))
            .collect(),
        has_intervals: true,
        contender: Contender {
            all_variants: true,
            complete: true,
            complexity: 1,
            error: Some(factor.ln()),
            kernels: BTreeMap::new(),
        },
    }
}

/// Which answers, or what is expected.
fn best(models: Vec<RankedModel>, request: serde_json::Value) -> Result<u128, String> {
    let request = read(request);
    let candidates = Candidates::new(models);
    let selection = candidates.select(&request, 1, false, &request.sets[0]);
    let model = selection.map(|it| it.id.as_u128());
    model.map_err(|problem| problem.expected)
}

fn read(request: serde_json::Value) -> ForecastRequest {
    let request = serde_json::from_value(request).expect("a request");
    ForecastRequest::from_json(request).expect("in order")
}

#[test]
fn a_model_far_worse_than_the_champion_is_no_stand_in_for_it() {
    let models = |factor| {
        let champion = model(1, "ncu", &["a", "b"], 1.2);
        vec![champion, model(2, "ncu", &["a"], factor)]
    };
    let all = json!({ "device": 1, "counters": { "ncu": { "a": 1, "b": 1 } } });
    assert_eq!(best(models(19.0), all), Ok(1));
    let some = json!({ "device": 1, "counters": { "ncu": { "a": 1 } } });
    assert_eq!(best(models(2.3), some.clone()), Ok(2));
    let why = best(models(19.0), some).expect_err("only a bad one is left");
    assert!(
        why.contains("ncu:b are missing (`kerncast metrics ncu`"),
        "{why}"
    );
    assert!(why.contains("off by ×/÷ 19"), "{why}");
    let by_name = json!({ "device": 1, "method": "ols", "counters": { "ncu": { "a": 1 } } });
    let mut named = models(19.0);
    named[1].method = "ols".to_owned();
    assert_eq!(best(named, by_name), Ok(2));
}

#[test]
fn what_is_missing_of_the_model_that_lacks_the_fewest_is_said() {
    let of_role = |role| {
        let mut counters = of_provider("ncu").filter(|it| it.role == Some(role));
        counters.next().expect("ncu counts it").name.as_str()
    };
    let [warps, requests, pipe] =
        [Role::Warps, Role::L2Requests, Role::AluInstructions].map(of_role);
    let models = |nearest: &[&str]| {
        vec![
            model(1, "ncu", &[warps, requests, pipe, "own"], 1.1),
            model(2, "ncu", nearest, 1.3),
            model(3, "ncu", &[warps], 19.0),
        ]
    };
    let file = json!({ "device": 1, "counters": { "ncu": { warps: 1 } } });
    let why = best(models(&[warps, requests]), file.clone()).expect_err("two are bad");
    assert!(
        why.contains(&format!("method_2 takes: ncu:{requests} are missing")),
        "{why}"
    );
    assert!(
        why.contains("; `ncu --set full` prints them too; method_3"),
        "{why}"
    );
    assert!(why.contains("where method_2 is off by ×/÷ 1.3"), "{why}");
    // No section has that.
    let why = best(models(&[warps, pipe]), file).expect_err("two are bad");
    assert!(!why.contains("--set full"), "{why}");
}

#[test]
fn the_champion_that_could_not_answer_is_named() {
    let models = vec![
        model(1, "ncu", &["a", "b"], 1.2),
        model(2, "ncu", &["a"], 2.3),
    ];
    let candidates = Candidates::new(models);
    for (counters, named) in [
        (json!({ "a": 1 }), Some("method_1")),
        (json!({ "a": 1, "b": 1 }), None),
    ] {
        let request = json!({ "device": 1, "counters": { "ncu": counters } });
        let request = read(request);
        let selection = candidates.select(&request, 1, false, &request.sets[0]);
        let unable = selection.expect("one answers").unable_champion;
        assert_eq!(unable, named);
    }
}

#[test]
fn what_would_be_answered_more_surely_is_said() {
    let models = vec![
        model(1, "ncu", &["a"], 1.1),
        model(2, "ncu", &["a"], 1.05),
        model(3, "analysis", &["b"], 1.25),
        model(4, "oclgrind", &["c"], 1.3),
        model(5, "launch", &["d"], 1.01),
    ];
    let candidates = Candidates::new(models);
    let better = |provider: &str, answering| {
        let counters = json!({ provider: { "c": 1, "b": 1 } });
        let request = json!({ "device": 1, "counters": counters });
        let request = read(request);
        let better = candidates.better(1, &request.sets[0], Uuid::from_u128(answering));
        let named = better.into_iter().map(|it| (it.provider, it.factor));
        named.collect::<Vec<_>>()
    };
    // Each provider's champion, however good another of its models looks; of a little less error nothing is said.
    let of_oclgrind = better("oclgrind", 4);
    assert_eq!(of_oclgrind.len(), 1, "{of_oclgrind:?}");
    assert_eq!(of_oclgrind[0].0, "ncu");
    assert!((of_oclgrind[0].1 - 1.1).abs() < 1e-9);
    assert!(better("ncu", 1).is_empty());
}

#[test]
fn the_geometry_alone_answers_only_where_nothing_else_could() {
    let launch = || model(1, "launch", &["work_items"], 1.1);
    let counted = || model(2, "oclgrind", &["a", "b"], 3.0);
    let geometry = || json!({ "device": 1, "counters": { "launch": { "work_items": 1 } } });
    assert_eq!(best(vec![launch()], geometry()), Ok(1));
    let why = best(vec![launch(), counted()], geometry()).expect_err("no counts");
    assert!(
        why.contains("know: oclgrind; the launch's geometry alone"),
        "{why}"
    );
    let some = json!({ "device": 1, "counters": { "launch": { "work_items": 1 }, "oclgrind": { "a": 1 } } });
    assert_eq!(best(vec![launch(), counted()], some), Ok(2));
}
