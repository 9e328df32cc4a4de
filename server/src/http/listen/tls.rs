//! TLS, with a certificate that is read again where its file has changed.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use anyhow::Context;
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem, pem::PemObject},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// How often the files are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// How long a client may take to agree on how to talk.
const LONGEST_HANDSHAKE: Duration = Duration::from_secs(10);

/// What TLS connections are made with.
#[derive(Clone)]
pub struct Tls {
    /// PEM: the server's certificate first, then those up to its authority's.
    certificate: PathBuf,
    /// PEM: PKCS #8, PKCS #1 or SEC 1.
    key: PathBuf,
    acceptor: Arc<RwLock<TlsAcceptor>>,
    /// When the files were changed last.
    changed: [Option<SystemTime>; 2],
}

impl Tls {
    /// TLS with the certificate and the private key that are in these files (PEM) now.
    ///
    /// # Errors
    /// Where they can't be read or do not go together.
    pub fn new(certificate: PathBuf, key: PathBuf) -> anyhow::Result<Self> {
        let changed = changed(&certificate, &key);
        let acceptor = Arc::new(RwLock::new(acceptor(&certificate, &key)?));
        Ok(Self {
            certificate,
            key,
            acceptor,
            changed,
        })
    }

    /// Agrees with a client on how to talk.
    pub(super) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
    ) -> io::Result<TlsStream<S>> {
        let current = self.acceptor.read();
        let acceptor = current.unwrap_or_else(PoisonError::into_inner).clone();
        timeout(LONGEST_HANDSHAKE, acceptor.accept(stream)).await?
    }

    /// Reads the files again whenever they have changed; never ends. What can't be used is warned of, and the
    /// certificate before stays.
    pub async fn follow(mut self) {
        loop {
            sleep(LOOK_INTERVAL).await;
            let changed = changed(&self.certificate, &self.key);
            if changed == self.changed {
                continue;
            }
            self.changed = changed;
            match acceptor(&self.certificate, &self.key) {
                Ok(new) => {
                    tracing::info!("the certificate in {} is new", self.certificate.display());
                    let current = self.acceptor.write();
                    *current.unwrap_or_else(PoisonError::into_inner) = new;
                }
                Err(error) => tracing::warn!("the certificate before stays: {error:#}"),
            }
        }
    }
}

fn changed(certificate: &Path, key: &Path) -> [Option<SystemTime>; 2] {
    [certificate, key].map(|path| fs::metadata(path).and_then(|it| it.modified()).ok())
}

fn acceptor(certificate: &Path, key: &Path) -> anyhow::Result<TlsAcceptor> {
    let chain = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
    let chain = chain.and_then(|chain: Vec<_>| {
        if chain.is_empty() {
            return Err(pem::Error::NoItemsFound);
        }
        Ok(chain)
    });
    let (of_certificate, of_key) = (certificate.display(), key.display());
    let unreadable = |path, what| format!("{path} can't be read as {what} in PEM");
    let chain = chain.with_context(|| unreadable(&of_certificate, "a certificate"))?;
    let key = PrivateKeyDer::from_pem_file(key);
    let key = key.with_context(|| unreadable(&of_key, "a private key"))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .with_context(|| {
            format!("the key in {of_key} does not go with the certificate in {of_certificate}")
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config).into())
}
