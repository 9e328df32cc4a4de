//! What somebody with one agent's token may try.

use std::sync::Arc;

use kerncast_training::gate::SampleCounters;
use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{Rng, SeedableRng},
};

use super::data::Measured;

/// Uploads, one a day.
pub(crate) struct Attack {
    /// What kind it is.
    pub(crate) kind: String,
    pub(crate) uploads: Vec<Vec<Measured>>,
}

pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `n`.
    fn below(&mut self, n: usize) -> usize {
        whole(self.share() * n as f64).min(n - 1)
    }

    /// Log-uniform in 1/most to most.
    pub(crate) fn factor(&mut self, most: f64) -> f64 {
        most.powf(2.0 * self.share() - 1.0)
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// `n` of `all`, each once.
    pub(crate) fn some<'a, T>(&mut self, all: &'a [T], n: usize) -> Vec<&'a T> {
        let mut places: Vec<usize> = (0..all.len()).collect();
        (0..n.min(all.len()))
            .map(|at| {
                let other = at + self.below(places.len() - at);
                places.swap(at, other);
                &all[places[at]]
            })
            .collect()
    }
}

/// The whole part of a small number.
fn whole(number: f64) -> usize {
    (1_u32..).take_while(|it| f64::from(*it) <= number).count()
}

#[derive(Clone, Copy, Debug)]
enum Targets {
    One,
    Some,
    Kernel,
    All,
}

#[derive(Clone, Copy, Debug)]
enum As {
    Known,
    NewSizes,
    NewKernel,
    NewKernels,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    /// One factor for all times.
    Times,
    /// Each its own.
    EachTime,
    Zeroed,
    Swapped,
    Scaled,
    Both,
    /// Times by little, which a gate can't tell from noise; repeated day by day.
    Hidden,
}

/// Choices of an attack: those that stand more than once are tried more often.
const TARGETS: [Targets; 5] = [
    Targets::One,
    Targets::Some,
    Targets::Some,
    Targets::Kernel,
    Targets::All,
];
const NAMES: [As; 5] = [
    As::Known,
    As::Known,
    As::NewSizes,
    As::NewKernel,
    As::NewKernels,
];
const CHANGES: [Change; 10] = [
    Change::Times,
    Change::Times,
    Change::Times,
    Change::EachTime,
    Change::Zeroed,
    Change::Swapped,
    Change::Scaled,
    Change::Both,
    Change::Hidden,
    Change::Hidden,
];

/// The attack of this number on honest samples.
pub(crate) fn attack(number: u64, honest: &[Measured]) -> Attack {
    let mut dice = Dice::new(number);
    let targets = dice.one_of(&TARGETS);
    let names = dice.one_of(&NAMES);
    let change = dice.one_of(&CHANGES);
    let mut samples = choose(targets, &mut dice, honest);
    match names {
        As::Known => {}
        As::NewSizes => samples.iter_mut().for_each(|it| it.sizes += " larger"),
        As::NewKernel => rename(&mut samples, |_| "mallorys".to_owned()),
        As::NewKernels => rename(&mut samples, |at| format!("mallorys_{at}")),
    }
    for it in &mut samples {
        it.median_s *= dice.factor(1.05);
    }
    Attack {
        kind: format!("{change:?} {names:?} {targets:?}"),
        uploads: uploads(change, &samples, &mut dice, honest),
    }
}

/// The honest samples that an attack changes.
fn choose(targets: Targets, dice: &mut Dice, honest: &[Measured]) -> Vec<Measured> {
    match targets {
        Targets::One => dice.some(honest, 1).into_iter().cloned().collect(),
        Targets::Some => {
            let most = honest.len() as f64 / 20.0;
            let n = whole(most.powf(dice.share()).round());
            dice.some(honest, n).into_iter().cloned().collect()
        }
        Targets::Kernel => {
            let kernel = &dice.some(honest, 1)[0].kernel;
            let of_kernel = honest.iter().filter(|it| it.kernel == *kernel);
            of_kernel.cloned().collect()
        }
        Targets::All => honest.to_vec(),
    }
}

/// The samples as changed for each day's upload.
fn uploads(
    change: Change,
    samples: &[Measured],
    dice: &mut Dice,
    honest: &[Measured],
) -> Vec<Vec<Measured>> {
    let days = match change {
        Change::Hidden if samples.len() < 100 => dice.one_of(&[1, 1, 3, 6]),
        _ => 1,
    };
    let factor = dice.factor(1e9);
    let most = dice.one_of(&[1.1, 1.3, 2.0, 5.0]);
    let little = dice.factor(most);
    let is_steady = dice.share() < 0.5;
    let upload = |day| {
        let mut upload = samples.to_vec();
        match change {
            Change::Times => scale_times(&mut upload, |_| factor),
            Change::EachTime => scale_times(&mut upload, |_| dice.factor(1e9)),
            Change::Zeroed => scale_counters(&mut upload, dice, 0.0),
            Change::Scaled => scale_counters(&mut upload, dice, factor),
            Change::Swapped => swap(&mut upload, dice, honest),
            Change::Both => {
                scale_times(&mut upload, |_| factor);
                scale_counters(&mut upload, dice, factor);
            }
            // Day by day further from where it began.
            Change::Hidden if is_steady => {
                scale_times(&mut upload, |_| little.powi(day + 1));
            }
            Change::Hidden => scale_times(&mut upload, |_| dice.factor(most)),
        }
        upload
    };
    (0..days).map(upload).collect()
}

fn rename(samples: &mut [Measured], name: impl Fn(usize) -> String) {
    for (at, it) in samples.iter_mut().enumerate() {
        it.sizes = format!("{} {}", it.kernel, it.sizes);
        it.kernel = name(at);
        it.family = Some("mallorys".to_owned());
    }
}

fn scale_times(upload: &mut [Measured], mut factor: impl FnMut(usize) -> f64) {
    for (at, it) in upload.iter_mut().enumerate() {
        it.median_s *= factor(at);
    }
}

/// One counter, a tenth of them, or all.
fn scale_counters(upload: &mut [Measured], dice: &mut Dice, factor: f64) {
    let names: Vec<Arc<str>> = upload[0].counters.keys().cloned().collect();
    let n = dice.one_of(&[1, names.len() / 10, names.len()]);
    let names = dice.some(&names, n);
    for it in upload {
        for name in &names {
            if let Some(value) = it.counters.get_mut(*name) {
                *value *= factor;
            }
        }
    }
}

/// Two counters of each sample, or all with another workload's.
fn swap(upload: &mut [Measured], dice: &mut Dice, honest: &[Measured]) {
    let names: Vec<Arc<str>> = upload[0].counters.keys().cloned().collect();
    let [one, other] = dice.some(&names, 2)[..] else {
        return;
    };
    let with_another = dice.share() < 0.5;
    for it in upload {
        if with_another {
            let others: SampleCounters = dice.some(honest, 1)[0].counters.clone();
            it.counters = others;
        } else if let (Some(&a), Some(&b)) = (it.counters.get(one), it.counters.get(other)) {
            it.counters.insert(one.clone(), b);
            it.counters.insert(other.clone(), a);
        }
    }
}
