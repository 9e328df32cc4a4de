//! What crosses devices as methods like any other. The columns are the source's counters, and its time
//! where it is known, named [`SOURCE_TIME`]; the response is the target's time.

use ndarray::{Array1, Axis};

use super::{
    AcrossError, Ceilings, Costs, Demands, Pair, Paper, Roles, Workloads, folds::weights,
    weighted_median::weighted_median,
};
use crate::{
    Cost, Costs as Sum, DropReason, Dropped, FitError, Fitted, Form, Method, OrdinaryLeastSquares,
    Seen, Training,
};

/// The name of the column with the source's time.
pub const SOURCE_TIME: &str = "source_time";

/// [`ByNearestCeiling`]'s name.
pub const BY_NEAREST_CEILING: &str = "across_ceilings";

/// The name of [`super::ByCeilings`]: no [`Method`], since its rows are of several devices.
pub const BY_CEILINGS: &str = "across_by_ceilings";

/// The names of all, the simplest first.
pub const NAMES: [&str; 7] = [
    BY_NEAREST_CEILING,
    "across_median_ratio",
    "across_counters",
    "paper_counters",
    "paper_counters_and_time",
    "across_counters_and_time",
    BY_CEILINGS,
];

/// A fit across devices: what [`Form::Across`] holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Across {
    /// From the source's counters alone.
    Counters(Costs),
    /// From its counters and its time.
    CountersAndTime {
        /// The fit.
        pair: Box<Pair>,
        /// The column of the source's time.
        time: usize,
    },
    /// The plain baseline: its time by the devices' ceilings.
    Ceilings {
        /// The ceilings and what asks for them.
        scaled: Box<ByNearestCeiling>,
        /// The column of the source's time.
        time: usize,
    },
}

/// Non-negative costs of the source's counters ([`Costs`]).
#[derive(Clone, Copy, Debug)]
pub struct FromCounters;

/// The source's time, by its costs and by likeness ([`Pair`]).
#[derive(Clone, Copy, Debug)]
pub struct FromCountersAndTime;

/// The plainest: the source's time times the median ratio of the two devices' times, each kernel counted
/// once.
#[derive(Clone, Copy, Debug)]
pub struct ByMedianRatio;

/// The baseline beside every forecast across devices ([`super::scaled_by_ceilings`]). It learns nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct ByNearestCeiling {
    /// What the source can do at most.
    pub source: Ceilings,
    /// What the target can do at most.
    pub target: Ceilings,
    /// Which columns make up the demand; filled in by a fit.
    pub demands: Demands,
}

impl Method for FromCounters {
    fn name(&self) -> &'static str {
        "across_counters"
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        let (workloads, rows) = together(training, None)?;
        let costs = Costs::fit(&workloads, TARGET, &rows)?;
        Ok(across(training, Across::Counters(costs)))
    }
}

impl Method for FromCountersAndTime {
    fn name(&self) -> &'static str {
        "across_counters_and_time"
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        let time = source_time(training)?;
        let (workloads, rows) = together(training, Some(time))?;
        let pair = Box::new(Pair::fit(&workloads, [SOURCE, TARGET], &rows)?);
        Ok(across(training, Across::CountersAndTime { pair, time }))
    }
}

impl Method for ByMedianRatio {
    fn name(&self) -> &'static str {
        "across_median_ratio"
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        let time = source_time(training)?;
        let ratios = &training.y / &training.x.column(time);
        let ratio = weighted_median(&ratios.to_vec(), &weights(training.kernels));
        if !ratio.is_finite() {
            return Err(FitError::NotFinite);
        }
        let term = Cost {
            column: time,
            over: Vec::new(),
            seconds: ratio,
        };
        let form = Form::Costs(Sum {
            constant: 0.0,
            terms: vec![term],
            p: 1.0,
        });
        Ok(fitted(training, form, &[time]))
    }
}

impl Method for ByNearestCeiling {
    fn name(&self) -> &'static str {
        BY_NEAREST_CEILING
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        let time = source_time(training)?;
        let copies = [&self.source, &self.target].map(|it| it.copy_bytes_per_s);
        if copies.iter().any(Option::is_none) {
            return Err(AcrossError::NoCommonCeiling.into());
        }
        let scaled = Box::new(Self {
            demands: Demands::of(training.counters),
            ..self.clone()
        });
        Ok(across(training, Across::Ceilings { scaled, time }))
    }
}

impl Method for Paper {
    fn name(&self) -> &'static str {
        Paper::name(*self)
    }

    fn revision(&self) -> u32 {
        OrdinaryLeastSquares.revision()
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        OrdinaryLeastSquares.fit(training)
    }

    fn forecasts_without(
        &self,
        training: &Training<'_>,
        folds: &[usize],
    ) -> Option<Vec<Result<f64, FitError>>> {
        OrdinaryLeastSquares.forecasts_without(training, folds)
    }
}

/// The devices' places in [`together`].
const SOURCE: usize = 0;
const TARGET: usize = 1;

fn source_time(training: &Training<'_>) -> Result<usize, AcrossError> {
    let found = training.counters.iter().position(|it| it == SOURCE_TIME);
    found.ok_or(AcrossError::NoSourceTime)
}

/// The rows as workloads of two devices, and all their places. Without a source's time the target stands
/// for both.
fn together(
    training: &Training<'_>,
    time: Option<usize>,
) -> Result<(Workloads, Vec<usize>), AcrossError> {
    let target = training.y.to_owned();
    let source = time.map_or_else(
        || target.clone(),
        |time| training.x.index_axis(Axis(1), time).to_owned(),
    );
    let times: [(String, Array1<f64>); 2] =
        [(SOURCE.to_string(), source), (TARGET.to_string(), target)];
    let workloads = Workloads::new(
        training.counters.to_vec(),
        training.kernels.iter().map(ToString::to_string).collect(),
        training.x.to_owned(),
        times.into(),
        Roles::of(training.counters)?,
    )?;
    let rows = (0..workloads.len()).collect();
    Ok((workloads, rows))
}

fn across(training: &Training<'_>, form: Across) -> Fitted {
    let columns = form.columns();
    fitted(training, Form::Across(form), &columns)
}

/// `columns`: those that the form asks.
fn fitted(training: &Training<'_>, form: Form, columns: &[usize]) -> Fitted {
    let others = (0..training.counters.len()).filter(|column| !columns.contains(column));
    let dropped = others.map(|column| Dropped {
        column,
        reason: DropReason::NoRole,
    });
    Fitted {
        seen: Seen::learn(training.x, Array1::ones(training.y.len()).view()),
        dropped: dropped.collect(),
        form,
    }
}
