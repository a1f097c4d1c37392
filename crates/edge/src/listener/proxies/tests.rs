//! Parsing of the PROXY protocol and of forwarding headers.

use super::*;
use http::HeaderMap;
use std::io;

const PEER: &str = "10.0.0.1:4711";

fn proxies() -> ProxyAddresses {
    ProxyAddresses::new(&["10.0.0.0/24".parse().unwrap(), "2001:db8:ffff::1/128".parse().unwrap()])
}

fn headers(name: &'static str, lines: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in lines {
        headers.append(name, line.parse().unwrap());
    }
    headers
}

#[test]
fn tls_011_proxies_are_known_by_their_addresses() {
    for (address, is_proxy) in [
        ("10.0.0.1", true),
        ("::ffff:10.0.0.255", true),
        ("2001:db8:ffff::1", true),
        ("10.0.1.1", false),
        ("2001:db8:ffff::2", false),
        ("127.0.0.1", false),
    ] {
        assert_eq!(proxies().contains(address.parse().unwrap()), is_proxy, "{address}");
    }
}

#[test]
fn tls_014_the_last_address_that_is_no_proxys_is_the_clients() {
    let read = |lines: &[&str]| {
        let headers = headers("x-forwarded-for", lines);
        let found = AddressHeader::XForwardedFor.client_address(&headers, PEER.parse().unwrap(), &proxies());
        found.ok().map(|address| address.ip().to_string())
    };
    for (lines, client) in [
        (&[][..], Some("10.0.0.1")),
        (&["192.0.2.7"], Some("192.0.2.7")),
        (&["198.51.100.9, 192.0.2.7"], Some("192.0.2.7")),
        (&["198.51.100.9", "192.0.2.7"], Some("192.0.2.7")),
        (&["192.0.2.7, 10.0.0.9"], Some("192.0.2.7")),
        (&["nonsense, 192.0.2.7"], Some("192.0.2.7")),
        (&["192.0.2.7:4711"], Some("192.0.2.7")),
        (&["[2001:db8::7]:4711"], Some("2001:db8::7")),
        (&["2001:db8::7"], Some("2001:db8::7")),
        (&["::ffff:192.0.2.7"], Some("192.0.2.7")),
        (&["192.0.2.7, unknown"], Some("10.0.0.1")),
        (&["10.0.0.8, 10.0.0.9"], Some("10.0.0.8")),
        (&["192.0.2.7, "], None),
        (&["192.0.2.7, localhost"], None),
        (&["192.0.2.300"], None),
        (&["é"], None),
    ] {
        assert_eq!(read(lines).as_deref(), client, "{lines:?}");
    }
}

#[test]
fn tls_014_forwarded_is_read_as_a_whole_or_not_at_all() {
    let read = |lines: &[&str]| {
        let headers = headers("forwarded", lines);
        let found = AddressHeader::Forwarded.client_address(&headers, PEER.parse().unwrap(), &proxies());
        found.ok().map(|address| address.ip().to_string())
    };
    for (lines, client) in [
        (&["for=192.0.2.7"][..], Some("192.0.2.7")),
        (&["For=\"[2001:db8::7]:4711\";proto=https;by=203.0.113.43"], Some("2001:db8::7")),
        (&["for=\"[2001:db8::7]\""], Some("2001:db8::7")),
        (&["by=203.0.113.43 ; for=192.0.2.7"], Some("192.0.2.7")),
        (&["for=198.51.100.9, for=192.0.2.7;proto=http, for=10.0.0.3"], Some("192.0.2.7")),
        (&["for=198.51.100.9", "for=192.0.2.7"], Some("192.0.2.7")),
        (&["for=\"_hidden\""], Some("10.0.0.1")),
        (&["for=\"192.0.2.7:_port\""], Some("192.0.2.7")),
        (&["for=198.51.100.9, for=unknown"], Some("10.0.0.1")),
        (&["for=198.51.100.9, proto=http"], Some("10.0.0.1")),
        (&["for=\"a\\\",b\", for=192.0.2.7"], Some("192.0.2.7")),
        // A quotation mark that a client leaves open must not hide what the proxy added.
        (&["for=\"198.51.100.9, for=192.0.2.7"], None),
        (&["for=\"198.51.100.9\"x, for=192.0.2.7"], None),
        (&["for=198.51.100.9;for=192.0.2.7"], None),
        (&["for = 192.0.2.7"], None),
        (&["for"], None),
        (&["for=[2001:db8::7]"], None),
        (&["for=somebody"], None),
    ] {
        assert_eq!(read(lines).as_deref(), client, "{lines:?}");
    }
}

/// Version 2: command, family and the rest.
fn version_2(command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
    let length = u16::try_from(rest.len()).unwrap().to_be_bytes();
    [b"\r\n\r\n\0\r\nQUIT\n".as_slice(), &[command, family], &length, rest].concat()
}

