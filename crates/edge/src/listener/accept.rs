//! A bound socket, and the loop that accepts connections from it until the listener is stopped.

use super::connection::ConnectionService;
use super::connection_permits::{ConnectionPermits, UnassignedPermit};
use super::limits::ListenerLimits;
use super::socket::{AcceptedStream, ListenerSocket, UNIX_PEER};
use super::transport::ListenerTransport;
use axum::Router;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// A bound socket that nobody is served on yet.
#[derive(Debug)]
pub struct Listener {
    socket: ListenerSocket,
}

impl Listener {
    /// Takes the address; port 0 picks a free one.
    ///
    /// # Errors
    /// The operating system's, when the address cannot be had.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        ListenerSocket::bind_tcp(address).map(|socket| Self { socket })
    }

    /// Takes 127.0.0.1 and ::1, since a name such as localhost may stand for either; port 0 picks one that is free at both. A machine
    /// without IPv6 has the first alone.
    ///
    /// # Errors
    /// The operating system's, when an address cannot be had.
    pub fn bind_loopback(port: u16) -> io::Result<Self> {
        ListenerSocket::bind_loopback(port).map(|socket| Self { socket })
    }

    /// Listens on a Unix socket, which its owner and its group may connect to. The socket of a process that has ended is replaced; the
    /// file is removed when the listener stops.
    ///
    /// # Errors
    /// The operating system's; [`io::ErrorKind::AddrInUse`] if another process listens there, [`io::ErrorKind::AlreadyExists`] for
    /// a file that is no socket.
    pub fn bind_unix(path: &Path) -> io::Result<Self> {
        ListenerSocket::bind_unix(path).map(|socket| Self { socket })
    }

    /// The address taken.
    ///
    /// # Errors
    /// The operating system's; [`io::ErrorKind::Unsupported`] for a Unix socket.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.address()
    }

    /// Serves the router until stopped, to callers that reach it in this way. `name` is the listener's name in metrics.
    pub fn serve_router(
        self,
        name: &'static str,
        transport: ListenerTransport,
        router: Router,
        limits: ListenerLimits,
    ) -> RunningListener {
        let running = RunningListener::default();
        let accept = AcceptLoop {
            socket: self.socket,
            serve: Arc::new(ConnectionService::new(
                name,
                transport,
                router,
                limits,
                Arc::clone(&running.closing),
                running.draining.clone(),
            )),
            permits: ConnectionPermits::new(name, &limits),
            running: running.clone(),
        };
        running.tasks.spawn(accept.run());
        running
    }
}

/// A listener at work. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct RunningListener {
    closing: Arc<AtomicBool>,
    draining: CancellationToken,
    ended: CancellationToken,
    tasks: TaskTracker,
}

impl RunningListener {
    /// Asks callers to come elsewhere: every answer on HTTP/1 ends its connection from now on. New connections are still
    /// served. HTTP/2 connections are told when the listener stops, which loses none of their requests.
    pub fn close_kept_alive(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// Stops accepting, closes idle connections, lets requests under way finish for this long, then ends what is left.
    pub async fn stop_listener(&self, drain: Duration) {
        self.draining.cancel();
        self.tasks.close();
        if tokio::time::timeout(drain, self.tasks.wait()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "ending connections that did not finish in time");
        }
        self.ended.cancel();
        self.tasks.wait().await;
    }
}

struct AcceptLoop {
    socket: ListenerSocket,
    serve: Arc<ConnectionService>,
    permits: ConnectionPermits,
    running: RunningListener,
}

impl AcceptLoop {
    async fn run(self) {
        // Leaving the loop drops the socket: the port is closed before the drain begins.
        self.running.draining.run_until_cancelled(self.accept_forever()).await;
    }

    async fn accept_forever(&self) {
        let mut pause = AcceptBackoff::default();
        loop {
            let Some(place) = self.permits.free().await else { return };
            match self.socket.accept().await {
                Ok(accepted) => {
                    pause = AcceptBackoff::default();
                    self.begin(accepted, place);
                }
                Err(error) if is_the_callers(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot accept connections for now");
                    pause.wait().await;
                }
            }
        }
    }

    fn begin(&self, accepted: AcceptedStream, place: UnassignedPermit) {
        match accepted {
            AcceptedStream::Tcp(stream, peer) if self.serve.takes_source_from_proxies() => {
                // A child token for each connection: a poll locks its token, and one shared token would be a point of contention.
                let ended = self.running.ended.child_token();
                // Boxed: each future around it would have room for it twice. It is small until the handshake begins.
                let connection = Box::pin(Arc::clone(&self.serve).proxied_connection(stream, peer, place));
                self.running.tasks.spawn(async move {
                    ended.run_until_cancelled(connection).await;
                });
            }
            AcceptedStream::Tcp(stream, peer) => self.begin_connection(stream, peer, place),
            AcceptedStream::Unix(stream) => self.begin_connection(stream, UNIX_PEER, place),
        }
    }

    fn begin_connection<S>(&self, stream: S, peer: SocketAddr, place: UnassignedPermit)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        // Closed at once: others are not kept waiting by whoever opens too many.
        let Some(place) = self.serve.place_of(peer, place) else { return };
        // Own tokens and boxes here too.
        let ended = self.running.ended.child_token();
        let anonymous = place.anonymous();
        let connection = Box::pin(Arc::clone(&self.serve).connection(stream, peer, anonymous));
        self.running.tasks.spawn(async move {
            ended.run_until_cancelled(connection).await;
            drop(place);
        });
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
