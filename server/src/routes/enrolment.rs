//! Enrolment: a code that an admin hands on, for a token that nobody else ever sees.

use axum::{Json, extract::State, http::StatusCode};
use kerncast_wire::{
    Enrolment, EnrolmentCodeSummary, MadeEnrolmentCode, MadeToken, NewEnrolmentCode, Page,
};

use crate::{
    App,
    access::{By, check_code},
    db,
    error::Error,
    extract,
    problem::{field, field_problem, in_order},
    token,
};

/// Enrolment codes that nobody has used yet and that are good, newest first.
#[utoipa::path(
    get, path = "/v1/enrolment_codes", tag = "access",
    responses((status = 200, description = "All of them", body = Page<EnrolmentCodeSummary>))
)]
pub(super) async fn list_codes(
    State(app): State<App>,
) -> Result<Json<Page<EnrolmentCodeSummary>>, Error> {
    Ok(Json(Page::whole(db::enrolment::list(&app.pool).await?)))
}

/// Make an enrolment code.
///
/// The answer is the only place where it is ever shown.
#[utoipa::path(
    post, path = "/v1/enrolment_codes", tag = "access", request_body = NewEnrolmentCode,
    responses((status = 201, description = "Good from now on, once", body = MadeEnrolmentCode))
)]
pub(super) async fn make_code(
    State(app): State<App>,
    By(bearer): By,
    extract::Json(new, _memory): extract::Json<NewEnrolmentCode>,
) -> Result<(StatusCode, Json<MadeEnrolmentCode>), Error> {
    in_order(check_code(&new))?;
    let code = token::random_code()?;
    let hash = token::hash_of_code(&code);
    let summary = db::enrolment::add(&app.pool, &hash, &new, &bearer.actor()).await?;
    let made = MadeEnrolmentCode { code, summary };
    Ok((StatusCode::CREATED, Json(made)))
}

/// Exchange an enrolment code for a token of one's own.
///
/// Once: the code is then used up.
#[utoipa::path(
    post, path = "/v1/enrolments", tag = "access", request_body = Enrolment,
    responses((status = 201, description = "The agent's token", body = MadeToken))
)]
pub(super) async fn enrol(
    State(app): State<App>,
    extract::Json(Enrolment { code }, _memory): extract::Json<Enrolment>,
) -> Result<(StatusCode, Json<MadeToken>), Error> {
    let token = token::random()?;
    let code = token::hash_of_code(&code);
    let summary = db::enrolment::exchange(&app.pool, &code, &token::hash(&token)).await?;
    let summary = summary.ok_or_else(|| {
        let expected = "a code that an admin made, that was not used yet and has not expired";
        field_problem(StatusCode::FORBIDDEN, field("/code", "", expected))
    })?;
    Ok((StatusCode::CREATED, Json(MadeToken { token, summary })))
}
