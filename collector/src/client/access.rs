//! Whether the server takes what is sent with this token.

use std::time::Duration;

use kerncast_wire::{Access, TokenRole};

use super::{Client, ServerError};

/// Something is to be measured meanwhile.
const PATIENCE: Duration = Duration::from_secs(10);

impl Client {
    /// Who asks, as the server sees it: asked once, without another attempt.
    ///
    /// # Errors
    /// No usable answer; the token is none (any more).
    pub fn access(&self) -> Result<Access, ServerError> {
        let request = self.shown(self.agent.get(format!("{}/v1/access", self.url)));
        let request = request.config().timeout_global(Some(PATIENCE)).build();
        let answer = request.call();
        let answer = answer.map_err(|error| self.unreachable(error))?;
        self.read(answer)
    }

    /// Why it would take nothing from this agent; none where it would, or where nobody can tell, since it does not
    /// answer.
    pub fn refuses(&self, agent: &str) -> Option<String> {
        let access = match self.access() {
            Ok(access) => access,
            Err(refused @ ServerError::Unauthorized { .. }) => return Some(refused.to_string()),
            Err(_) => return None,
        };
        let url = &self.url;
        let what = match access.token {
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
            "the server at {url} would refuse: {what}. {}",
            self.token
        ))
    }
}
