//! Talks to the ops listener of a server on this machine: one request on a connection of its own, in the clear.

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
}

/// Whether a server answers there.
pub async fn is_alive(ops: &str) -> bool {
    matches!(tokio::time::timeout(ALIVE_WITHIN, exchange(ops, "GET", "/healthz", "")).await, Ok(Ok((200, _))))
}

/// Asks for an operation and returns what it answered.
///
/// # Errors
/// [`OpsError`].
pub async fn operate(ops: &str, path: &str, order: &Value) -> Result<Value, OpsError> {
    let unreachable = |source| OpsError::Unreachable { ops: ops.to_owned(), source };
    let body = order.to_string();
    let answer = tokio::time::timeout(DONE_WITHIN, exchange(ops, "POST", path, &body)).await;
    let (status, text) = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())).map_err(unreachable)?;
    let answer: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    if (200..300).contains(&status) {
        return Ok(answer);
    }
    let said = answer.get("error").and_then(Value::as_str).or(answer.as_str());
    Err(OpsError::Refused(said.unwrap_or("the running server refused").trim().to_owned()))
}

async fn exchange(ops: &str, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
    let host = ops.strip_prefix("http://").ok_or(io::ErrorKind::InvalidInput)?;
    let mut stream = TcpStream::connect(host).await?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await?;
    let mut answer = String::new();
    stream.take(ANSWER_BYTES_MAX).read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    Ok((status, body.to_owned()))
}
