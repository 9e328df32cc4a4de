use std::fmt;

use kerncast_wire::ModelSpecification;

/// A question to a model: what is forecast, and from what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The device that is forecast.
    pub target: i64,
    /// The device whose counters the forecast is made from, where that is another one.
    pub counted_on: Option<i64>,
    /// The provider of the counters.
    pub provider: String,
    /// The variant whose samples alone are fitted; absent: all variants.
    pub variant: Option<String>,
    /// The quantity that is forecast.
    pub response: Response,
}

/// The quantity that a model predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// The median of the repetitions, seconds.
    Time,
    /// A counter as `PROVIDER:NAME`, in its unit.
    Counter(String),
}

impl Response {
    /// The response's word in specifications.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Time => "time",
            Self::Counter(name) => name,
        }
    }
}

impl From<&str> for Response {
    fn from(word: &str) -> Self {
        match word {
            "time" => Self::Time,
            counter => Self::Counter(counter.to_owned()),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Question {
    /// The question for a device's time from its own counters by a provider, over all variants.
    #[must_use]
    pub fn own_time(target: i64, provider: &str) -> Self {
        Self {
            target,
            counted_on: None,
            provider: provider.to_owned(),
            variant: None,
            response: Response::Time,
        }
    }

    /// The specification of the model that answers the question by a method from counters.
    #[must_use]
    pub fn specification(&self, method: &str, counters: Vec<String>) -> ModelSpecification {
        ModelSpecification {
            device: self.target,
            counted_on: self.counted_on,
            provider: self.provider.clone(),
            method: method.to_owned(),
            counters,
            variant: self.variant.clone(),
            response: self.response.to_string(),
        }
    }
}
