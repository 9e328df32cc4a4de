//! Attacks on a device's forecasts by somebody who may upload for it: what the gate lets through, and how far the
//! champion then moves. `make attacks` makes ten thousand of them; a test of each build some of them.

mod attack;
mod data;
mod world;

use std::{collections::BTreeMap, env, ops::Range};

use rayon::prelude::*;

use self::{
    attack::{Attack, attack},
    data::read,
    world::{Outcome, World},
};

/// The test of each build tries no hundreds of new kernels, which take long to fit.
const FEW: usize = 100;

#[test]
fn hardly_an_attack_moves_forecasts_unnoticed() {
    let world = World::new(read("older/nvidia-h200.jsonl.zst", "ncu"));
    let outcomes = suffer(&world, 0..60, FEW);
    let named = outcomes.iter().filter(|it| it.1.is_named()).count();
    let silent = outcomes.iter().map(|it| &it.1).filter(|it| !it.is_named());
    let beyond = silent.clone().filter(|it| it.moved()).count();
    assert!(2 * named > outcomes.len(), "{named} of {}", outcomes.len());
    assert!(
        50 * beyond <= outcomes.len(),
        "{beyond} of {}",
        outcomes.len()
    );
    for outcome in silent {
        assert!(outcome.median < 0.1, "{outcome:?}");
    }
}

/// Sixty-one kernels that the suite has had since, and all others measured again.
#[test]
fn honest_uploads_are_hardly_ever_quarantined() {
    let world = World::new(read("older/nvidia-h200.jsonl.zst", "ncu"));
    let upload = |kind: &str, samples| Attack {
        kind: kind.to_owned(),
        uploads: vec![samples],
    };
    let (further, _) = read("older/nvidia-h200-further.jsonl.zst", "ncu");
    let outcome = world.suffer(1, &upload("further", further));
    assert_eq!(outcome.uploaded, 505);
    assert!(50 * outcome.quarantined <= outcome.uploaded, "{outcome:?}");
    let mut again = world.measured.clone();
    for (at, it) in again.iter_mut().enumerate() {
        it.median_s *= [0.93, 1.0, 1.01, 0.99, 1.08, 1.0, 1.2][at % 7];
    }
    let outcome = world.suffer(1, &upload("again", again));
    assert_eq!(outcome.quarantined, 0, "{outcome:?}");
    assert!(!outcome.moved(), "{outcome:?}");
}

#[test]
#[ignore = "takes ten minutes: make attacks"]
fn ten_thousand_attacks() {
    let world = World::new(read("older/nvidia-h200.jsonl.zst", "ncu"));
    let from = number("FROM", 0);
    let numbers = from..from + number("COUNT", 10_000);
    report(&suffer(&world, numbers, usize::MAX));
}

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |it: String| it.parse().expect("a number"))
}

/// The attacks of these numbers that upload no more than `most` samples: their kinds, and what came of them.
fn suffer(world: &World, numbers: Range<u64>, most: usize) -> Vec<(String, Outcome)> {
    let one = |number| {
        let attack = attack(number, &world.measured);
        if attack.uploads.iter().map(Vec::len).sum::<usize>() > most {
            return None;
        }
        let outcome = world.suffer(number, &attack);
        if outcome.moved() && outcome.quarantined == 0 {
            let fate = FATES[fate(&outcome)];
            eprintln!("{fate}: {number} {} {outcome:?}", attack.kind);
        }
        Some((attack.kind, outcome))
    };
    numbers.into_par_iter().filter_map(one).collect()
}

/// What came of an attack, in one word: of those that nobody is told of by how much forecasts moved.
const FATES: [&str; 5] = ["quarantined", "held", "moved", "within", "beyond"];

fn fate(it: &Outcome) -> usize {
    match it {
        _ if it.quarantined > 0 => 0,
        _ if it.is_held => 1,
        _ if it.is_news => 2,
        _ if !it.moved() => 3,
        _ => 4,
    }
}

fn report(outcomes: &[(String, Outcome)]) {
    let all = || outcomes.iter().map(|it| &it.1);
    let silent = || all().filter(|it| !it.is_named());
    let samples: usize = all().map(|it| it.uploaded).sum();
    let quarantined: usize = all().map(|it| it.quarantined).sum();
    eprintln!("{samples} samples, {quarantined} quarantined");
    for (whose, median, worst, unseen) in [shifts("all", all()), shifts("unnamed", silent())] {
        eprintln!(
            "{whose}: median shift {median}; worst {worst}; worst of unseen kernels {unseen}"
        );
    }
    let mut kinds: BTreeMap<&str, [usize; FATES.len()]> = BTreeMap::new();
    for (kind, it) in outcomes {
        for kind in [kind, "all"] {
            kinds.entry(kind).or_default()[fate(it)] += 1;
        }
    }
    let row = |kind: &str, cells: [String; FATES.len()]| {
        let cells: Vec<String> = cells.iter().map(|it| format!("{it:>12}")).collect();
        eprintln!("{kind:32}{}", cells.concat());
    };
    row("attacks", FATES.map(str::to_owned));
    for (kind, fates) in kinds {
        row(kind, fates.map(|it| it.to_string()));
    }
}

fn shifts<'a>(
    whose: &'a str,
    outcomes: impl Iterator<Item = &'a Outcome> + Clone,
) -> (&'a str, String, String, String) {
    let of = |shift: fn(&Outcome) -> f64| quantiles(outcomes.clone().map(shift).collect());
    (
        whose,
        of(|it| it.median),
        of(|it| it.worst),
        of(|it| it.worst_unseen),
    )
}

/// The median, the 99th percentile and the largest of shifts.
fn quantiles(mut shifts: Vec<f64>) -> String {
    shifts.sort_by(f64::total_cmp);
    let at = |percent: usize| shifts.get(shifts.len().saturating_sub(1) * percent / 100);
    let share = |percent| 100.0 * at(percent).copied().unwrap_or(0.0);
    format!(
        "{:.2} %, 99 %: {:.1} %, most: {:.1} %",
        share(50),
        share(99),
        share(100)
    )
}
