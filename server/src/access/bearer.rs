use std::sync::{Arc, OnceLock};

use kerncast_wire::{TokenRole, TokenSummary};

use crate::db::{access::audit::Actor, uploads::store_samples::Uploader};

/// Who bears a valid token.
pub(crate) struct Bearer {
    pub(crate) token: TokenSummary,
    pub(crate) rights: Rights,
}

/// What a token's holder may do.
#[derive(Debug)]
pub(crate) enum Rights {
    Reader,
    /// May upload as the agent of this name.
    Agent(String),
    Admin,
}

impl Bearer {
    /// The bearer of this token.
    pub(super) fn new(token: TokenSummary) -> Self {
        let rights = match token.role {
            TokenRole::Reader => Rights::Reader,
            // The database sees to it that there is one; without, no upload is its own.
            TokenRole::Agent => Rights::Agent(token.agent.clone().unwrap_or_default()),
            TokenRole::Admin => Rights::Admin,
        };
        Self { token, rights }
    }

    pub(crate) fn uploader(&self) -> Uploader {
        Uploader {
            actor: self.actor(),
            agent: match &self.rights {
                Rights::Agent(agent) => Some(agent.clone()),
                Rights::Reader | Rights::Admin => None,
            },
        }
    }

    /// The bearer as the audit log names it.
    pub(crate) fn actor(&self) -> Actor {
        Actor {
            token: Some(self.token.id),
            name: self.token.name.clone(),
        }
    }
}

/// Who asks, as soon as that is known: whoever is in front of the guard leaves one with the request, and reads it when
/// the request is done.
#[derive(Clone, Default)]
pub(crate) struct Identity(Arc<OnceLock<Arc<Bearer>>>);

impl Identity {
    /// It is the bearer of this token.
    pub(super) fn set(&self, bearer: &Arc<Bearer>) {
        // Once known it does not change.
        let _ = self.0.set(Arc::clone(bearer));
    }

    /// None: nobody with a valid token, so far.
    pub(crate) fn bearer(&self) -> Option<&Bearer> {
        self.0.get().map(|it| &**it)
    }
}
