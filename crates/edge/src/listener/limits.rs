//! The limits of a listener. Source: TLS-016.

use std::time::Duration;

/// The limits of a listener. Source: TLS-016.
#[derive(Debug, Clone, Copy)]
pub struct ListenerLimits {
    /// Most connections at a time; further ones wait to be accepted.
    pub connections_max: usize,
    /// Most connections of one address at a time, of IPv6 of one /64; further ones are closed.
    pub address_connections_max: usize,
    /// Most connections of one address (of IPv6: one /64) that have shown no certificate; a further one ends the one that has
    /// been idle for longest, or waits.
    pub anonymous_connections_max: usize,
    /// Most connections at a time on which one client has shown its certificate; a further one ends the one that has been
    /// idle for longest, or waits.
    pub client_connections_max: usize,
    /// Time to finish a TLS handshake; also, for how long a connection waits to begin it.
    pub handshake: Duration,
    /// Most bytes of a header section before the connection is closed.
    pub header_bytes_max: usize,
    /// Most header fields before the request is refused.
    pub header_fields_max: usize,
    /// Time from the first byte of a request to the end of its headers.
    pub header_read: Duration,
    /// Waiting time over which the minimum rate of a body is measured; also the longest time without a byte.
    pub body_idle: Duration,
    /// Total waiting time for a body.
    pub body_total: Duration,
    /// Least bytes per second of a received body and of a sent response; 0 requires only one byte within the idle time.
    pub bytes_per_sec_min: u32,
    /// Time over which the minimum rate of a response that the caller does not read is measured; also the longest time without progress.
    pub write_idle: Duration,
    /// Most requests of one client that are in progress or whose responses are unread.
    pub client_requests_max: usize,
    /// Most unread bytes of responses of one caller, which is a certificate or, without one, an address.
    pub unread_bytes_max: usize,
    /// Most bytes of request bodies that are held for one caller until they are complete.
    pub gathered_bytes_max: usize,
    /// Time a kept-alive connection may wait for its next request.
    pub keep_alive: Duration,
    /// Most HTTP/2 streams of a connection at a time.
    pub streams_max: u32,
}
