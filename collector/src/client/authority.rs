//! Certificate authorities for the TLS connection to a server.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use thiserror::Error;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// The certificates that vouch for a server.
pub enum Authority {
    /// The public certificate authorities.
    Web,
    /// These certificates alone: a lab's own authority, or the server itself.
    Named(Vec<Certificate<'static>>),
}

/// Why a file gives no certificates.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Clone, Debug, Error)]
pub enum AuthorityError {
    #[error("cannot read the certificate {}: {source}", path.display())]
    Unreadable {
        path: PathBuf,
        source: Arc<io::Error>,
    },
    #[error("{} holds no certificate in PEM", .0.display())]
    None(PathBuf),
}

impl Authority {
    /// The certificates in a file; the public authorities where none is named.
    ///
    /// # Errors
    /// The file can't be read, or has no certificate.
    pub fn find(file: Option<&Path>) -> Result<Self, AuthorityError> {
        let Some(path) = file else {
            return Ok(Self::Web);
        };
        let text = fs::read(path).map_err(|source| AuthorityError::Unreadable {
            path: path.to_owned(),
            source: Arc::new(source),
        })?;
        let certificates = parse_pem(&text).filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        });
        let certificates: Vec<_> = certificates.collect();
        if certificates.is_empty() {
            return Err(AuthorityError::None(path.to_owned()));
        }
        Ok(Self::Named(certificates))
    }

    pub(super) fn tls(&self) -> TlsConfig {
        let roots = match self {
            Self::Web => RootCerts::WebPki,
            Self::Named(certificates) => RootCerts::new_with_certs(certificates),
        };
        TlsConfig::builder().root_certs(roots).build()
    }
}
