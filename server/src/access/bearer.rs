use kerncast_wire::{TokenRole, TokenSummary};

use crate::db::{audit::Actor, upload::Uploader};

/// Who bears a valid token.
pub(crate) struct Bearer {
    pub(crate) token: TokenSummary,
    pub(crate) rights: Rights,
}

/// What a token's holder may do.
#[derive(Debug)]
pub(crate) enum Rights {
    Reader,
    Agent(Bound),
    Admin,
}

/// What an agent's token may speak of.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) agent: String,
    /// Names; none: any device.
    pub(crate) devices: Vec<String>,
}

impl Bearer {
    /// Of this token.
    pub(super) fn new(token: TokenSummary) -> Self {
        let rights = match token.role {
            TokenRole::Reader => Rights::Reader,
            TokenRole::Agent => Rights::Agent(Bound {
                // The database sees to it that there is one; without, no upload is its own.
                agent: token.agent.clone().unwrap_or_default(),
                devices: token.devices.clone(),
            }),
            TokenRole::Admin => Rights::Admin,
        };
        Self { token, rights }
    }

    pub(crate) fn uploader(&self) -> Uploader {
        Uploader {
            actor: self.actor(),
            agent: match &self.rights {
                Rights::Agent(bound) => Some(bound.agent.clone()),
                Rights::Reader | Rights::Admin => None,
            },
        }
    }

    /// For the audit log.
    pub(crate) fn actor(&self) -> Actor {
        Actor {
            token: Some(self.token.id),
            name: self.token.name.clone(),
        }
    }
}
