//! Measurements that are uploaded one by one: ceilings and rates of streams. Here their token's rights are checked, and
//! they are stored.

use axum::http::StatusCode;
use kerncast_wire::FieldProblem;
use sqlx::PgPool;

use super::claims::{Claims, check_upload};
use crate::{
    access::Bearer,
    db::uploads::measurements::{Kind, Measurement, Outcome, store as store_row},
    http::{Error, field, field_problem, refuse_wrong_fields},
};

/// Stores it where there are no `problems`. The answer's status says whether it is new.
///
/// # Errors
/// Every field that is not in order, or that the token may not say; another under the same id.
pub(crate) async fn store(
    pool: &PgPool,
    new: Measurement<'_>,
    problems: Vec<FieldProblem>,
    bearer: &Bearer,
) -> Result<StatusCode, Error> {
    refuse_wrong_fields(problems)?;
    let claims = Claims {
        agent: new.agent,
        device: new.device,
        workload: None,
        origin: new.origin,
    };
    check_upload(pool, bearer, claims).await?;
    match store_row(pool, &new, &bearer.uploader()).await? {
        Outcome::Stored => Ok(StatusCode::CREATED),
        Outcome::Repeated => Ok(StatusCode::OK),
        Outcome::IdInUse => {
            let expected = match new.kind {
                Kind::Ceilings => "a new id: other ceilings have this one",
                Kind::StreamRates => "a new id: other rates have this one",
            };
            let field = field("/id", new.id, expected);
            Err(field_problem(StatusCode::CONFLICT, field).into())
        }
    }
}
