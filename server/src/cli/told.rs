//! How commands tell what is wrong, and times.

use anyhow::bail;
use chrono::{DateTime, Utc};
use kerncast_wire::FieldProblem;

/// # Errors
/// The first of the problems, where there is one.
pub(super) fn in_order(problems: Vec<FieldProblem>) -> anyhow::Result<()> {
    match problems.first() {
        None => Ok(()),
        Some(FieldProblem {
            field,
            value,
            expected,
        }) => bail!(
            "--{} {}: expected {expected}",
            field.trim_start_matches('/'),
            value.as_deref().unwrap_or_default()
        ),
    }
}

/// To the minute, UTC.
pub(super) fn time(at: &DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M").to_string()
}
