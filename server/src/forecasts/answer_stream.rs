//! Makes predictions one by one and writes them as JSON, piece by piece: ten thousand of them may have hundreds of
//! megabytes, which nobody needs to hold at once.

use axum::http::StatusCode;
use kerncast_wire::{FieldProblem, Problem};

use super::plan::Plan;
use crate::http::{field, field_problem};

/// Bytes of a piece, about.
const PIECE_BYTES: usize = 256 << 10;
/// Bytes that a piece is expected to have: a forecast by dozens of counters has a few thousand.
const USUAL_BYTES: usize = 16 << 10;
/// Most problems of sets in one answer.
const MOST_PROBLEMS: usize = 100;

/// The predictions of a plan, as far as they are not made and written yet: the text of [`kerncast_wire::Predictions`].
pub(crate) struct PredictionStream {
    plan: Plan,
    /// The prediction to be written next; beyond all of them once the end is written.
    next: usize,
    /// How many before `next` are refusals.
    refused: usize,
    /// What was wrong with the first of these.
    problems: Vec<FieldProblem>,
}

impl PredictionStream {
    pub(crate) fn new(plan: Plan) -> Self {
        Self {
            plan,
            next: 0,
            refused: 0,
            problems: Vec::new(),
        }
    }

    /// Whether all of it is written.
    pub(crate) fn is_finished(&self) -> bool {
        self.next > self.plan.len()
    }

    /// The next piece. The first one has a forecast: before that it is not known whether the answer is a problem.
    /// Fails where no set has a forecast on any device.
    pub(crate) fn next_piece(&mut self) -> Result<Vec<u8>, Problem> {
        // Growing on the way would take longer than a forecast itself.
        let mut text = Vec::with_capacity(USUAL_BYTES);
        if self.next == 0 {
            text.extend(b"{\"predictions\":[");
        }
        while self.next < self.plan.len() {
            if text.len() > PIECE_BYTES && self.refused < self.next {
                return Ok(text);
            }
            let (prediction, problem) = self.plan.predict(self.next);
            if let Some(problem) = problem {
                self.refused += 1;
                self.problems
                    .extend(Some(problem).filter(|_| self.problems.len() < MOST_PROBLEMS));
            }
            if self.next > 0 {
                text.push(b',');
            }
            write(&mut text, &prediction);
            self.next += 1;
        }
        if self.refused == self.plan.len() {
            return Err(self.all_refused());
        }
        text.push(b']');
        let notes = self.plan.notes();
        if !notes.is_empty() {
            text.extend(b",\"notes\":");
            write(&mut text, &notes);
        }
        text.push(b'}');
        self.next += 1;
        Ok(text)
    }

    /// The problem of a request without any forecast: the first set's, with the others' beside it.
    fn all_refused(&mut self) -> Problem {
        let first = self.problems.first().cloned();
        let first = first.unwrap_or_else(|| field("", "", "a counter set"));
        let mut problem = field_problem(StatusCode::UNPROCESSABLE_ENTITY, first);
        if let Some(detail) = problem.detail.as_mut().filter(|_| self.refused > 1) {
            let others = self.refused - 1;
            detail.push_str(&format!(
                "; there is no forecast for the {others} others either"
            ));
        }
        problem.errors = std::mem::take(&mut self.problems);
        problem
    }
}

fn write(text: &mut Vec<u8>, value: &impl serde::Serialize) {
    serde_json::to_writer(text, value).expect("only finite numbers and text keys");
}
