use std::{
    net::{SocketAddr, TcpListener},
    num::NonZeroU32,
    path::PathBuf,
};

use anyhow::{Context, bail};
use clap::Args;
use kerncast_server::{
    access::Settings,
    http::{Hosts, listen::Tls},
};
use kerncast_wire::Readers;

/// Where the server listens, and to whom.
#[derive(Args)]
pub(super) struct Options {
    /// Where to listen. Addresses other than this machine's own need TLS or --insecure.
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:7310",
        env = "KERNCAST_LISTEN"
    )]
    listen: SocketAddr,
    /// A further name of this server; may be given several times.
    ///
    /// Requests for other names are refused, because a web page could point its own name here.
    #[arg(
        long = "host",
        value_name = "NAME",
        env = "KERNCAST_HOST",
        value_delimiter = ','
    )]
    hosts: Vec<String>,
    /// Speak TLS with the certificates in this file (PEM), the server's own first. It is read again when it changes.
    #[arg(
        long,
        value_name = "FILE",
        env = "KERNCAST_TLS_CERTIFICATE",
        requires = "tls_key"
    )]
    tls_certificate: Option<PathBuf>,
    /// The certificate's private key (PEM).
    #[arg(
        long,
        value_name = "FILE",
        env = "KERNCAST_TLS_KEY",
        requires = "tls_certificate"
    )]
    tls_key: Option<PathBuf>,
    /// Listen on any address without TLS, so that anybody in between can read tokens. For trusted networks, and behind
    /// a proxy that speaks TLS.
    #[arg(long, env = "KERNCAST_INSECURE", conflicts_with = "tls_certificate")]
    insecure: bool,
    /// Who may read and forecast: everybody who reaches the server, or only holders of a token.
    #[arg(
        long,
        value_name = "everybody|token",
        default_value = "everybody",
        env = "KERNCAST_READERS",
        value_parser = readers
    )]
    readers: Readers,
    /// Requests a second for each token, and for each address without one; ten seconds' worth may come at once. 0: no
    /// limit.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        env = "KERNCAST_REQUESTS_PER_SECOND"
    )]
    requests_per_second: u32,
}

fn readers(word: &str) -> Result<Readers, String> {
    let readers = serde_json::from_value(word.into());
    readers.map_err(|_| "expected everybody or token".to_owned())
}

impl Options {
    /// Listens, unless others could read along.
    pub(super) fn bind(&self) -> anyhow::Result<TcpListener> {
        let listen = self.listen;
        let secure = self.insecure || self.tls_certificate.is_some();
        if !secure && !listen.ip().to_canonical().is_loopback() {
            bail!(
                "--listen {listen} lets other machines in, and without TLS whoever is on the way reads tokens and \
                 samples. Give --tls-certificate FILE and --tls-key FILE; or --insecure, where the network is \
                 trusted or a proxy in front speaks TLS (docs/security.md)"
            );
        }
        TcpListener::bind(listen).with_context(|| {
            format!("can't listen on {listen}; --listen names another address, and another server may be there")
        })
    }

    pub(super) fn tls(&self) -> anyhow::Result<Option<Tls>> {
        let (Some(certificate), Some(key)) = (&self.tls_certificate, &self.tls_key) else {
            return Ok(None);
        };
        Ok(Some(Tls::new(certificate.clone(), key.clone())?))
    }

    /// What the server goes by where it listens on `address`.
    pub(super) fn hosts(&self, address: SocketAddr) -> Hosts {
        Hosts::new(address, self.hosts.clone())
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            readers: self.readers,
            requests_per_second: NonZeroU32::new(self.requests_per_second),
        }
    }
}
