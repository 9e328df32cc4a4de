//! TLS connections for axum.

use std::{future::pending, io, net::SocketAddr};

use axum::{
    extract::connect_info::Connected,
    serve::{IncomingStream, Listener},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_rustls::server::TlsStream;

use super::{Peer, tls::Tls};

/// Connections that have agreed on how to talk, and wait to be taken.
const MOST_WAITING: usize = 64;

type Agreed = (TlsStream<TcpStream>, SocketAddr);

/// A listener whose clients speak TLS. One that is slow to agree on how keeps no other waiting.
pub struct TlsListener {
    address: SocketAddr,
    agreed: mpsc::Receiver<Agreed>,
}

impl TlsListener {
    /// Takes connections from `tcp` from now on.
    ///
    /// # Errors
    /// Where it has no address.
    pub fn new(tcp: TcpListener, tls: Tls) -> io::Result<Self> {
        let address = tcp.local_addr()?;
        let (sender, agreed) = mpsc::channel(MOST_WAITING);
        tokio::spawn(agree(tcp, tls, sender));
        Ok(Self { address, agreed })
    }
}

async fn agree(mut tcp: TcpListener, tls: Tls, agreed: mpsc::Sender<Agreed>) {
    while !agreed.is_closed() {
        let (stream, address) = Listener::accept(&mut tcp).await;
        let (tls, agreed) = (tls.clone(), agreed.clone());
        tokio::spawn(async move {
            match tls.accept(stream).await {
                // An error says only that the server is ending.
                Ok(stream) => drop(agreed.send((stream, address)).await),
                Err(error) => tracing::debug!("{address} does not speak TLS as we do: {error}"),
            }
        });
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> Agreed {
        match self.agreed.recv().await {
            Some(agreed) => agreed,
            // Nobody sends any more: the runtime is ending.
            None => pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

impl Connected<IncomingStream<'_, TlsListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TlsListener>) -> Self {
        Self(*stream.remote_addr())
    }
}
