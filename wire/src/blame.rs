use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a model waits for an admin: a kind with its numbers. In English by its `Display`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HeldBecause {
    /// On the unseen kernels that both are judged by it is far worse than its predecessor.
    Worse {
        /// Kernels that it is about.
        kernels: usize,
        /// Its mean absolute percentage error: 0.05 is 5 %.
        now: f64,
        /// Its predecessor's.
        before: f64,
    },
    /// Every fit is refused, where there was one before.
    NoFit,
    /// Without any one of these it would not be so.
    Without {
        /// Whose newest samples.
        uploads: Vec<NewestSamples>,
    },
    /// No agent's newest samples alone explain it.
    Unexplained,
    /// What an earlier server has stored, or one of another version says, which has no kind here.
    Text {
        /// In English.
        text: String,
    },
}

/// Why a champion's forecasts are off those of the one before it: a kind with its numbers. In English by its `Display`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MovedBecause {
    /// No sample is new in it: its method, counters or version are.
    NothingNew,
    /// These samples are new in it.
    New {
        /// Whose newest samples.
        uploads: Vec<NewestSamples>,
    },
    /// Without any one of these they would be where they were.
    Without {
        /// Whose newest samples.
        uploads: Vec<NewestSamples>,
    },
    /// No agent's newest samples alone explain it.
    Unexplained,
    /// What an earlier server has stored, or one of another version says, which has no kind here.
    Text {
        /// In English.
        text: String,
    },
}

/// What an agent has uploaded since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewestSamples {
    /// Its name.
    pub agent: String,
    /// How many.
    pub samples: usize,
}

impl From<String> for HeldBecause {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}

impl From<String> for MovedBecause {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}

impl fmt::Display for HeldBecause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worse {
                kernels,
                now,
                before,
            } => write!(
                f,
                "on the {kernels} unseen kernels that both are judged by it is off by {:.1} % on average, its predecessor by \
                 {:.1} %",
                100.0 * now,
                100.0 * before
            ),
            Self::NoFit => f.write_str("every fit is refused, where there was one before"),
            Self::Without { uploads } => write!(
                f,
                "without {} it would not be so",
                listed(uploads, ", or without ")
            ),
            Self::Unexplained => f.write_str("no agent's newest samples alone explain it"),
            Self::Text { text } => f.write_str(text),
        }
    }
}

impl fmt::Display for MovedBecause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingNew => {
                f.write_str("no sample is new in it: its method, counters or version are")
            }
            Self::New { uploads } => write!(f, "new in it: {}", listed(uploads, ", ")),
            Self::Without { uploads } => write!(
                f,
                "without {} they would be where they were",
                listed(uploads, ", or without ")
            ),
            Self::Unexplained => f.write_str("no agent's alone explain it"),
            Self::Text { text } => f.write_str(text),
        }
    }
}

fn listed(uploads: &[NewestSamples], between: &str) -> String {
    let one = |NewestSamples { agent, samples }: &NewestSamples| match samples {
        1 => format!("the newest sample of {agent}"),
        n => format!("the {n} newest samples of {agent}"),
    };
    uploads.iter().map(one).collect::<Vec<_>>().join(between)
}
