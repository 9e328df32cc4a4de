//! The one error type of the routes.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use kerncast_wire::Problem;
use thiserror::Error;

use super::{problem, problem_response, unavailable};
use crate::db;

/// Why a request got no answer of its own.
#[derive(Debug, Error)]
pub(crate) enum Error {
    /// The request is at fault; the client is told how.
    #[error("{}", .0.detail.as_deref().unwrap_or(&.0.title))]
    Request(Box<Problem>),
    /// The database failed; the client is told no more than that.
    #[error("the database failed")]
    Database(#[from] db::Error),
    /// A task of ours panicked or could not go on.
    #[error("a task failed")]
    Task(#[from] tokio::task::JoinError),
    /// The system has no randomness to make a secret of.
    #[error("no secret could be made")]
    Secret(#[from] std::io::Error),
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Request(Box::new(problem))
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Request(problem) => problem_response(&problem),
            Self::Database(error) => {
                let cause = &error as &dyn std::error::Error;
                tracing::error!(error = cause, "the database failed");
                problem_response(&database_problem(&error))
            }
            Self::Task(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a task failed");
                problem_response(&internal())
            }
            Self::Secret(error) => {
                tracing::error!("no secret could be made: {error}");
                problem_response(&internal())
            }
        }
    }
}

fn database_problem(error: &db::Error) -> Problem {
    match error {
        db::Error::DiskFull(_) => {
            let detail = "the disk of the server's database is full; nothing was stored";
            problem(StatusCode::INSUFFICIENT_STORAGE, detail)
        }
        db::Error::TooSlow(_) => {
            unavailable("the database took too long; ask for less, or try again later")
        }
        db::Error::Away(_) | db::Error::Interrupted(_) => {
            unavailable("the server can't reach its database; try again later")
        }
        db::Error::Inconsistent(_) | db::Error::Other(_) => internal(),
    }
}

fn internal() -> Problem {
    let detail = "the server failed to do this; its log says why";
    problem(StatusCode::INTERNAL_SERVER_ERROR, detail)
}
