//! Parses the header of the PROXY protocol, versions 1 and 2, with which a proxy begins a connection.
//!
//! Source: The PROXY protocol, versions 1 & 2 (HAProxy Technologies), section 2.

use proxy_header::{ParseConfig, Protocol, ProxyHeader};
use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The signature at the start of a header of version 2.
const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";
/// The number of bytes after the signature: version and command, family, and the length of the rest.
const FIXED_BYTES: usize = 4;
/// The most bytes of the rest. Addresses take at most 216; proxies may add fields, such as a client's certificate.
const REST_BYTES_MAX: usize = 8192;

/// The position of the address family, and the number of address bytes for each family: IPv4, IPv6, Unix sockets.
const FAMILY_AT: usize = SIGNATURE.len() + 1;
const IPV4_BYTES: usize = 12;
const IPV6_BYTES: usize = 36;
const UNIX_BYTES: usize = 216;
/// The type of the checksum field, and the polynomial of CRC-32C with its bits reversed.
const CRC32C: u8 = 3;
const CRC32C_POLYNOMIAL: u32 = 0x82f6_3b78;

/// The start of a header of version 1, and the most bytes of its line.
const WORD: &[u8] = b"PROXY ";
const LINE_BYTES_MAX: usize = 107;

/// Reads the header and no byte after it. Returns the source address of the connection; `None` for a connection of the proxy itself, such
/// as a health check.
///
/// # Errors
/// The error of the connection; [`io::ErrorKind::InvalidData`] if it does not begin with a header.
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
        // The line is read byte by byte, because the bytes after it belong to TLS.
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
    if header.proxied_address().is_some() && bytes.starts_with(&SIGNATURE) {
        check_fields(&bytes)?;
    }
    match header.proxied_address() {
        None => Ok(None),
        Some(proxied) if proxied.protocol == Protocol::Stream => {
            Ok(Some(SocketAddr::new(proxied.source.ip().to_canonical(), proxied.source.port())))
        }
        Some(_) => Err(invalid("the header is not of a TCP connection")),
    }
}

/// Checks the fields after the addresses of a header of version 2. Each must end within the header, and a checksum must equal that of the
/// header with zeros in its place. Source: The PROXY protocol, sections 2.2 and 2.2.3.
fn check_fields(header: &[u8]) -> io::Result<()> {
    let addresses = match header.get(FAMILY_AT).map(|family| family >> 4) {
        Some(1) => IPV4_BYTES,
        Some(2) => IPV6_BYTES,
        _ => UNIX_BYTES,
    };
    let (fixed, mut rest) = header
        .split_at_checked(SIGNATURE.len() + FIXED_BYTES + addresses)
        .ok_or_else(|| invalid("the header ends within its addresses"))?;
    let mut zeroed = fixed.to_vec();
    let mut checksum = None;
    while let [kind, high, low, values @ ..] = rest {
        let bytes = usize::from(u16::from_be_bytes([*high, *low]));
        let (value, after) =
            values.split_at_checked(bytes).ok_or_else(|| invalid("a field ends outside the header"))?;
        zeroed.extend_from_slice(&[*kind, *high, *low]);
        if *kind == CRC32C {
            let value = value.try_into().map_err(|_| invalid("a checksum has four bytes"))?;
            if checksum.replace(u32::from_be_bytes(value)).is_some() {
                return Err(invalid("the header has two checksums"));
            }
            zeroed.extend_from_slice(&[0; 4]);
        } else {
            zeroed.extend_from_slice(value);
        }
        rest = after;
    }
    if !rest.is_empty() {
        return Err(invalid("a field ends outside the header"));
    }
    if checksum.is_some_and(|checksum| checksum != crc32c(&zeroed)) {
        return Err(invalid("the checksum is wrong"));
    }
    Ok(())
}

/// The checksum of these bytes. Source: RFC 4960 appendix B.
fn crc32c(bytes: &[u8]) -> u32 {
    let whole = bytes.iter().fold(u32::MAX, |sum, byte| {
        let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ CRC32C_POLYNOMIAL } else { sum >> 1 };
        (0..u8::BITS).fold(sum ^ u32::from(*byte), step)
    });
    !whole
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
