//! The accept loop around a router: TLS, limits and drain that cannot be set elsewhere (D15, TLS-016).
//!
//! A [`Listener`] is bound first, so that its port is known before addresses are written into anything, and started
//! later. Nothing here knows a route.

mod anonymous;
mod body;
mod connection;
mod delivery;
mod pace;
mod places;
mod streams;
pub mod tls;
mod turns;
mod unread;

#[cfg(test)]
mod tests;

use axum::Router;
use connection::Serve;
use places::Places;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use body::BodyTooSlow;
pub(crate) use unread::{StreamedFromStorage, Unread};

/// What the system keeps of answers that were written and not read, bytes for each connection (Linux doubles it). Unset
/// it grows to megabytes, and a slow reader is seen to make progress only once in many.
const SEND_BUFFER_BYTES: u32 = 128 * 1024;

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// What one listener allows a connection. Source: TLS-016.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most connections at a time; further ones wait to be accepted.
    pub connections_max: usize,
    /// Most connections of one address at a time, of IPv6 of one /64; further ones are closed.
    pub address_connections_max: usize,
    /// Most connections of one address (of IPv6: one /64) that have shown no certificate; a further one ends the one that has
    /// been idle for longest, or waits.
    pub anonymous_connections_max: usize,
    /// Time to finish a TLS handshake; also, for how long a connection waits to begin it.
    pub handshake: Duration,
    /// Most bytes of a header section before the connection is closed.
    pub header_bytes_max: usize,
    /// Most header fields before the request is refused.
    pub header_fields_max: usize,
    /// Time from the first byte of a request to the end of its headers.
    pub header_read: Duration,
    /// Time of waiting over which the least rate of a body is judged; also, how long it may stand still.
    pub body_idle: Duration,
    /// Time of waiting for a body altogether.
    pub body_total: Duration,
    /// Least bytes a second of a body that comes and of an answer that goes; 0 asks for any byte within the idle time.
    pub bytes_per_sec_min: u32,
    /// Time over which the least rate of an answer that is not taken is judged; also, how long it may stand still.
    pub write_idle: Duration,
    /// Most bytes of answers that wait for one caller to read them: by certificate, or by address without one.
    pub unread_bytes_max: usize,
    /// Most bytes of request bodies that are held for one caller until they are complete.
    pub gathered_bytes_max: usize,
    /// Time a kept-alive connection may wait for its next request.
    pub keep_alive: Duration,
    /// Most HTTP/2 streams of a connection at a time.
    pub streams_max: u32,
}

/// Where a request came from. A request extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

/// A bound socket that nobody is served on yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
}

impl Listener {
    /// Takes the address; port 0 picks a free one.
    ///
    /// # Errors
    /// The operating system's, when the address cannot be had.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
        socket.bind(address)?;
        Ok(Self { socket: socket.listen(BACKLOG)? })
    }

    /// The address taken.
    ///
    /// # Errors
    /// The operating system's.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Serves the router until stopped: over TLS with a configuration, in the clear without. `name` is the listener's
    /// name in metrics.
    pub fn start(
        self,
        name: &'static str,
        tls: Option<Arc<rustls::ServerConfig>>,
        router: Router,
        limits: Limits,
    ) -> Running {
        let running = Running::default();
        let accept = Accept {
            socket: self.socket,
            serve: Arc::new(Serve::new(name, tls, router, limits, running.closing.clone(), running.draining.clone())),
            places: Places::new(name, &limits),
            running: running.clone(),
        };
        running.tasks.spawn(accept.run());
        running
    }
}

/// A listener at work. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct Running {
    closing: CancellationToken,
    draining: CancellationToken,
    ended: CancellationToken,
    tasks: TaskTracker,
}

impl Running {
    /// Asks callers to come elsewhere: every answer on HTTP/1 ends its connection from now on. New connections are still
    /// served. HTTP/2 connections are told when the listener stops, which loses none of their requests.
    pub fn close_kept_alive(&self) {
        self.closing.cancel();
    }

    /// Stops accepting, closes idle connections, lets requests under way finish for this long, then ends what is left.
    pub async fn stop(&self, drain: Duration) {
        self.draining.cancel();
        self.tasks.close();
        if tokio::time::timeout(drain, self.tasks.wait()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "ending connections that did not finish in time");
        }
        self.ended.cancel();
        self.tasks.wait().await;
    }
}

struct Accept {
    socket: TcpListener,
    serve: Arc<Serve>,
    places: Places,
    running: Running,
}

impl Accept {
    async fn run(self) {
        // Leaving the loop drops the socket: the port is closed before the drain begins.
        self.running.draining.run_until_cancelled(self.accept_forever()).await;
    }

    async fn accept_forever(&self) {
        let mut pause = AcceptBackoff::default();
        loop {
            let Some(place) = self.places.free().await else { return };
            match self.socket.accept().await {
                Ok((stream, peer)) => {
                    pause = AcceptBackoff::default();
                    // Closed at once: others are not kept waiting by whoever opens too many.
                    let Some(place) = place.of(peer.ip()) else { continue };
                    // Boxed: each future around it would have room for it twice.
                    let anonymous = place.anonymous();
                    let connection = Box::pin(Arc::clone(&self.serve).connection(stream, peer, anonymous));
                    let ended = self.running.ended.clone();
                    self.running.tasks.spawn(async move {
                        ended.run_until_cancelled(connection).await;
                        drop(place);
                    });
                }
                Err(error) if is_the_callers(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot accept connections for now");
                    pause.wait().await;
                }
            }
        }
    }
}

/// The connection died before it was accepted: nothing of ours.
fn is_the_callers(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Waits longer each time, up to a second: out of file descriptors, trying again at once would only spin.
#[derive(Debug)]
struct AcceptBackoff(Duration);

impl Default for AcceptBackoff {
    fn default() -> Self {
        Self(Duration::from_millis(10))
    }
}

impl AcceptBackoff {
    async fn wait(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = (self.0 * 2).min(Duration::from_secs(1));
    }
}

/// Small packets leave at once: answers are written whole, and waiting for more only delays them.
fn set_no_delay(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot switch Nagle's algorithm off");
    }
}
