//! A proxy to a server that can be paused: connections stay open, and no data passes until it is resumed.

use super::Bank;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use url::Url;

/// The line. It ends with its handle.
#[derive(Debug)]
pub(crate) struct PausableConnection {
    address: SocketAddr,
    silent: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

impl PausableConnection {
    /// A line to the server at this address.
    pub(crate) async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (silent, told) = watch::channel(false);
        let accepting = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(&server).await else { continue };
                let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
                tokio::spawn(pass(from_near, to_far, told.clone()));
                tokio::spawn(pass(from_far, to_near, told.clone()));
            }
        });
        Self { address, silent, accepting }
    }

    /// A line to the PostgreSQL server of this bank, and the URL of the bank's database through the line.
    pub(crate) async fn to_database_of(bank: &Bank) -> (Self, Url) {
        let mut url = bank.database_url();
        let line = Self::to(format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432))).await;
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(line.address().port())).unwrap();
        (line, url)
    }

    /// Where to call instead of the server.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Nothing comes through any more.
    pub(crate) fn fall_silent(&self) {
        self.silent.send_replace(true);
    }

    /// Everything comes through again, with what was kept back.
    pub(crate) fn go_on(&self) {
        self.silent.send_replace(false);
    }
}

impl Drop for PausableConnection {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Passes bytes on until one side closes; while it is silent, they are kept.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut silent: watch::Receiver<bool>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if silent.wait_for(|silent| !silent).await.is_err() || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
