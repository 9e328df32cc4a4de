//! The regression core: how long a kernel takes, from its counters, and how far to trust that.
//!
//! A [`Dataset`] holds samples as numbers; a [`Method`] makes a [`Fitted`] of it; [`hold_out()`]
//! forecasts every row by a fit that has not seen it, [`errors()`] sums that up, and a [`Calibration`]
//! makes intervals of it. No I/O.
//!
//! The method that everything here starts from: Shimada, Endo, Maruyama, Matsuoka,
//! "OpenCLを用いた異種GPUにおける性能特性に応じた最適化", Tokyo Institute of Technology, 2010
//! ("the paper" below): T = a0 + Σ ai·pi, each counter pi scaled to mean 0 and variance 1, fitted by
//! least squares, judged by leaving out what it then forecasts.
//!
//! Shapes stand in brackets: n rows, p columns, k terms. In formulas and code, p and q are exponents.

mod averages;
mod champion;
mod dataset;
mod errors;
mod fitted;
mod folds;
mod hold_out;
mod intervals;
mod json;
mod methods;
mod non_negative;
mod rows;
mod scaler;
mod shift;
mod speedups;
mod warnings;

/// Across devices: what was counted on one device forecasts the time on another, the target.
pub mod across {
    pub use crate::{
        fitted::across::{Across, Costs, Pair, Roles, Scaled, Smooth, Term},
        methods::across::{
            ByMedianRatio, COUNTED_ON_TIME, FromCounters, FromCountersAndTime, NAMES, Paper,
            needed_counters,
        },
    };
}

pub use averages::upper_median;
pub use champion::{Contender, lead, may_succeed, rank, ranking_key};
pub use dataset::{Dataset, DatasetError};
pub use errors::{ErrorReport, errors};
pub use fitted::{
    Attribution, ChainWaits, Coefficient, ColumnRange, Conversion, Corrected, Cost, Costs,
    DropReason, Dropped, EventCost, Fitted, Forest, Form, Linear, Node, Outside, Resource, Split,
    Tree, Waves, Workers, widening,
};
pub use hold_out::{
    HoldOut, fit_without, forecast_by, forecast_without_kernels, hold_out, hold_out_without,
};
pub use intervals::{Calibration, Interval, coverage, coverage_by};
pub use kerncast_wire::{
    Coverage, Errors, HoldOutKey, KernelErrors, NoVerdict, SpeedupErrors, SpeedupVerdict,
};
pub use methods::{
    ByWaves, ExtraTrees, FitError, KnownCosts, METHODS, Method, NonNegativeLeastSquares,
    OrdinaryLeastSquares, PerWorker, Transfer, WavesForest, WavesForestTwin, is_transferable,
};
pub use rows::Rows;
pub use scaler::Scaler;
pub use shift::{Shift, forecast_shift};
pub use speedups::{LeftOutPair, SECOND_OPINION, SecondSpeedup, Speedups};
pub use warnings::warnings;
