//! Who may do what: tokens and their roles, rate limits (docs/security.md).

mod bearer;
mod guard;
mod new_token;
mod rate_limit;
mod rules;
pub mod token;
mod token_cache;

use std::num::NonZeroU32;

use kerncast_wire::Readers;
use sqlx::PgPool;

pub(crate) use bearer::{Bearer, Identity, Rights};
pub(crate) use guard::{AuthorizedBy, guard};
pub use new_token::check_token;
pub use rules::{Need, RULES};
pub(crate) use rules::{describe, operations};

use crate::events::Events;
use rate_limit::Limits;
use token_cache::TokenCache;

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
    pub(crate) tokens: TokenCache,
    limits: Option<Limits>,
}

impl Access {
    pub(crate) fn new(settings: Settings, events: &Events, pool: PgPool) -> Self {
        Self {
            readers: settings.readers,
            tokens: TokenCache::new(events, pool),
            limits: settings.requests_per_second.map(Limits::new),
        }
    }
}
