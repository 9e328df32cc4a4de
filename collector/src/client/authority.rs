//! Who says that a server is the one that it says it is.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use thiserror::Error;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// Whom to believe.
pub enum Authority {
    /// The authorities of the web.
    Web,
    /// Whoever made these certificates, and nobody else: a lab's own authority, or the server itself.
    Named(Vec<Certificate<'static>>),
}

/// A file that holds no certificate.
#[derive(Debug, Error)]
pub enum AuthorityError {
    /// It can't be read.
    #[error("cannot read the certificate {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{} holds no certificate in PEM", .0.display())]
    None(PathBuf),
}

impl Authority {
    /// The certificates of a file.
    ///
    /// # Errors
    /// It can't be read, or has none.
    pub fn read(path: &Path) -> Result<Self, AuthorityError> {
        let text = fs::read(path).map_err(|source| AuthorityError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let certificates = parse_pem(&text).filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        });
        let certificates: Vec<_> = certificates.collect();
        match certificates.is_empty() {
            true => Err(AuthorityError::None(path.to_owned())),
            false => Ok(Self::Named(certificates)),
        }
    }

    pub(super) fn tls(&self) -> TlsConfig {
        let roots = match self {
            Self::Web => RootCerts::WebPki,
            Self::Named(certificates) => RootCerts::new_with_certs(certificates),
        };
        TlsConfig::builder().root_certs(roots).build()
    }
}
