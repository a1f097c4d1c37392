//! Tests with a small TLS server whose behaviour depends on the path.

use super::*;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// A host as an operator lists it.
fn called(text: &str) -> CalledHost {
    CalledHost::parse(text).unwrap()
}

/// Starts a TLS server for `localhost` on a thread.
fn serve() -> (u16, Vec<u8>) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key.into())
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // A client with another trust anchor aborts the handshake.
            let _ = answer(&config, stream.unwrap());
        }
    });
    (port, cert.der().to_vec())
}

fn answer(config: &Arc<ServerConfig>, stream: TcpStream) -> std::io::Result<()> {
    let connection = ServerConnection::new(Arc::clone(config)).map_err(std::io::Error::other)?;
    let mut tls = StreamOwned::new(connection, stream);
    let mut request = [0; 4_096];
    let length = tls.read(&mut request)?;
    let request = String::from_utf8_lossy(&request[..length]).into_owned();
    let (status, headers, body) = match request.split(' ').nth(1).unwrap_or_default() {
        "/jwks" => ("200 OK", "", br#"{"keys":[]}"#.to_vec()),
        "/largest" => ("200 OK", "", vec![b' '; BYTES_MAX]),
        "/larger" => ("200 OK", "", vec![b' '; BYTES_MAX + 1]),
        "/binary" => ("200 OK", "", vec![0xff]),
        "/moved" => ("302 Found", "Location: /jwks\r\n", Vec::new()),
        "/gone" => ("410 Gone", "", Vec::new()),
        "/forbidden" => ("403 Forbidden", "", Vec::new()),
        "/down" => ("503 Service Unavailable", "", Vec::new()),
        _ => ("404 Not Found", "", Vec::new()),
    };
    let length = body.len();
    write!(tls, "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n")?;
    tls.write_all(&body)?;
    tls.conn.send_close_notify();
    tls.flush()
}

#[tokio::test]
async fn as_009_a_key_set_is_fetched_whole_or_not_at_all() {
    let (port, anchor) = serve();
    let source = TrustedHosts::new(vec![called(&format!("localhost:{port}"))], vec![anchor]).unwrap();
    let fetch = async |path: &str| source.fetch_key_set(&format!("https://localhost:{port}{path}")).await;
    assert_eq!(fetch("/jwks").await.unwrap(), r#"{"keys":[]}"#);
    assert_eq!(fetch("/largest").await.unwrap().len(), BYTES_MAX);
    for path in ["/larger", "/binary", "/moved", "/forbidden", "/down"] {
        assert!(matches!(fetch(path).await, Err(KeySourceError::Unavailable(_))), "{path}");
    }
    for path in ["/absent", "/gone"] {
        assert!(matches!(fetch(path).await, Err(KeySourceError::Absent)), "DCR-044: {path}");
    }
}

#[tokio::test]
async fn a_logo_is_fetched_from_listed_hosts_within_a_limit_without_redirects() {
    let (port, anchor) = serve();
    let source = TrustedHosts::new(vec![called(&format!("localhost:{port}"))], vec![anchor]).unwrap();
    let fetch = async |path: &str| source.fetch_logo(&format!("https://localhost:{port}{path}"), 20).await;
    assert_eq!(fetch("/binary").await.unwrap(), [0xff]);
    for path in ["/largest", "/moved", "/absent", "/down"] {
        assert!(matches!(fetch(path).await, Err(LogoSourceError::Unavailable(_))), "{path}");
    }
    let elsewhere = source.fetch_logo("https://localhost/binary", 20).await;
    assert!(matches!(elsewhere, Err(LogoSourceError::NotAllowed)));
}

#[tokio::test]
async fn as_009_only_a_host_that_its_authority_vouches_for_is_believed() {
    let ((port, _), (_, other)) = (serve(), serve());
    let source = TrustedHosts::new(vec![called(&format!("localhost:{port}"))], vec![other]).unwrap();
    let refused = source.fetch_key_set(&format!("https://localhost:{port}/jwks")).await;
    assert!(matches!(refused, Err(KeySourceError::Unavailable(_))));
}

#[test]
fn as_009_only_listed_hosts_are_asked() {
    let hosts = ["keystore.example", "Other.example:8443", "third.example:443"].map(called);
    let source = TrustedHosts::new(hosts.to_vec(), Vec::new()).unwrap();
    for (url, allowed) in [
        ("https://keystore.example/a/b.jwks", true),
        ("https://KEYSTORE.example:443/", true),
        ("https://other.example:8443/x?y", true),
        ("https://third.example/", true),
        ("https://third.example:443/", true),
        ("https://third.example:8443/", false),
        ("http://keystore.example/", false),
        ("https://keystore.example:8443/", false),
        ("https://other.example/", false),
        ("https://keystore.example.evil.test/", false),
        ("https://evil.test/keystore.example", false),
        ("https://keystore.example@evil.test/", false),
        ("https://user@keystore.example/", false),
        ("https://user:word@keystore.example/", false),
        ("https://127.0.0.1/", false),
        ("https://[::1]/", false),
        ("file:///etc/passwd", false),
        ("keystore.example", false),
    ] {
        assert_eq!(source.allowed(url).is_some(), allowed, "{url}");
    }
}
