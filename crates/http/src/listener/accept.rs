//! A bound socket, and the loop that accepts connections from it until the listener is stopped.

use super::connection::ConnectionService;
use super::connection_permits::ConnectionPermits;
use super::limits::ListenerLimits;
use super::transport::ListenerTransport;
use axum::Router;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What the system keeps of answers that were written and not read, bytes for each connection (Linux doubles it). Unset
/// it grows to megabytes, and a slow reader is seen to make progress only once in many.
const SEND_BUFFER_BYTES: u32 = 128 * 1024;

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

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
                running.closing.clone(),
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
    closing: CancellationToken,
    draining: CancellationToken,
    ended: CancellationToken,
    tasks: TaskTracker,
}

impl RunningListener {
    /// Asks callers to come elsewhere: every answer on HTTP/1 ends its connection from now on. New connections are still
    /// served. HTTP/2 connections are told when the listener stops, which loses none of their requests.
    pub fn close_kept_alive(&self) {
        self.closing.cancel();
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
    socket: TcpListener,
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
                Ok((stream, peer)) => {
                    pause = AcceptBackoff::default();
                    // A child token for each connection: a poll locks its token, and one shared token would be a point of contention.
                    let ended = self.running.ended.child_token();
                    // Boxed: each future around it would have room for it twice. It is small until the handshake begins.
                    if self.serve.takes_source_from_proxies() {
                        let connection = Box::pin(Arc::clone(&self.serve).proxied_connection(stream, peer, place));
                        self.running.tasks.spawn(async move {
                            ended.run_until_cancelled(connection).await;
                        });
                        continue;
                    }
                    // Closed at once: others are not kept waiting by whoever opens too many.
                    let Some(place) = self.serve.place_of(peer, place) else { continue };
                    let anonymous = place.anonymous();
                    let connection = Box::pin(Arc::clone(&self.serve).connection(stream, peer, anonymous));
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
