//! TLS connections whose bytes a test writes and reads itself.

use crate::harness::Bank;
use lombard_tpp::{Protocol, TlsIdentity, tls_config};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// A new connection to one of the bank's addresses.
pub(crate) async fn connect(
    bank: &Bank,
    base: &str,
    identity: Option<&TlsIdentity>,
) -> io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(base.replace("https://localhost", "127.0.0.1")).await?;
    begin_tls(bank, stream, identity).await
}

/// TLS on a connection that is open.
pub(crate) async fn begin_tls(
    bank: &Bank,
    stream: TcpStream,
    identity: Option<&TlsIdentity>,
) -> io::Result<TlsStream<TcpStream>> {
    let anchor = CertificateDer::from_pem_file(bank.data_dir().join("ca.pem")).unwrap();
    let tls = TlsConnector::from(Arc::new(tls_config(&[anchor], identity, Protocol::Http1).unwrap()));
    tls.connect(ServerName::try_from("localhost").unwrap(), stream).await
}

/// The next line, with its end.
pub(crate) async fn read_line(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut line = Vec::new();
    while !line.ends_with(b"\r\n") {
        line.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8(line).unwrap())
}

/// An answer of known length, whole; its head.
pub(crate) async fn read_answer(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        head += &read_line(stream).await?;
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    stream.read_exact(&mut vec![0; length.parse().unwrap()]).await?;
    Ok(head)
}
