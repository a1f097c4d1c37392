//! Binds a socket, and accepts connections from it until the listener is stopped.

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

/// A bound socket that does not accept connections yet.
#[derive(Debug)]
pub struct Listener {
    socket: ListenerSocket,
}

impl Listener {
    /// Binds the address; port 0 selects a free port.
    ///
    /// # Errors
    /// The operating system's error, when the address cannot be bound.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        ListenerSocket::bind_tcp(address).map(|socket| Self { socket })
    }

    /// Binds 127.0.0.1 and ::1, because a name such as localhost may mean either; port 0 selects a port that is free at both. On a machine
    /// without IPv6 only the first is bound.
    ///
    /// # Errors
    /// The operating system's error, when an address cannot be bound.
    pub fn bind_loopback(port: u16) -> io::Result<Self> {
        ListenerSocket::bind_loopback(port).map(|socket| Self { socket })
    }

    /// Listens on a Unix socket, to which its owner and its group may connect. The socket of a process that has ended is replaced; the file
    /// is removed when the listener stops.
    ///
    /// # Errors
    /// The operating system's error; [`io::ErrorKind::AddrInUse`] if another process listens there, [`io::ErrorKind::AlreadyExists`] for a
    /// file that is not a socket.
    pub fn bind_unix(path: &Path) -> io::Result<Self> {
        ListenerSocket::bind_unix(path).map(|socket| Self { socket })
    }

    /// The bound address.
    ///
    /// # Errors
    /// The operating system's error; [`io::ErrorKind::Unsupported`] for a Unix socket.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.address()
    }

    /// Serves the router over this transport until the listener is stopped. `name` is the listener's name in metrics.
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

/// A running listener. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct RunningListener {
    closing: Arc<AtomicBool>,
    draining: CancellationToken,
    ended: CancellationToken,
    tasks: TaskTracker,
}

impl RunningListener {
    /// Asks callers to connect elsewhere: from now on every HTTP/1 response ends its connection. New connections are still served. HTTP/2
    /// connections are told when the listener stops, which loses none of their requests.
    pub fn close_kept_alive(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// Stops accepting, closes idle connections, lets requests in progress finish within this time, then ends the remaining ones.
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
            let Some(place) = self.permits.acquire().await else { return };
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
                // The future is boxed, because each surrounding future would hold it twice. It is small until the handshake begins.
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
        // The connection is closed at once, so that a caller with too many connections does not delay others.
        let Some(place) = self.serve.assign_permit(peer, place) else { return };
        // Each connection has its own token and box here too.
        let ended = self.running.ended.child_token();
        let anonymous = place.anonymous();
        let connection = Box::pin(Arc::clone(&self.serve).connection(stream, peer, anonymous));
        self.running.tasks.spawn(async move {
            ended.run_until_cancelled(connection).await;
            drop(place);
        });
    }
}

/// Whether an error of accepting concerns only the connection, which ended before it was accepted.
fn is_the_callers(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// A wait that grows up to a second. Without free file descriptors, trying again at once would only spin.
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
