use kerncast_wire::{FieldProblem, NewToken, TokenRole};

use crate::http::Checker;

/// Everything wrong with the description of a new token.
#[must_use]
pub fn check_token(new: &NewToken) -> Vec<FieldProblem> {
    let mut checker = Checker::new("");
    if let Some(name) = &new.name {
        checker.name("/name", name);
    }
    match (new.role, &new.agent) {
        (TokenRole::Agent, Some(agent)) => checker.name("/agent", agent),
        (TokenRole::Agent, None) => {
            checker.wrong("/agent", "", "the agent's name, for a token of role agent");
        }
        (TokenRole::Reader | TokenRole::Admin, Some(agent)) => {
            let nothing = "nothing: only a token of role agent is an agent's";
            checker.wrong("/agent", agent, nothing);
        }
        (TokenRole::Reader | TokenRole::Admin, None) => {}
    }
    checker.problems
}
