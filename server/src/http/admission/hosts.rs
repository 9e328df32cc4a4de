use std::{
    collections::BTreeSet,
    net::{IpAddr, SocketAddr},
};

/// The names and addresses that a server may be called by. A page of another site can have its own name lead to
/// this machine (DNS rebinding) and then read whatever the server answers; but it can't have a name of ours.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    /// Lower case.
    names: BTreeSet<String>,
    address: Option<IpAddr>,
}

impl Hosts {
    /// The names of a server that listens on `address`: this machine's own names and loopback addresses, `address`, and
    /// `names`.
    pub fn new(address: SocketAddr, names: impl IntoIterator<Item = String>) -> Self {
        Self {
            names: names.into_iter().map(|name| plain(&name)).collect(),
            address: Some(address.ip()),
        }
    }

    /// Whether a request may be meant for `host`, the Host header without its port.
    pub(super) fn include(&self, host: &str) -> bool {
        let address = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = address.parse::<IpAddr>() {
            // Behind every address, any may be this machine's; no name leads to it by an address.
            let any = self.address.is_some_and(|it| it.is_unspecified());
            return any || address.is_loopback() || self.address == Some(address);
        }
        let host_name = rustix::system::uname();
        let host_name = host_name.nodename().to_str().unwrap_or_default();
        let host = plain(host);
        host == "localhost" || host == plain(host_name) || self.names.contains(&host)
    }

    /// Whether the command line names `host`.
    pub(super) fn are_named(&self, host: &str) -> bool {
        self.names.contains(&plain(host))
    }
}

/// The form in which names are compared: `Lab.example.` is `lab.example`.
fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(listen: &str) -> Hosts {
        Hosts::new(
            listen.parse().expect("an address"),
            ["Lab.example".to_owned()],
        )
    }

    #[test]
    fn loopback_the_address_and_the_names_given_are_ours() {
        let hosts = hosts("192.0.2.7:7310");
        for own in [
            "localhost",
            "127.0.0.1",
            "[::1]",
            "192.0.2.7",
            "lab.example",
            "LAB.EXAMPLE.",
        ] {
            assert!(hosts.include(own), "{own}");
        }
        for foreign in [
            "evil.example",
            "lab.example.evil",
            "192.0.2.8",
            "localhost.evil",
            "",
        ] {
            assert!(!hosts.include(foreign), "{foreign}");
        }
    }

    #[test]
    fn behind_every_address_any_address_is_ours_and_still_no_name() {
        let hosts = hosts("0.0.0.0:7310");
        assert!(hosts.include("192.0.2.8") && hosts.include("[2001:db8::1]"));
        assert!(!hosts.include("evil.example"));
    }
}
