//! A stored fit's parts with names, for people.

use kerncast_models::{ColumnRange, EventCost, Fitted, Form, Waves};
use kerncast_wire::{Coefficient, DroppedCounter, Fit, FitForm};

/// The parts of a fit to `counters`, whose response has this unit.
pub(super) fn named_parts(fitted: &Fitted, counters: &[String], unit: String) -> Fit {
    let (intercept, exponent, trees) = match &fitted.form {
        Form::Linear(linear) => (Some(linear.intercept), None, None),
        Form::Costs(costs) => (Some(costs.constant), Some(costs.p), None),
        Form::Waves(waves) => (Some(waves.constant), Some(waves.q), None),
        Form::Corrected(corrected) => (
            Some(corrected.costs.constant),
            Some(corrected.costs.q),
            Some(corrected.corrections.len()),
        ),
        Form::Forest(forest) => (None, None, Some(forest.trees.len())),
        Form::Across(_) => (None, None, None),
    };
    let dropped = fitted.dropped.iter().map(|it| DroppedCounter {
        counter: counters[it.column].clone(),
        reason: it.reason.in_words(counters),
    });
    Fit {
        unit,
        form: form(fitted),
        intercept,
        exponent,
        trees: trees.map(|it| u32::try_from(it).unwrap_or(u32::MAX)),
        coefficients: coefficients(fitted, counters),
        dropped: dropped.collect(),
    }
}

/// The word for a fit's form.
pub(crate) fn form(fitted: &Fitted) -> FitForm {
    match &fitted.form {
        Form::Linear(_) => FitForm::Linear,
        Form::Costs(_) => FitForm::Costs,
        Form::Waves(_) => FitForm::Waves,
        Form::Corrected(_) => FitForm::Corrected,
        Form::Forest(_) => FitForm::Forest,
        Form::Across(_) => FitForm::Across,
    }
}

fn coefficients(fitted: &Fitted, counters: &[String]) -> Vec<Coefficient> {
    let plain = |column: usize| {
        let ColumnRange { mean, min, max } = fitted.ranges[column];
        Coefficient {
            counter: counters[column].clone(),
            over: Vec::new(),
            mean,
            scale: None,
            weight: None,
            per_event: None,
            min,
            max,
        }
    };
    match &fitted.form {
        Form::Linear(linear) => linear
            .coefficients
            .iter()
            .map(|it| Coefficient {
                mean: it.mean,
                scale: Some(it.scale),
                weight: Some(it.weight),
                per_event: Some(it.weight / it.scale),
                ..plain(it.column)
            })
            .collect(),
        Form::Costs(costs) => costs
            .terms
            .iter()
            .map(|it| Coefficient {
                over: it.over.iter().map(|&over| counters[over].clone()).collect(),
                per_event: Some(it.seconds),
                ..plain(it.column)
            })
            .collect(),
        Form::Waves(waves) => of_waves(waves, counters, plain),
        Form::Corrected(corrected) => of_waves(&corrected.costs, counters, plain),
        Form::Forest(_) | Form::Across(_) => fitted.columns().map(plain).collect(),
    }
}

fn of_waves(
    waves: &Waves,
    counters: &[String],
    plain: impl Fn(usize) -> Coefficient,
) -> Vec<Coefficient> {
    let cost = |it: &EventCost| Coefficient {
        over: if it.resource.is_wait() {
            vec![counters[waves.workers.warps].clone()]
        } else {
            Vec::new()
        },
        per_event: Some(it.seconds),
        ..plain(it.column)
    };
    let shares = waves.spread_columns().map(&plain);
    waves.terms.iter().map(cost).chain(shares).collect()
}