const V4: [u8; 12] = [192, 0, 2, 7, 10, 0, 0, 1, 0x12, 0x67, 1, 187];

/// The field with the checksum of a header with [`V4`], this field and an empty one.
const CHECKSUM: [u8; 7] = [0x03, 0, 4, 0x27, 0xeb, 0x88, 0x15];

#[tokio::test]
async fn tls_014_the_proxy_protocol_says_where_a_connection_comes_from() {
    let mut v6 = vec![0x20, 1, 0xd, 0xb8];
    v6.extend([0; 11]);
    v6.push(7);
    v6.extend([0; 16]);
    v6.extend([0x12, 0x67, 1, 187]);
    let with_field = [V4.as_slice(), &[0x05, 0, 2, 7, 7]].concat();
    for (header, source) in [
        (b"PROXY TCP4 192.0.2.7 10.0.0.1 4711 443\r\n".to_vec(), Some("192.0.2.7:4711")),
        (b"PROXY TCP6 2001:db8::7 ::1 4711 443\r\n".to_vec(), Some("[2001:db8::7]:4711")),
        (b"PROXY TCP6 ::ffff:192.0.2.7 ::1 4711 443\r\n".to_vec(), Some("192.0.2.7:4711")),
        (b"PROXY UNKNOWN\r\n".to_vec(), None),
        (version_2(0x21, 0x11, &V4), Some("192.0.2.7:4711")),
        (version_2(0x21, 0x11, &with_field), Some("192.0.2.7:4711")),
        (version_2(0x21, 0x11, &[V4.as_slice(), &CHECKSUM, &[0x05, 0, 0]].concat()), Some("192.0.2.7:4711")),
        (version_2(0x21, 0x21, &v6), Some("[2001:db8::7]:4711")),
        (version_2(0x20, 0x00, &[]), None),
        (version_2(0x20, 0x11, &V4), None),
    ] {
        let sent = [header.as_slice(), b"\x16\x03\x01"].concat();
        let mut stream = sent.as_slice();
        let read = read_source(&mut stream).await.unwrap();
        assert_eq!(read.map(|address| address.to_string()).as_deref(), source, "{header:?}");
        assert_eq!(stream, b"\x16\x03\x01", "what follows is not touched: {header:?}");
    }
}

#[tokio::test]
async fn tls_011_a_connection_that_begins_otherwise_is_not_read() {
    let long = [b"PROXY TCP4 ".as_slice(), &[b'1'; 200], b"\r\n"].concat();
    for (sent, kind) in [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00\x00".to_vec(), io::ErrorKind::InvalidData),
        (b"GET / HTTP/1.1\r\n\r\n".to_vec(), io::ErrorKind::InvalidData),
        (b"PROXY TCP4 192.0.2.7 10.0.0.1 4711\r\n".to_vec(), io::ErrorKind::InvalidData),
        (b"PROXY TCP4 192.0.2.7 10.0.0.1 4711 443\n".to_vec(), io::ErrorKind::InvalidData),
        (b"PROXY TCP4 2001:db8::7 ::1 4711 443\r\n".to_vec(), io::ErrorKind::InvalidData),
        (b"PROXY UDP4 192.0.2.7 10.0.0.1 4711 443\r\n".to_vec(), io::ErrorKind::InvalidData),
        (long, io::ErrorKind::InvalidData),
        (version_2(0x31, 0x11, &V4), io::ErrorKind::InvalidData),
        (version_2(0x22, 0x11, &V4), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x12, &V4), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &V4[..8]), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &[V4.as_slice(), &[0x04, 0, 3, 0, 0]].concat()), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &[V4.as_slice(), &[0x04, 0x40, 0, 0, 0]].concat()), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &[V4.as_slice(), &[0x04, 0]].concat()), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &[V4.as_slice(), &[0x03, 0, 4, 0, 0, 0, 0]].concat()), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &[V4.as_slice(), &[0x03, 0, 2, 0, 0]].concat()), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &[V4.as_slice(), &CHECKSUM, &[0x05, 0, 1, 7]].concat()), io::ErrorKind::InvalidData),
        (version_2(0x21, 0x11, &vec![0; 60_000]), io::ErrorKind::InvalidData),
        (b"PROXY TCP4 192.0".to_vec(), io::ErrorKind::UnexpectedEof),
        (version_2(0x21, 0x11, &V4)[..20].to_vec(), io::ErrorKind::UnexpectedEof),
        (Vec::new(), io::ErrorKind::UnexpectedEof),
    ] {
        let error = read_source(&mut sent.as_slice()).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{:?}", String::from_utf8_lossy(&sent[..sent.len().min(40)]));
    }
}
