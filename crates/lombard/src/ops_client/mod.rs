//! The client of the ops listener of a server on this machine, with the identity of the person who calls.
//!
//! Each request without TLS uses a new HTTP connection.

mod error;
mod identity;

pub use error::OpsError;
pub use identity::OpsClient;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use identity::OpsConnection;
use serde_json::Value;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The time limit of the liveness check.
const ALIVE_WITHIN: Duration = Duration::from_secs(2);
/// The time limit of an operation. The slowest one creates a key, which can take a few seconds on a slow machine.
const DONE_WITHIN: Duration = Duration::from_secs(60);
/// The largest response in bytes.
const ANSWER_BYTES_MAX: u64 = 1 << 20;
/// The largest page of a log in bytes.
const PAGE_BYTES_MAX: u64 = 1 << 26;
/// The time limit for transferring a data file, and its largest size in bytes.
const FILE_WITHIN: Duration = Duration::from_secs(600);
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Whether a server responds at this address.
pub async fn is_alive(ops: &str) -> bool {
    let asked = OpsRequest { method: "GET", path: "/healthz", body: b"", answer_bytes_max: ANSWER_BYTES_MAX };
    // The request contains no secret and its answer is not trusted, so the server's certificate is not verified.
    let Ok(client) = OpsClient::of_anybody(ops) else { return false };
    matches!(tokio::time::timeout(ALIVE_WITHIN, exchange(&client, asked)).await, Ok(Ok((200, _))))
}

/// The HTTP method of an operation that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpsMethod {
    /// `POST`.
    Post,
    /// `PUT`.
    Put,
    /// `DELETE`.
    Delete,
}

impl OpsMethod {
    const fn name(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// Calls an operation with `POST` and returns its response.
///
/// # Errors
/// [`OpsError`].
pub async fn call_operation(ops: &OpsClient, path: &str, order: &Value) -> Result<Value, OpsError> {
    send_operation(ops, OpsMethod::Post, path, order).await
}

/// Calls an operation and returns its response.
///
/// # Errors
/// [`OpsError`].
pub async fn send_operation(ops: &OpsClient, method: OpsMethod, path: &str, order: &Value) -> Result<Value, OpsError> {
    let body = order.to_string();
    let asked = OpsRequest { method: method.name(), path, body: body.as_bytes(), answer_bytes_max: ANSWER_BYTES_MAX };
    let text = send_request(ops, asked, DONE_WITHIN).await?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// Reads a path of the ops listener.
///
/// # Errors
/// [`OpsError`].
pub async fn fetch_from_ops(ops: &OpsClient, path: &str) -> Result<Value, OpsError> {
    let asked = OpsRequest { method: "GET", path, body: b"", answer_bytes_max: ANSWER_BYTES_MAX };
    let text = send_request(ops, asked, DONE_WITHIN).await?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// Reads a page of the request log, or of the audit log, at this path.
///
/// # Errors
/// [`OpsError`].
pub async fn fetch_page(ops: &OpsClient, path: &str) -> Result<String, OpsError> {
    send_request(ops, OpsRequest { method: "GET", path, body: b"", answer_bytes_max: PAGE_BYTES_MAX }, DONE_WITHIN)
        .await
}

/// Sends a data file and returns the response.
///
/// # Errors
/// [`OpsError`].
pub async fn send_file(ops: &OpsClient, path: &str, file: &[u8]) -> Result<Value, OpsError> {
    let asked = OpsRequest { method: "POST", path, body: file, answer_bytes_max: ANSWER_BYTES_MAX };
    let text = send_request(ops, asked, FILE_WITHIN).await?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// Fetches a data file.
///
/// # Errors
/// [`OpsError`].
pub async fn fetch_file(ops: &OpsClient, path: &str) -> Result<String, OpsError> {
    let asked = OpsRequest { method: "GET", path, body: b"", answer_bytes_max: FILE_BYTES_MAX };
    send_request(ops, asked, FILE_WITHIN).await
}

/// Sends a request and returns the body of a successful response.
async fn send_request(ops: &OpsClient, asked: OpsRequest<'_>, within: Duration) -> Result<String, OpsError> {
    let unreachable = |source| OpsError::Unreachable { ops: ops.url().to_owned(), source };
    let answer = tokio::time::timeout(within, exchange(ops, asked)).await;
    let (status, text) = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())).map_err(unreachable)?;
    if (200..300).contains(&status) {
        return Ok(text);
    }
    let mut answer: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    // If an operation does not find its subject, the response is a JSON object; a path that does not exist has no such response.
    if status == 404 && answer.get("error").is_none() {
        return Err(OpsError::NoSuchOperation);
    }
    if let Some(faults) = answer.get_mut("faults").map(Value::take) {
        return Err(OpsError::Faulty(serde_json::from_value(faults).unwrap_or_default()));
    }
    let said = answer.get("error").and_then(Value::as_str).or(answer.as_str());
    Err(OpsError::Refused(said.unwrap_or("the running server refused").trim().to_owned()))
}

/// A request, and the largest size of its response.
struct OpsRequest<'a> {
    method: &'a str,
    path: &'a str,
    body: &'a [u8],
    answer_bytes_max: u64,
}

async fn exchange(ops: &OpsClient, asked: OpsRequest<'_>) -> io::Result<(u16, String)> {
    match ops.connection() {
        OpsConnection::Plain(host) => {
            let authorization = ops.authorization();
            exchange_plain(host, authorization.as_ref().map(|value| value.as_str()), asked).await
        }
        OpsConnection::Tls(client) => exchange_tls(client, ops, asked).await,
    }
}

async fn exchange_plain(host: &str, authorization: Option<&str>, asked: OpsRequest<'_>) -> io::Result<(u16, String)> {
    let OpsRequest { method, path, body, answer_bytes_max } = asked;
    let mut stream = TcpStream::connect(host).await?;
    let length = body.len();
    let authorization = authorization.map(|value| format!("authorization: {value}\r\n")).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         {authorization}content-length: {length}\r\n\r\n"
    );
    stream.write_all(&[head.as_bytes(), body].concat()).await?;
    let mut answer = String::new();
    stream.take(answer_bytes_max).read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    Ok((status, body.to_owned()))
}

async fn exchange_tls(client: &reqwest::Client, ops: &OpsClient, asked: OpsRequest<'_>) -> io::Result<(u16, String)> {
    let OpsRequest { method, path, body, answer_bytes_max } = asked;
    let method: reqwest::Method = method.parse().map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut request = client.request(method, format!("{}{path}", ops.url())).header(CONTENT_TYPE, "application/json");
    if let Some(authorization) = ops.authorization() {
        request = request.header(AUTHORIZATION, authorization.as_str());
    }
    let mut response = request.body(body.to_vec()).send().await.map_err(io::Error::other)?;
    let status = response.status().as_u16();
    let mut answer = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(io::Error::other)? {
        answer.extend_from_slice(&chunk);
        if u64::try_from(answer.len()).unwrap_or(u64::MAX) > answer_bytes_max {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    Ok((status, String::from_utf8(answer).map_err(|_| io::ErrorKind::InvalidData)?))
}
