//! Predictions: counter sets in, forecasts from stored fits out.

mod answer;
mod asked;
mod candidates;
mod columns;
mod explain;
mod file;
mod forecast;
mod kept;
mod speedups;

pub(crate) use asked::{Asked, Wishes};
pub(crate) use kept::Kept;
pub(crate) use speedups::speedups;

use std::sync::Arc;

use axum::http::StatusCode;
use kerncast_wire::{FieldProblem, Forecast, Outcome, Prediction, Predictions, Refused};
use uuid::Uuid;

use crate::{
    App,
    db::speedups::FORMER_RESPONSE,
    error::Error,
    problem::{field, field_problem, unprocessable},
};
use answer::Answering;
use asked::By;
use forecast::{Beside, forecast};
use kept::TIME;

/// Most problems of sets in one answer.
const MOST_PROBLEMS: usize = 100;

/// Every set on every device, by the model named, or by champions, or by the best of a method. A set that
/// has no forecast on a device gets a refusal there.
///
/// # Errors
/// Where no set has a forecast on any device, or a model or device is named that can't answer.
pub(crate) async fn predict(app: &App, asked: Asked) -> Result<Predictions, Error> {
    let candidates = app.kept.candidates(&app.pool).await?;
    let forecasters = Forecasters {
        app,
        level: asked.level,
    };
    let (named, devices) = match asked.by {
        By::Model(model) => {
            let device = forecasters.named(model, &asked).await?;
            (Some(model), vec![device])
        }
        By::Champions | By::Method(_) => (None, candidates.devices(&asked)?),
    };
    let mut outcomes = Vec::new();
    for (place, set) in (0..).zip(&asked.sets) {
        for &device in &devices {
            let model = named.map_or_else(|| candidates.best(&asked, device, set), Ok);
            let outcome = match model {
                Ok(model) => {
                    let answering = forecasters.get(model).await?;
                    let to = (device, &*answering.forecaster.provider);
                    let paper = candidates.baseline(&asked, to, set);
                    let ceilings = candidates.by_ceilings(&asked, to, set);
                    let beside = Beside {
                        paper: forecasters.other(paper, model).await?,
                        ceilings: forecasters.other(ceilings, model).await?,
                    };
                    forecast(&answering, &beside, set)
                }
                Err(problem) => Err(problem),
            };
            outcomes.push((place, set, device, outcome));
        }
    }
    if outcomes.iter().all(|(.., outcome)| outcome.is_err()) {
        let problems = outcomes.into_iter().filter_map(|(.., it)| it.err());
        return Err(none_of(problems.collect()).into());
    }
    let predictions = outcomes
        .into_iter()
        .map(|(counter_set, set, device, outcome)| Prediction {
            counter_set,
            name: set.name.clone(),
            measured_s: set.measured_s,
            device,
            outcome: in_words(outcome),
        });
    Ok(Predictions {
        predictions: predictions.collect(),
        notes: asked.notes,
    })
}

/// Stored fits.
struct Forecasters<'a> {
    app: &'a App,
    /// Of the intervals.
    level: f64,
}

impl Forecasters<'_> {
    async fn get(&self, model: Uuid) -> Result<Arc<Answering>, Error> {
        let found = self.app.kept.fit(&self.app.pool, model, self.level).await?;
        // Models are never deleted.
        Ok(found.ok_or(sqlx::Error::RowNotFound)?)
    }

    /// A baseline, where it is not what answers.
    async fn other(
        &self,
        baseline: Option<Uuid>,
        answers: Uuid,
    ) -> Result<Option<Arc<Answering>>, Error> {
        match baseline.filter(|&baseline| baseline != answers) {
            Some(baseline) => self.get(baseline).await.map(Some),
            None => Ok(None),
        }
    }

    /// The device of the model that was named.
    async fn named(&self, model: Uuid, asked: &Asked) -> Result<i64, Error> {
        let found = self.app.kept.fit(&self.app.pool, model, self.level).await?;
        let Some(answering) = found else {
            let expected = "a model's id; /v1/models lists them";
            return Err(unprocessable(asked.field("model"), model, expected).into());
        };
        let forecaster = &answering.forecaster;
        let device = forecaster.device;
        if let Some(other) = asked.devices.iter().find(|&&asked| asked != device) {
            let expected = format!("{device}, the device of the model named, or none");
            return Err(unprocessable(asked.field("device"), other, expected).into());
        }
        if forecaster.counted_on != asked.counted_on {
            let expected = match forecaster.counted_on {
                Some(counted_on) => {
                    format!("{counted_on}, the device that the model named was counted on")
                }
                None => "no counted_on: the model named forecasts from the device's own counters"
                    .to_owned(),
            };
            let found = asked
                .counted_on
                .map_or("absent".to_owned(), |it| it.to_string());
            return Err(unprocessable(asked.field("counted_on"), found, expected).into());
        }
        let none = match (&forecaster.fit, &*forecaster.response) {
            (Err(why), _) => Some(why.clone()),
            (Ok(_), TIME) => None,
            (Ok(_), FORMER_RESPONSE) => Some(
                "it forecasts a gain, 1 ÷ the speedup, as version 0.1 did; GET /v1/speedups lists the models \
                 of speedups"
                    .to_owned(),
            ),
            (Ok(_), response) => Some(format!("it forecasts {response}, no time")),
        };
        if let Some(why) = none {
            let expected = format!("a model with a fit; this one has none: {why}");
            return Err(unprocessable(asked.field("model"), model, expected).into());
        }
        Ok(device)
    }
}

fn in_words(outcome: Result<Forecast, FieldProblem>) -> Outcome {
    match outcome {
        Ok(forecast) => Outcome::Forecast(Box::new(forecast)),
        Err(problem) => {
            let FieldProblem {
                value, expected, ..
            } = problem;
            let found = value.map(|it| format!(", not {it}")).unwrap_or_default();
            Outcome::Refused(Refused {
                refusal: format!("expected {expected}{found}"),
            })
        }
    }
}

/// The problem of a request without any forecast: the first set's, with the others' beside it.
fn none_of(mut problems: Vec<FieldProblem>) -> kerncast_wire::Problem {
    let all = problems.len();
    problems.truncate(MOST_PROBLEMS);
    let first = problems.first().cloned();
    let first = first.unwrap_or_else(|| field("", "", "a counter set"));
    let mut problem = field_problem(StatusCode::UNPROCESSABLE_ENTITY, first);
    if let Some(detail) = problem.detail.as_mut().filter(|_| all > 1) {
        detail.push_str(&format!(
            "; there is no forecast for the {} others either",
            all - 1
        ));
    }
    problem.errors = problems;
    problem
}
