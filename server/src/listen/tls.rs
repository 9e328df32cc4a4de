//! TLS, with a certificate that is read again where its file has changed.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use thiserror::Error;
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(5);
/// For a client to agree on how to talk.
const LONGEST_HANDSHAKE: Duration = Duration::from_secs(10);

/// Files in PEM: the server's certificate and those up to its authority's, and its private key.
#[derive(Clone, Debug)]
pub struct Files {
    /// The certificates, the server's own first.
    pub certificate: PathBuf,
    /// The key, PKCS #8, PKCS #1 or SEC 1.
    pub key: PathBuf,
}

/// Why there can be no TLS.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file can't be read, or has nothing of what it should have.
    #[error("{} can't be read as {what} in PEM", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What should be in it.
        what: &'static str,
        /// What is wrong with it.
        source: pem::Error,
    },
    /// The key is not the certificate's, or of a kind that rustls does not know.
    #[error("the key in {} does not go with the certificate in {}", .files.key.display(), .files.certificate.display())]
    Mismatch {
        /// Both.
        files: Files,
        /// What is wrong with them.
        source: rustls::Error,
    },
    /// The library refuses.
    #[error("TLS can't be set up")]
    Setup(#[from] rustls::Error),
}

/// What TLS connections are made with.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
}

#[derive(Debug)]
struct Certificate {
    files: Files,
    /// With when the files were last changed, as they were when it was read.
    current: RwLock<(Arc<CertifiedKey>, Changed)>,
}

type Changed = [Option<SystemTime>; 2];

impl Tls {
    /// With the certificate that is in the files now.
    ///
    /// # Errors
    /// Where they can't be read or do not go together.
    pub fn new(files: Files) -> Result<Self, TlsError> {
        let changed = files.changed();
        let certificate = Arc::new(Certificate {
            current: RwLock::new((Arc::new(files.read()?), changed)),
            files,
        });
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&certificate) as _);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: Arc::new(config).into(),
            certificate,
        })
    }

    /// Agrees with a client on how to talk.
    ///
    /// # Errors
    /// The client does not speak TLS, or is too slow.
    pub async fn accept(&self, stream: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        tokio::time::timeout(LONGEST_HANDSHAKE, self.acceptor.accept(stream)).await?
    }

    /// Reads the files again whenever they have changed; never ends. What can't be used is warned of, and the
    /// certificate before stays.
    pub async fn follow(self) {
        loop {
            tokio::time::sleep(LOOK).await;
            self.certificate.look();
        }
    }
}

impl Certificate {
    fn look(&self) {
        let changed = self.files.changed();
        let known = self
            .current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .1;
        if changed == known {
            return;
        }
        let key = match self.files.read() {
            Ok(key) => {
                tracing::info!(
                    "the certificate in {} is new",
                    self.files.certificate.display()
                );
                Arc::new(key)
            }
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                let cause = cause.unwrap_or_default();
                tracing::warn!("the certificate before stays: {error}: {cause}");
                Arc::clone(
                    &self
                        .current
                        .read()
                        .unwrap_or_else(PoisonError::into_inner)
                        .0,
                )
            }
        };
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = (key, changed);
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current.0))
    }
}

impl Files {
    fn changed(&self) -> Changed {
        [&self.certificate, &self.key]
            .map(|path| fs::metadata(path).and_then(|it| it.modified()).ok())
    }

    fn read(&self) -> Result<CertifiedKey, TlsError> {
        let unreadable = |path: &PathBuf, what| {
            let path = path.clone();
            move |source| TlsError::Unreadable { path, what, source }
        };
        let wrong = unreadable(&self.certificate, "a certificate");
        let chain: Vec<_> = CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect)
            .and_then(|chain: Vec<_>| match chain.is_empty() {
                true => Err(pem::Error::NoItemsFound),
                false => Ok(chain),
            })
            .map_err(wrong)?;
        let key = PrivateKeyDer::from_pem_file(&self.key)
            .map_err(unreadable(&self.key, "a private key"))?;
        CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|source| {
            TlsError::Mismatch {
                files: self.clone(),
                source,
            }
        })
    }
}
