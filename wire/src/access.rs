//! Tokens, and what whoever asks may do.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a token's holder may do (docs/security.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenRole {
    /// May read and forecast, also where not everybody may.
    Reader,
    /// May also upload what one agent measures, and its report.
    Agent,
    /// May do everything.
    Admin,
}

/// A token to be made: sent to `POST /v1/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// What it is for; absent: the agent's name, or the role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "nightly run")]
    pub name: Option<String>,
    /// What its holder may do.
    pub role: TokenRole,
    /// For an agent's token, and no other: the name under which it uploads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "lab-3")]
    pub agent: Option<String>,
}

/// A token without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenSummary {
    /// Its id, by which it is revoked.
    pub id: i64,
    /// What it is for.
    pub name: String,
    /// What its holder may do.
    pub role: TokenRole,
    /// The agent whose token it is.
    pub agent: Option<String>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was last used, to the minute; absent: never.
    pub last_used_at: Option<DateTime<Utc>>,
    /// Since when it is no token any more; absent: it is one.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A token that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MadeToken {
    /// The token itself. The server keeps only its hash: nobody can read it again.
    pub token: String,
    /// All else.
    pub summary: TokenSummary,
}

/// Who may read and forecast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Readers {
    /// Everybody who reaches the server.
    #[default]
    Everybody,
    /// Whoever has a token, of any role.
    Token,
}

/// What whoever asks may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Access {
    /// Who may read and forecast.
    pub readers: Readers,
    /// The token that came with the request; absent: none came.
    pub token: Option<TokenSummary>,
}
