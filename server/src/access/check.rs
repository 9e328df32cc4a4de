use kerncast_wire::{FieldProblem, NewToken, TokenRole};

use crate::checker::{Checker, MOST_NAMES};

/// Everything wrong with the description of a new token.
#[must_use]
pub fn check_token(new: &NewToken) -> Vec<FieldProblem> {
    let mut checker = Checker::new("");
    checker.purpose(new.name.as_deref());
    match (new.role, &new.agent) {
        (TokenRole::Agent, Some(agent)) => checker.bound(agent, &new.devices),
        (TokenRole::Agent, None) => {
            checker.wrong("/agent", "", "the agent's name, for a token of role agent");
        }
        (TokenRole::Reader | TokenRole::Admin, agent) => {
            let nothing = "nothing: only a token of role agent is an agent's";
            if let Some(agent) = agent {
                checker.wrong("/agent", agent, nothing);
            }
            if let Some(device) = new.devices.first() {
                checker.wrong("/devices/0", device, nothing);
            }
        }
    }
    checker.problems
}

impl Checker<'_> {
    fn purpose(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.name("/name", name);
        }
    }

    fn bound(&mut self, agent: &str, devices: &[String]) {
        self.name("/agent", agent);
        self.at_most("/devices", devices.len(), MOST_NAMES, "devices");
        for (index, device) in devices.iter().enumerate() {
            self.name(format_args!("/devices/{index}"), device);
        }
    }
}
