//! Whether the server would take this agent's uploads.

use std::time::Duration;

use kerncast_wire::{Access, TokenRole};

use super::{Client, ServerError};

/// How long measuring waits for the answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

impl Client {
    /// Asks once what the server lets this token do.
    ///
    /// # Errors
    /// The server gives no usable answer, or the token is not valid.
    pub fn access(&self) -> Result<Access, ServerError> {
        let request = self.with_token(self.agent.get(format!("{}/v1/access", self.url)));
        let request = request.config().timeout_global(Some(ANSWER_LIMIT)).build();
        let answer = request.call().map_err(|error| self.unreachable(error))?;
        self.read(answer)
    }

    /// Why the server would refuse this agent's uploads; none where it would take them, or does not answer.
    pub fn refusal_for(&self, agent: &str) -> Option<String> {
        let access = match self.access() {
            Ok(access) => access,
            Err(error @ ServerError::Unauthorized { .. }) => return Some(error.to_string()),
            Err(_) => return None,
        };
        let url = &self.url;
        let why = match access.token {
            None => "uploads need a token".to_owned(),
            Some(token) => match (token.role, &token.agent) {
                (TokenRole::Reader, _) => "this token's holder may only read".to_owned(),
                (TokenRole::Agent, Some(own)) if own != agent => {
                    format!(
                        "this token is of the agent {own}, and this one is called {agent} (KERNCAST_AGENT)"
                    )
                }
                (TokenRole::Agent | TokenRole::Admin, _) => return None,
            },
        };
        Some(format!(
            "the server at {url} would refuse: {why}. {}",
            self.token
        ))
    }
}
