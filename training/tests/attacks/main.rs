//! Ten thousand attacks on a device's forecasts, through the gate and the fit.

mod attack;
mod data;
mod world;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use rayon::prelude::*;

use crate::{
    attack::attack,
    data::read,
    world::{Outcome, World},
};

#[test]
#[ignore = "takes long"]
fn ten_thousand_attacks() {
    let from: u64 = std::env::var("FROM").map_or(0, |it| it.parse().unwrap());
    let count: u64 = std::env::var("COUNT").map_or(10_000, |it| it.parse().unwrap());
    let world = World::new(read("nvidia-h200.jsonl.zst", "ncu"));
    let done = AtomicUsize::new(0);
    let start = Instant::now();
    let outcomes: Vec<(u64, String, Outcome)> = (from..from + count)
        .into_par_iter()
        .map(|number| {
            let attack = attack(number, &world.known);
            let outcome = world.suffer(number, &attack);
            let n = done.fetch_add(1, Ordering::Relaxed) + 1;
            if n % 100 == 0 {
                eprintln!(
                    "{n} of {count} after {:.0} s",
                    start.elapsed().as_secs_f64()
                );
            }
            if outcome.moved() && !outcome.named() {
                eprintln!("{number} {} {outcome:?}", attack.kind);
            }
            (number, attack.kind, outcome)
        })
        .collect();
    report(&outcomes);
}

fn report(outcomes: &[(u64, String, Outcome)]) {
    let quantiles = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        let at = |share: f64| {
            all.get(((all.len().max(1) - 1) as f64 * share) as usize)
                .copied()
                .unwrap_or(0.0)
        };
        format!(
            "median {:.2} %, 99 % {:.1} %, worst {:.1} %",
            100.0 * at(0.5).exp_m1(),
            100.0 * at(0.99).exp_m1(),
            100.0 * at(1.0).exp_m1()
        )
    };
    let n = outcomes.len();
    let named = outcomes.iter().filter(|it| it.2.quarantined > 0).count();
    let held = outcomes.iter().filter(|it| it.2.held).count();
    let silent: Vec<_> = outcomes.iter().filter(|it| !it.2.named()).collect();
    let beyond = silent.iter().filter(|it| it.2.moved()).count();
    eprintln!(
        "{n} attacks: {named} with quarantined samples, {held} held, {} neither; of these {beyond} beyond",
        silent.len()
    );
    let (sent, kept): (usize, usize) = outcomes.iter().fold((0, 0), |(a, b), it| {
        (a + it.2.uploaded, b + it.2.quarantined)
    });
    eprintln!("samples {sent}, quarantined {kept}");
    eprintln!(
        "median shift of all: {}",
        quantiles(outcomes.iter().map(|it| it.2.median).collect())
    );
    eprintln!(
        "worst shift of all: {}",
        quantiles(outcomes.iter().map(|it| it.2.worst).collect())
    );
    eprintln!(
        "median shift of silent: {}",
        quantiles(silent.iter().map(|it| it.2.median).collect())
    );
    eprintln!(
        "worst shift of silent: {}",
        quantiles(silent.iter().map(|it| it.2.worst).collect())
    );
    eprintln!(
        "worst unseen of silent: {}",
        quantiles(silent.iter().map(|it| it.2.worst_unseen).collect())
    );
    let mut kinds: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (_, kind, it) in outcomes {
        let of = kinds.entry(kind).or_default();
        of[0] += 1;
        of[1] += usize::from(it.named());
        of[2] += usize::from(!it.named() && it.moved());
        of[3] += usize::from(it.named() && it.moved());
    }
    for (kind, [all, named, beyond, named_moved]) in kinds {
        eprintln!(
            "{kind:32} {all:5} named {named:5} beyond {beyond:5} named but moved {named_moved:5}"
        );
    }
}
