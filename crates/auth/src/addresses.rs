//! Checks the addresses that a TPP states: redirect URIs, and the addresses of notifications, key sets and logos. Source: DCR-009.

use std::net::{Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// The most characters of a redirect URI. Source: DCR-009.
pub const REDIRECT_URI_CHARS_MAX: usize = 256;

/// Whether a redirect URI can be registered: it is an address as [`is_tpp_address`] accepts it, of at most [`REDIRECT_URI_CHARS_MAX`]
/// characters. Source: DCR-009.
pub fn is_redirect_uri(text: &str) -> bool {
    text.len() <= REDIRECT_URI_CHARS_MAX && is_tpp_address(text)
}

/// Whether a text is an `https` URL of another host, without user name, fragment, or characters that URL parsers read differently.
pub fn is_tpp_address(text: &str) -> bool {
    plain_url(text).is_some_and(|url| is_other_host(&url))
}

/// As [`is_tpp_address`], but for any host. For addresses that the server itself calls, because it calls only hosts that the operator
/// lists.
pub(crate) fn is_callable_address(text: &str) -> bool {
    plain_url(text).is_some()
}

fn plain_url(text: &str) -> Option<Url> {
    let may_stand = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    let url = Url::parse(text).ok()?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (text.starts_with("https://") && text.bytes().all(may_stand) && is_plain && url.has_host()).then_some(url)
}

/// Whether the host of a URL is another machine. A name or address of this machine, a link-local address and a multicast address are not.
fn is_other_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            !name.is_empty() && name != "localhost" && !name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => is_other_ipv4(address),
        Some(Host::Ipv6(address)) => is_other_ipv6(address),
        None => false,
    }
}

/// Whether an IPv4 address is that of another machine. Source: RFC 6890 section 2.2.2.
fn is_other_ipv4(address: Ipv4Addr) -> bool {
    let [first, ..] = address.octets();
    let is_this_machine = first == 0 || address.is_loopback();
    !(is_this_machine || address.is_link_local() || address.is_multicast() || address.is_broadcast())
}

fn is_other_ipv6(address: Ipv6Addr) -> bool {
    let is_this_machine = address.is_unspecified() || address.is_loopback();
    let is_local = address.is_unicast_link_local() || address.is_multicast();
    !is_this_machine && !is_local && embedded_ipv4(address).is_none_or(is_other_ipv4)
}

/// The IPv4 address that an IPv6 address contains: mapped and compatible (RFC 4291 section 2.5.5), translated (RFC 2765 section 2.1, RFC
/// 6052 section 2.1, RFC 8215), tunnelled by 6to4 (RFC 3056 section 2) or Teredo (RFC 4380 section 4).
fn embedded_ipv4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let joined = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match address.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x64, 0xff9b, 1, _, _, _, high, low]
        | [0x2002, high, low, ..] => Some(joined(high, low)),
        [0x2001, 0, _, _, _, _, high, low] => Some(joined(!high, !low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dcr_009_redirect_uris_that_can_be_registered() {
        let longest = format!("https://tpp.example/{}", "x".repeat(REDIRECT_URI_CHARS_MAX - 20));
        let longer = format!("{longest}x");
        for (uri, accepted) in [
            ("https://tpp.example/callback", true),
            ("https://tpp.example:8443/a?b=c", true),
            ("https://localhost.example/", true),
            (longest.as_str(), true),
            (longer.as_str(), false),
            ("http://tpp.example/", false),
            ("HTTPS://tpp.example/", false),
            ("https:/tpp.example/", false),
            ("https://tpp.example/#", false),
            ("https://tpp.example/#a", false),
            ("https://user@tpp.example/", false),
            ("https://user:word@tpp.example/", false),
            ("https://tpp.example/a b", false),
            ("https://tpp.example\\@evil.example/", false),
            ("https://", false),
            ("tpp.example", false),
            ("", false),
        ] {
            assert_eq!(is_redirect_uri(uri), accepted, "{uri}");
        }
    }

    #[test]
    fn dcr_009_every_way_to_write_this_machine_is_refused() {
        for (host, accepted) in [
            ("localhost", false),
            ("LOCALHOST:8445", false),
            ("localhost.", false),
            ("app.localhost", false),
            ("127.0.0.1", false),
            ("127.1", false),
            ("0x7f.1", false),
            ("2130706433", false),
            ("0.0.0.0", false),
            ("0.1.2.3", false),
            ("169.254.1.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("192.0.2.1", true),
            ("[::1]", false),
            ("[::]", false),
            ("[fe80::1]", false),
            ("[ff02::1]", false),
            ("[2001:db8::1]", true),
            ("[::ffff:127.0.0.1]", false),
            ("[::ffff:0.0.0.0]", false),
            ("[::ffff:7f00:1]", false),
            ("[::ffff:192.0.2.1]", true),
            ("[::127.0.0.1]", false),
            ("[::ffff:0:127.0.0.1]", false),
            ("[64:ff9b::127.0.0.1]", false),
            ("[64:ff9b::192.0.2.1]", true),
            ("[64:ff9b:1::127.0.0.1]", false),
            ("[2002:7f00:1::]", false),
            ("[2002:c000:201::]", true),
            // Teredo writes the bits of the address inverted.
            ("[2001:0:4136:e378:8000:63bf:80ff:fffe]", false),
            ("[2001:0:4136:e378:8000:63bf:3fff:fdfe]", true),
        ] {
            assert_eq!(is_redirect_uri(&format!("https://{host}/")), accepted, "{host}");
        }
    }
}
