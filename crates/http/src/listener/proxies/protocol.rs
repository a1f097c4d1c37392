//! The header of the PROXY protocol, versions 1 and 2, with which a proxy begins a connection.
//!
//! Source: The PROXY protocol, versions 1 & 2 (HAProxy Technologies), section 2.

use proxy_header::{ParseConfig, Protocol, ProxyHeader};
use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncRead, AsyncReadExt};

/// What a header of version 2 begins with.
const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";
/// What follows the signature: version and command, family, and the length of the rest.
const FIXED_BYTES: usize = 4;
/// Most bytes of the rest. Addresses take at most 216; proxies may add fields, a client's certificate among them.
const REST_BYTES_MAX: usize = 8192;

/// What a header of version 1 begins with, and most bytes of its line.
const WORD: &[u8] = b"PROXY ";
const LINE_BYTES_MAX: usize = 107;

/// Reads the header, and nothing of what follows it. Returns the address that the connection comes from; `None` if it is one of the
/// proxy itself, such as a health check.
///
/// # Errors
/// The connection's; [`io::ErrorKind::InvalidData`] if it does not begin with a header.
pub(in crate::listener) async fn read_source(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<SocketAddr>> {
    let mut bytes = vec![0; SIGNATURE.len()];
    stream.read_exact(&mut bytes).await?;
    if bytes == SIGNATURE {
        let mut fixed = [0; FIXED_BYTES];
        stream.read_exact(&mut fixed).await?;
        let [_, _, high, low] = fixed;
        let rest = usize::from(u16::from_be_bytes([high, low]));
        if rest > REST_BYTES_MAX {
            return Err(invalid("the header is too long"));
        }
        bytes.extend_from_slice(&fixed);
        let start = bytes.len();
        bytes.resize(start.saturating_add(rest), 0);
        stream.read_exact(bytes.get_mut(start..).unwrap_or_default()).await?;
    } else if bytes.starts_with(WORD) {
        // Byte by byte: what follows the line is not for us.
        while !bytes.ends_with(b"\n") {
            if bytes.len() >= LINE_BYTES_MAX {
                return Err(invalid("the line is too long"));
            }
            bytes.push(stream.read_u8().await?);
        }
    } else {
        return Err(invalid("the connection does not begin with a header of the PROXY protocol"));
    }
    let (header, length) = ProxyHeader::parse(&bytes, ParseConfig::default())
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    if length != bytes.len() {
        return Err(invalid("the header does not end where it says"));
    }
    match header.proxied_address() {
        None => Ok(None),
        Some(proxied) if proxied.protocol == Protocol::Stream => {
            Ok(Some(SocketAddr::new(proxied.source.ip().to_canonical(), proxied.source.port())))
        }
        Some(_) => Err(invalid("the header is not of a TCP connection")),
    }
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
