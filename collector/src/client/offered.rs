//! Which kernels the server offers, and whether it is the server that says so.

use std::{collections::BTreeMap, io, net::IpAddr};

use kerncast_suite::is_signed;
use kerncast_wire::OfferedKernels;
use thiserror::Error;
use ureq::http::Uri;

use super::{Client, ServerError};

/// Why nothing that the server offers can be used.
#[derive(Debug, Error)]
pub enum OfferedError {
    /// Whoever is on the way reads the token, and could sign anything by it.
    #[error(
        "kernels are fetched by https, or from a server on this machine: {0} is neither, and whoever is on the way could \
         send others"
    )]
    Insecure(String),
    /// There is no token that could vouch for the answer.
    #[error("kernels from the server at {0} are signed by the agent's token, and there is none")]
    NoToken(String),
    /// There is no randomness.
    #[error("cannot make up a nonce: {0}")]
    Random(#[from] io::Error),
    /// No usable answer.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// It is signed otherwise, or not at all.
    #[error(
        "what the server at {0} offers is not signed by this agent's token: expected the signature of a server that knows \
         it. Nothing of it is used"
    )]
    Unsigned(String),
}

impl Client {
    /// The source hashes of the kernels that the server offers, by name: signed by this agent's token, for this one
    /// question.
    ///
    /// # Errors
    /// The way there is not safe, no usable answer, or one that somebody else could have made.
    pub fn offered(&self) -> Result<BTreeMap<String, String>, OfferedError> {
        let url = || self.url.clone();
        if !is_safe(&self.url) {
            return Err(OfferedError::Insecure(url()));
        }
        let Some(key) = self.token.hash() else {
            return Err(OfferedError::NoToken(url()));
        };
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let nonce: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let OfferedKernels { kernels, signature } =
            self.get(&format!("/v1/offered_kernels?nonce={nonce}"))?;
        let list = kernels.iter().map(|it| (&*it.name, &*it.source_hash));
        let signature = signature.unwrap_or_default();
        // Of two of one name only one is in the list.
        let list: BTreeMap<&str, &str> = list.collect();
        if !is_signed(&key, &nonce, &list, &signature) {
            return Err(OfferedError::Unsigned(url()));
        }
        let kernels = kernels.into_iter();
        Ok(kernels.map(|it| (it.name, it.source_hash)).collect())
    }
}

/// Whether nobody on the way can read or change what is said.
fn is_safe(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else {
        return false;
    };
    let host = uri.host().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse();
    let is_here = host == "localhost" || address.is_ok_and(|it: IpAddr| it.is_loopback());
    uri.scheme_str() == Some("https") || is_here
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_come_by_https_or_from_here() {
        for url in [
            "https://lab:7310",
            "http://127.0.0.1:7310",
            "http://localhost:7310",
            "http://[::1]:7310",
        ] {
            assert!(is_safe(url), "{url}");
        }
        for url in [
            "http://lab:7310",
            "http://10.0.0.1",
            "http://localhost.example",
            "http://127.0.0.1@evil.example",
        ] {
            assert!(!is_safe(url), "{url}");
        }
    }
}
