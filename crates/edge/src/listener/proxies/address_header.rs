//! Reads the header in which a proxy states the client's address. Source: TLS-014, RFC 7239.
//!
//! A client can send any content before the entries that the proxies add, so the header is read from its end. The last address that is not
//! a proxy's is the client's.

use super::addresses::ProxyAddresses;
use super::fault::ForwardingFault;
use http::header::FORWARDED;
use http::{HeaderMap, HeaderName};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The header with the client's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressHeader {
    /// The parameter `for` of `Forwarded`. Source: RFC 7239.
    Forwarded,
    /// `X-Forwarded-For`.
    XForwardedFor,
}

const MALFORMED: ForwardingFault = ForwardingFault { rule: "TLS-014", reason: "a malformed forwarding header" };

/// The address of one hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hop {
    At(SocketAddr),
    /// The proxy does not state the address. Source: RFC 7239 sections 6.2 and 6.3.
    Unknown,
}

impl AddressHeader {
    /// The client's address: that of the connection if there is no header or a proxy does not state it.
    ///
    /// # Errors
    /// [`ForwardingFault`] if the entries of the proxies cannot be parsed.
    pub(super) fn client_address(
        self,
        headers: &HeaderMap,
        peer: SocketAddr,
        proxies: &ProxyAddresses,
    ) -> Result<SocketAddr, ForwardingFault> {
        let name = match self {
            Self::Forwarded => FORWARDED,
            Self::XForwardedFor => X_FORWARDED_FOR,
        };
        let mut client = peer;
        let lines: Vec<_> = headers.get_all(name).iter().collect();
        for line in lines.into_iter().rev() {
            let line = line.to_str().map_err(|_| MALFORMED)?;
            let hops = match self {
                Self::Forwarded => forwarded_hops(line).ok_or(MALFORMED)?,
                Self::XForwardedFor => line.split(',').map(|it| it.trim_matches([' ', '\t']).to_owned()).collect(),
            };
            for hop in hops.iter().rev() {
                match hop_of(hop).ok_or(MALFORMED)? {
                    Hop::Unknown => return Ok(client),
                    Hop::At(address) => client = address,
                }
                if !proxies.contains(client.ip()) {
                    return Ok(client);
                }
            }
        }
        Ok(client)
    }
}

/// The `for` of each element of a `Forwarded` header, in order; `unknown` for an element without one. The whole line must be well-formed,
/// because an open quotation mark of a client could otherwise hide the entry that a proxy added after it. Source: RFC 7239 section 4.
fn forwarded_hops(line: &str) -> Option<Vec<String>> {
    let mut rest = line;
    let mut hops = Vec::new();
    loop {
        let mut hop: Option<String> = None;
        loop {
            rest = rest.trim_start_matches([' ', '\t']);
            if !(rest.is_empty() || rest.starts_with([';', ','])) {
                let (name, after) = rest.split_once('=')?;
                let (value, after) = value_of(after)?;
                is_token(name).then_some(())?;
                if name.eq_ignore_ascii_case("for") && hop.replace(value).is_some() {
                    return None;
                }
                rest = after.trim_start_matches([' ', '\t']);
            }
            match rest.strip_prefix(';') {
                Some(after) => rest = after,
                None => break,
            }
        }
        hops.push(hop.unwrap_or_else(|| "unknown".to_owned()));
        if rest.is_empty() {
            return Some(hops);
        }
        rest = rest.strip_prefix(',')?;
    }
}

/// Splits a token or a quoted string from the start of a text. Source: RFC 9110 section 5.6.
fn value_of(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(|it: char| !is_token_character(it)).unwrap_or(text.len());
        let (token, rest) = text.split_at_checked(end)?;
        return (!token.is_empty()).then(|| (token.to_owned(), rest));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    loop {
        match characters.next()? {
            (at, '"') => return Some((value, quoted.get(at.saturating_add(1)..)?)),
            (_, '\\') => value.push(characters.next()?.1),
            (_, other) => value.push(other),
        }
    }
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_token_character)
}

fn is_token_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}

/// Parses a node: an address with or without a port, `unknown`, or a name that begins with an underscore. Source: RFC 7239 section 6.
fn hop_of(node: &str) -> Option<Hop> {
    let at = |address: IpAddr| Hop::At(SocketAddr::new(address.to_canonical(), 0));
    if node.eq_ignore_ascii_case("unknown") || node.starts_with('_') {
        return Some(Hop::Unknown);
    }
    if let Ok(address) = node.parse::<IpAddr>() {
        return Some(at(address));
    }
    if let Ok(address) = node.parse::<SocketAddr>() {
        return Some(Hop::At(SocketAddr::new(address.ip().to_canonical(), address.port())));
    }
    // An address may have no port or an obfuscated one: `[2001:db8::1]`, `192.0.2.1:_port`.
    if let Some(rest) = node.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        (port.is_empty() || port.starts_with(":_")).then_some(())?;
        return address.parse::<Ipv6Addr>().ok().map(|address| at(address.into()));
    }
    let (address, port) = node.split_once(':')?;
    port.starts_with('_').then_some(())?;
    address.parse::<IpAddr>().ok().map(at)
}
