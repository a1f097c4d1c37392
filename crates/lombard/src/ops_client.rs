//! Talks to the ops listener of a server on this machine: one request on a connection of its own, in the clear.

use lombard_ports::controls::DataFileFault;
use serde_json::Value;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long a server may take to say that it lives.
const ALIVE_WITHIN: Duration = Duration::from_secs(2);
/// How long an operation may take: a key is made in less than a second, even on a slow machine in a few.
const DONE_WITHIN: Duration = Duration::from_secs(60);
/// Most bytes of an answer.
const ANSWER_BYTES_MAX: u64 = 1 << 20;
/// How long a data file may take to come or go, and how many bytes it may have.
const FILE_WITHIN: Duration = Duration::from_secs(600);
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Why an operation was not done.
#[derive(Debug, thiserror::Error)]
pub enum OpsError {
    /// The server cannot be talked to.
    #[error("the running server cannot be reached at {ops}")]
    Unreachable {
        /// Its ops listener.
        ops: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// It refused, and says why.
    #[error("{0}")]
    Refused(String),
    /// It has no such operation: those of a sandbox are absent in production.
    #[error("the running server does not offer this operation")]
    Absent,
    /// It found faults in a data file.
    #[error("the file has faults; nothing of it was stored")]
    Faulty(Vec<DataFileFault>),
}

/// Whether a server answers there.
pub async fn is_alive(ops: &str) -> bool {
    let asked = OpsRequest { method: "GET", path: "/healthz", body: b"", answer_bytes_max: ANSWER_BYTES_MAX };
    matches!(tokio::time::timeout(ALIVE_WITHIN, exchange(ops, asked)).await, Ok(Ok((200, _))))
}

/// Asks for an operation and returns what it answered.
///
/// # Errors
/// [`OpsError`].
pub async fn call_operation(ops: &str, path: &str, order: &Value) -> Result<Value, OpsError> {
    let body = order.to_string();
    let asked = OpsRequest { method: "POST", path, body: body.as_bytes(), answer_bytes_max: ANSWER_BYTES_MAX };
    let text = done(ops, asked, DONE_WITHIN).await?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// Asks what the server shows at a path.
///
/// # Errors
/// [`OpsError`].
pub async fn fetch_from_ops(ops: &str, path: &str) -> Result<Value, OpsError> {
    let asked = OpsRequest { method: "GET", path, body: b"", answer_bytes_max: ANSWER_BYTES_MAX };
    let text = done(ops, asked, DONE_WITHIN).await?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// Sends a data file and returns what came of it.
///
/// # Errors
/// [`OpsError`].
pub async fn send_file(ops: &str, path: &str, file: &[u8]) -> Result<Value, OpsError> {
    let asked = OpsRequest { method: "POST", path, body: file, answer_bytes_max: ANSWER_BYTES_MAX };
    let text = done(ops, asked, FILE_WITHIN).await?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// Fetches a data file.
///
/// # Errors
/// [`OpsError`].
pub async fn fetch_file(ops: &str, path: &str) -> Result<String, OpsError> {
    let asked = OpsRequest { method: "GET", path, body: b"", answer_bytes_max: FILE_BYTES_MAX };
    done(ops, asked, FILE_WITHIN).await
}

/// The text of an answer that says it was done.
async fn done(ops: &str, asked: OpsRequest<'_>, within: Duration) -> Result<String, OpsError> {
    let unreachable = |source| OpsError::Unreachable { ops: ops.to_owned(), source };
    let answer = tokio::time::timeout(within, exchange(ops, asked)).await;
    let (status, text) = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())).map_err(unreachable)?;
    if (200..300).contains(&status) {
        return Ok(text);
    }
    if status == 404 {
        return Err(OpsError::Absent);
    }
    let mut answer: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    if let Some(faults) = answer.get_mut("faults").map(Value::take) {
        return Err(OpsError::Faulty(serde_json::from_value(faults).unwrap_or_default()));
    }
    let said = answer.get("error").and_then(Value::as_str).or(answer.as_str());
    Err(OpsError::Refused(said.unwrap_or("the running server refused").trim().to_owned()))
}

/// One request, and how long its answer may be.
struct OpsRequest<'a> {
    method: &'a str,
    path: &'a str,
    body: &'a [u8],
    answer_bytes_max: u64,
}

async fn exchange(ops: &str, asked: OpsRequest<'_>) -> io::Result<(u16, String)> {
    let OpsRequest { method, path, body, answer_bytes_max } = asked;
    let host = ops.strip_prefix("http://").ok_or(io::ErrorKind::InvalidInput)?;
    let mut stream = TcpStream::connect(host).await?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    stream.write_all(&[head.as_bytes(), body].concat()).await?;
    let mut answer = String::new();
    stream.take(answer_bytes_max).read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    Ok((status, body.to_owned()))
}
