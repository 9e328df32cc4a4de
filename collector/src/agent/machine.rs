//! Which machine this is: whether it is the one that was enrolled, or a copy of it.

use std::fs;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Names the system's installation, and is to be kept from others: machine-id(5).
const FILE: &str = "/etc/machine-id";

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The first 64 bits of a SHA-256 of its machine-id, hexadecimal; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// How it calls itself.
    host: String,
}

/// What has become of a machine since it was enrolled.
#[derive(Debug, PartialEq, Eq)]
pub enum Since {
    /// It is the same, or nobody can tell.
    Same,
    /// It calls itself otherwise: renamed, or a copy that has kept its machine-id. In words.
    Renamed(String),
    /// It is another one: a copy of its disk, or of its token. In words.
    Other(String),
}

impl Machine {
    /// This one.
    #[must_use]
    pub fn this() -> Self {
        let id = fs::read_to_string(FILE);
        Self {
            id: id.ok().and_then(|text| hash(text.trim())),
            host: host(),
        }
    }

    /// What has become of the machine that was enrolled, seen from this one.
    #[must_use]
    pub fn since(&self, enrolled: &Self) -> Since {
        let (here, there) = (&self.host, &enrolled.host);
        match (&self.id, &enrolled.id) {
            (Some(id), Some(known)) if id != known => Since::Other(format!(
                "{here} is not the machine that was enrolled ({there}), but bears its token: a copy of its disk. \
                 Enrol it by itself: `kerncast enroll URL --replace`"
            )),
            _ if here != there => Since::Renamed(format!(
                "this machine was enrolled as {there}, and calls itself {here}: renamed, or a copy with the same \
                 machine-id (`systemd-machine-id-setup` makes another); `kerncast enroll URL --replace` makes it \
                 known again"
            )),
            _ => Since::Same,
        }
    }
}

/// How this machine calls itself.
#[must_use]
pub fn host() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}

/// None of an id that is not set yet.
fn hash(id: &str) -> Option<String> {
    if id.is_empty() || id == "uninitialized" {
        return None;
    }
    let hash = Sha256::digest(format!("kerncast {id}"));
    Some(hex::encode(&hash[..8]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(id: &str, host: &str) -> Machine {
        Machine {
            id: hash(id),
            host: host.to_owned(),
        }
    }

    #[test]
    fn an_id_is_hashed_and_none_is_none() {
        assert_eq!(hash(""), None);
        assert_eq!(hash("uninitialized"), None);
        let one = hash("0123456789abcdef0123456789abcdef").expect("a hash");
        assert_eq!(one.len(), 16);
        assert!(!one.contains("0123"));
        assert_ne!(Some(one), hash("1123456789abcdef0123456789abcdef"));
    }

    #[test]
    fn copies_and_renamed_machines_are_told_apart() {
        let enrolled = machine("a", "lab-3");
        assert_eq!(machine("a", "lab-3").since(&enrolled), Since::Same);
        assert_eq!(machine("", "lab-3").since(&enrolled), Since::Same);
        let Since::Renamed(why) = machine("a", "lab-4").since(&enrolled) else {
            panic!("renamed")
        };
        assert!(
            why.contains("enrolled as lab-3, and calls itself lab-4"),
            "{why}"
        );
        for host in ["lab-3", "lab-4"] {
            let since = machine("b", host).since(&enrolled);
            assert!(matches!(since, Since::Other(_)), "{since:?}");
        }
    }
}
