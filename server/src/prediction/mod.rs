//! Predictions: counter sets in, forecasts from stored fits out.

mod answer;
mod asked;
mod candidates;
mod champions;
mod columns;
mod contradiction;
mod explain;
mod file;
mod floor;
mod forecast;
mod kept;
mod limits;
mod others;
mod pending;
mod plan;
mod refusals;
mod speedups;
mod text;
mod trust;

pub(crate) use asked::{Asked, Wishes};
pub(crate) use champions::Champions;
pub(crate) use file::bytes_of_file;
pub(crate) use kept::Kept;
pub(crate) use plan::Plan;
pub(crate) use speedups::{no_better_than_always_the_same, speedups};
pub(crate) use text::Text;

use kerncast_wire::Prediction;

use crate::{App, error::Error};

/// All predictions of a short plan. A set that has no forecast on a device has a refusal there.
///
/// # Errors
/// Where a model or device is named that can't answer.
async fn predict(app: &App, asked: Asked) -> Result<Vec<Prediction>, Error> {
    let plan = Plan::new(app, asked).await?;
    Ok((0..plan.len()).map(|place| plan.predict(place).0).collect())
}
