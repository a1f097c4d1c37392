//! Calls the ops listener of a measured server: raises events, and reads the number of held polls.

use crate::result::BenchResult;
use bytes::Bytes;
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use lombard_domain::ids::ClientId;
use serde_json::{Value, json};
use std::path::Path;
use tokio::net::TcpStream;

/// A kept connection to the ops listener.
#[derive(Debug)]
pub(crate) struct Ops {
    connection: SendRequest<Full<Bytes>>,
    host: String,
    /// The value of the header that identifies the operator of the measured sandbox.
    authorization: String,
}

impl Ops {
    /// Connects to the listener of the sandbox in this folder.
    pub(crate) async fn connect(ops: &str, data_dir: &Path) -> BenchResult<Self> {
        let operator: Value = serde_json::from_slice(&std::fs::read(data_dir.join("operator.json"))?)?;
        let token = operator.get("token").and_then(Value::as_str).ok_or("operator.json has no token")?;
        let authorization = format!("Bearer {token}");
        let host = ops.strip_prefix("http://").ok_or("the ops listener has no address")?.to_owned();
        let stream = TcpStream::connect(&host).await?;
        stream.set_nodelay(true)?;
        let (connection, driver) = handshake(TokioIo::new(stream)).await?;
        drop(tokio::spawn(driver));
        Ok(Self { connection, host, authorization })
    }

    /// Raises this many events for a client and returns their ids.
    pub(crate) async fn raise(&mut self, client: &ClientId, count: u32) -> BenchResult<Vec<String>> {
        let order = json!({"client_id": client.as_str(), "count": count}).to_string();
        let answer = self.send(Request::post("/sandbox/events"), order).await?;
        let ids = answer.get("jtis").and_then(Value::as_array).ok_or("no jtis")?;
        Ok(ids.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// The number of polls that the server holds.
    pub(crate) async fn held_polls(&mut self) -> BenchResult<u64> {
        let answer = self.send(Request::get("/operations/events"), String::new()).await?;
        Ok(answer.get("held").and_then(Value::as_u64).ok_or("it does not say how many polls it holds")?)
    }

    /// Creates a TPP whose authorisation requests are decided at once for this customer.
    pub(crate) async fn create_tpp(&mut self, name: &str, customer: &str) -> BenchResult<()> {
        let order = json!({"name": name, "headless": customer}).to_string();
        self.send(Request::post("/operations/tpps"), order).await.map(drop)
    }

    async fn send(&mut self, request: http::request::Builder, body: String) -> BenchResult<Value> {
        let request = request.header(HOST, &self.host).header(CONTENT_TYPE, "application/json");
        let request = request.header(AUTHORIZATION, &self.authorization);
        self.connection.ready().await?;
        let response = self.connection.send_request(request.body(Full::new(body.into()))?).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
        }
        Ok(serde_json::from_slice(&body)?)
    }
}
