//! Fits from one device to another.

use kerncast_models::{
    Scaler,
    across::{
        Across, ByNearestCeiling, Ceilings, Costs, Demands, Pair, Roles, Scaled, Smooth, Term,
    },
};
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredAcross {
    Counters(StoredCosts),
    CountersAndTime {
        scaled: StoredScaled,
        smooth: StoredSmooth,
        part: f64,
        shrink: f64,
        time: usize,
    },
    Ceilings {
        source: StoredCeilings,
        target: StoredCeilings,
        demands: StoredDemands,
        time: usize,
    },
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredRoles {
    instructions: usize,
    items: usize,
    longest: Option<usize>,
    volumes: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredCosts {
    roles: StoredRoles,
    terms: Vec<StoredTerm>,
    seconds: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredTerm {
    Launch,
    Chain,
    RootOfChain,
    Total(usize),
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredScaled {
    source: StoredCosts,
    ratios: Vec<f64>,
    seconds: Vec<f64>,
    least: f64,
}

/// A scale is null where it is infinite: the feature never varied.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredSmooth {
    roles: StoredRoles,
    means: Vec<f64>,
    scales: Vec<Option<f64>>,
    /// Row by row.
    features: Vec<f64>,
    weights: Vec<f64>,
    median: f64,
    reach: f64,
}

/// In the order of [`Ceilings`].
type StoredCeilings = [Option<f64>; 8];

/// In the order of [`Demands`].
type StoredDemands = [Vec<(usize, f64)>; 5];

pub(super) fn stored(across: &Across) -> StoredAcross {
    match across {
        Across::Counters(costs) => StoredAcross::Counters(stored_costs(costs)),
        Across::CountersAndTime { pair, time } => {
            let Pair {
                scaled,
                smooth,
                part,
                shrink,
            } = &**pair;
            StoredAcross::CountersAndTime {
                scaled: StoredScaled {
                    source: stored_costs(&scaled.source),
                    ratios: scaled.ratios.clone(),
                    seconds: scaled.seconds.clone(),
                    least: scaled.least,
                },
                smooth: stored_smooth(smooth),
                part: *part,
                shrink: *shrink,
                time: *time,
            }
        }
        Across::Ceilings { scaled, time } => StoredAcross::Ceilings {
            source: stored_ceilings(&scaled.source),
            target: stored_ceilings(&scaled.target),
            demands: stored_demands(&scaled.demands),
            time: *time,
        },
    }
}

/// None where the parts do not fit together.
pub(super) fn across(stored: StoredAcross) -> Option<Across> {
    Some(match stored {
        StoredAcross::Counters(stored) => Across::Counters(costs(stored)),
        StoredAcross::CountersAndTime {
            scaled,
            smooth: stored,
            part,
            shrink,
            time,
        } => {
            let scaled = Scaled {
                source: costs(scaled.source),
                ratios: scaled.ratios,
                seconds: scaled.seconds,
                least: scaled.least,
            };
            let pair = Box::new(Pair {
                scaled,
                smooth: smooth(stored)?,
                part,
                shrink,
            });
            Across::CountersAndTime { pair, time }
        }
        StoredAcross::Ceilings {
            source,
            target,
            demands: [global_bytes, fp32_flop, fp64_flop, int32_op, local_bytes],
            time,
        } => {
            let scaled = Box::new(ByNearestCeiling {
                source: ceilings(source),
                target: ceilings(target),
                demands: Demands {
                    global_bytes,
                    fp32_flop,
                    fp64_flop,
                    int32_op,
                    local_bytes,
                },
            });
            Across::Ceilings { scaled, time }
        }
    })
}

fn stored_roles(roles: &Roles) -> StoredRoles {
    let Roles {
        instructions,
        items,
        longest,
        volumes,
    } = roles.clone();
    StoredRoles {
        instructions,
        items,
        longest,
        volumes,
    }
}

fn roles(stored: StoredRoles) -> Roles {
    let StoredRoles {
        instructions,
        items,
        longest,
        volumes,
    } = stored;
    Roles {
        instructions,
        items,
        longest,
        volumes,
    }
}

fn stored_costs(costs: &Costs) -> StoredCosts {
    let term = |term: &Term| match *term {
        Term::Launch => StoredTerm::Launch,
        Term::Chain => StoredTerm::Chain,
        Term::RootOfChain => StoredTerm::RootOfChain,
        Term::Total(column) => StoredTerm::Total(column),
    };
    StoredCosts {
        roles: stored_roles(&costs.roles),
        terms: costs.terms.iter().map(term).collect(),
        seconds: costs.seconds.clone(),
    }
}

fn costs(stored: StoredCosts) -> Costs {
    let term = |term| match term {
        StoredTerm::Launch => Term::Launch,
        StoredTerm::Chain => Term::Chain,
        StoredTerm::RootOfChain => Term::RootOfChain,
        StoredTerm::Total(column) => Term::Total(column),
    };
    Costs {
        roles: roles(stored.roles),
        terms: stored.terms.into_iter().map(term).collect(),
        seconds: stored.seconds,
    }
}

fn stored_smooth(smooth: &Smooth) -> StoredSmooth {
    let Smooth {
        roles,
        scaler: Scaler { mean, scale },
        features,
        weights,
        median,
        reach,
    } = smooth;
    let finite = |scale: &f64| scale.is_finite().then_some(*scale);
    StoredSmooth {
        roles: stored_roles(roles),
        means: mean.to_vec(),
        scales: scale.iter().map(finite).collect(),
        features: features.iter().copied().collect(),
        weights: weights.to_vec(),
        median: *median,
        reach: *reach,
    }
}

fn smooth(stored: StoredSmooth) -> Option<Smooth> {
    let shape = (stored.weights.len(), stored.means.len());
    let scales = stored.scales.into_iter();
    Some(Smooth {
        roles: roles(stored.roles),
        scaler: Scaler {
            mean: Array1::from(stored.means),
            scale: scales.map(|it| it.unwrap_or(f64::INFINITY)).collect(),
        },
        features: Array2::from_shape_vec(shape, stored.features).ok()?,
        weights: Array1::from(stored.weights),
        median: stored.median,
        reach: stored.reach,
    })
}

fn stored_ceilings(ceilings: &Ceilings) -> StoredCeilings {
    let Ceilings {
        copy_bytes_per_s,
        host_to_device_bytes_per_s,
        device_to_host_bytes_per_s,
        fp32_flop_per_s,
        fp64_flop_per_s,
        int32_op_per_s,
        local_bytes_per_s,
        launch_latency_s,
    } = *ceilings;
    [
        copy_bytes_per_s,
        host_to_device_bytes_per_s,
        device_to_host_bytes_per_s,
        fp32_flop_per_s,
        fp64_flop_per_s,
        int32_op_per_s,
        local_bytes_per_s,
        launch_latency_s,
    ]
}

fn ceilings(stored: StoredCeilings) -> Ceilings {
    let [
        copy_bytes_per_s,
        host_to_device_bytes_per_s,
        device_to_host_bytes_per_s,
        fp32_flop_per_s,
        fp64_flop_per_s,
        int32_op_per_s,
        local_bytes_per_s,
        launch_latency_s,
    ] = stored;
    Ceilings {
        copy_bytes_per_s,
        host_to_device_bytes_per_s,
        device_to_host_bytes_per_s,
        fp32_flop_per_s,
        fp64_flop_per_s,
        int32_op_per_s,
        local_bytes_per_s,
        launch_latency_s,
    }
}

fn stored_demands(demands: &Demands) -> StoredDemands {
    let Demands {
        global_bytes,
        fp32_flop,
        fp64_flop,
        int32_op,
        local_bytes,
    } = demands.clone();
    [global_bytes, fp32_flop, fp64_flop, int32_op, local_bytes]
}
