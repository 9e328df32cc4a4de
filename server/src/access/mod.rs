//! Who may do what: tokens and their roles, rate limits (docs/security.md).

mod asker;
mod bearer;
mod check;
mod guard;
mod known;
mod limit;
mod own;
mod rules;

use std::num::NonZeroU32;

use kerncast_wire::Readers;

pub(crate) use asker::Asker;
pub(crate) use bearer::{Bearer, Rights};
pub use check::check_token;
pub(crate) use guard::{By, guard};
pub(crate) use own::{Claims, check_samples, check_upload};
pub use rules::{Need, RULES};
pub(crate) use rules::{describe, operations};

use crate::events::Events;
use known::Known;
use limit::Limits;

/// What whoever runs the server has chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Who may read and forecast.
    pub readers: Readers,
    /// How much each token, and each address without one, may ask for; absent: no limit.
    pub requests_per_second: Option<NonZeroU32>,
}

/// What the guard needs between requests.
pub(crate) struct Access {
    pub(crate) readers: Readers,
    pub(crate) known: Known,
    limits: Option<Limits>,
}

impl Access {
    pub(crate) fn new(settings: Settings, events: &Events) -> Self {
        Self {
            readers: settings.readers,
            known: Known::new(events),
            limits: settings.requests_per_second.map(Limits::new),
        }
    }
}
