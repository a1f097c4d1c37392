//! How other people's servers are started, each with what it needs to answer the requests of a benchmark.

use super::install;
use crate::load::{PreparedRequest, RecordedResponse};
use crate::process::Process;
use crate::result::BenchResult;
use crate::robot::Robot;
use serde_json::{Map, Value, json};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::net::TcpStream;
use tokio::process::Command;

/// Of key stores that live as long as a benchmark.
const PASSWORD: &str = "password";
/// The specification of the resources that a mock of it answers, in the folder of a version of the standard.
const SPECIFICATION: &str = "account-info-openapi.json";

/// A running server, killed when dropped.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) process: Process,
    pub(super) base: String,
}

/// Where a peer finds its certificates, its program and a folder for what it reads and writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct PeerFolders<'a> {
    /// The data folder of the sandbox.
    pub(super) data: &'a Path,
    /// Where its packages are installed.
    pub(super) installed: &'a Path,
    /// Where it may write.
    pub(super) work: &'a Path,
}

impl PeerFolders<'_> {
    fn certificate(&self) -> PathBuf {
        self.data.join("private/server-p256.pem")
    }

    fn key(&self) -> PathBuf {
        self.data.join("private/server-p256.key")
    }

    /// The certificate of the authority that issues those of clients.
    fn clients(&self) -> PathBuf {
        self.data.join("tpp-ca.pem")
    }

    /// WireMock with one mapping, for this request and with this answer; it demands the client's certificate.
    pub(super) async fn wiremock(&self, request: &PreparedRequest, answer: &RecordedResponse) -> BenchResult<Peer> {
        let (keys, clients) = (self.work.join("server.p12"), self.work.join("clients.p12"));
        let mut export = Command::new("openssl");
        export.args(["pkcs12", "-export", "-passout", &format!("pass:{PASSWORD}"), "-out"]).arg(&keys);
        install::run(export.arg("-in").arg(self.certificate()).arg("-inkey").arg(self.key())).await?;
        let mut import = Command::new("keytool");
        import.args(["-importcert", "-noprompt", "-alias", "clients", "-storetype", "PKCS12", "-storepass", PASSWORD]);
        install::run(import.arg("-file").arg(self.clients()).arg("-keystore").arg(&clients)).await?;
        let mapping = json!({
            "request": {"method": "GET", "urlPath": request.path.path()},
            "response": {"status": 200, "headers": headers(answer), "body": text(answer)?},
        });
        let mappings = self.work.join("mappings");
        std::fs::create_dir_all(&mappings)?;
        std::fs::write(mappings.join("mapping.json"), mapping.to_string())?;
        let port = free_port()?;
        let mut java = Command::new("java");
        java.arg("-jar").arg(self.jar()?).arg("--root-dir").arg(self.work);
        java.args(["--https-port", &port.to_string(), "--disable-http", "--https-require-client-cert"]);
        java.arg("--https-keystore").arg(keys).args(["--keystore-type", "PKCS12", "--keystore-password", PASSWORD]);
        java.args(["--key-manager-password", PASSWORD]);
        java.arg("--https-truststore").arg(clients).args(["--truststore-type", "PKCS12"]);
        java.args(["--truststore-password", PASSWORD]);
        // What it need not do for an answer.
        java.args(["--no-request-journal", "--disable-request-logging", "--disable-gzip", "--disable-banner"]);
        start(&mut java, &format!("https://localhost:{port}"), port).await
    }

    fn jar(&self) -> BenchResult<PathBuf> {
        let folder = self.installed.join("node_modules/wiremock/build");
        let mut files = std::fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path()));
        let jar = files.find(|path| path.extension().is_some_and(|it| it == "jar"));
        jar.ok_or_else(|| format!("there is no jar in {}", folder.display()).into())
    }

    /// Prism with the official specification of account information; over plain HTTP, all that it has.
    pub(super) async fn prism(&self, spec: &Path) -> BenchResult<Peer> {
        let port = free_port()?;
        let mut node = self.node("node_modules/@stoplight/prism-cli/dist/index.js");
        node.args(["mock", "--port", &port.to_string(), "--verboseLevel", "silent"]).arg(specification(spec)?);
        start(&mut node, &format!("http://localhost:{port}"), port).await
    }

    /// Mockoon with one route, for this request and with this answer; over TLS without certificates of clients, which it does
    /// not demand.
    pub(super) async fn mockoon(&self, request: &PreparedRequest, answer: &RecordedResponse) -> BenchResult<Peer> {
        let port = free_port()?;
        let given = headers(answer);
        let given: Vec<_> = given.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
        let route = json!({
            "uuid": "4d6f636b-6f6f-4e00-8000-000000000002", "type": "http", "documentation": "", "method": "get",
            "endpoint": request.path.path().trim_start_matches('/'),
            "responses": [{
                "uuid": "4d6f636b-6f6f-4e00-8000-000000000003", "body": text(answer)?, "latency": 0, "statusCode": 200,
                "label": "", "headers": given, "bodyType": "INLINE", "filePath": "", "databucketID": "",
                "sendFileAsBody": false, "rules": [], "rulesOperator": "OR", "disableTemplating": true,
                "fallbackTo404": false, "default": true, "crudKey": "id", "callbacks": [],
            }],
            "responseMode": null, "streamingMode": null, "streamingInterval": 0,
        });
        let environment = json!({
            "uuid": "4d6f636b-6f6f-4e00-8000-000000000001", "lastMigration": 33, "name": "balances", "port": port,
            "hostname": "127.0.0.1", "endpointPrefix": "", "latency": 0, "folders": [], "routes": [route],
            "rootChildren": [{"type": "route", "uuid": "4d6f636b-6f6f-4e00-8000-000000000002"}],
            "proxyMode": false, "proxyHost": "", "proxyRemovePrefix": false, "proxyReqHeaders": [],
            "proxyResHeaders": [], "headers": [], "data": [], "callbacks": [], "cors": false,
            "tlsOptions": {
                "enabled": true, "type": "CERT", "pfxPath": "", "certPath": self.certificate(), "keyPath": self.key(),
                "caPath": self.clients(), "passphrase": "",
            },
        });
        let file = self.work.join("mockoon.json");
        std::fs::write(&file, environment.to_string())?;
        let mut node = self.node("node_modules/@mockoon/cli/bin/run.js");
        node.args(["start", "--disable-log-to-file", "--disable-admin-api", "--data"]).arg(file);
        start(&mut node, &format!("https://localhost:{port}"), port).await
    }

    /// A provider of the package `oidc-provider` with the robot as its client.
    pub(super) async fn oidc_provider(&self, robot: &Robot) -> BenchResult<Peer> {
        let card = &robot.tpp.folder.card;
        let mut key = robot.tpp.folder.signing.public().to_jwk(&[]);
        let members = key.as_object_mut().ok_or("a key that is no object")?;
        members.insert("kid".to_owned(), card.signing_kid.as_str().into());
        let discovery = robot.tpp.discovery().await?;
        self.own_server(&json!({
            // Assertions are made for Lombard's issuer, and a provider accepts those made for its own.
            "issuer": discovery.issuer,
            "token": url::Url::parse(&discovery.token_endpoint)?.path(),
            "client": card.client_id,
            "keys": [key],
            "scope": "accounts",
        }))
        .await
    }

    /// The hand-made server of payments, with these consents.
    pub(super) async fn express(&self, robot: &Robot, consents: &[String]) -> BenchResult<Peer> {
        let card = &robot.tpp.folder.card;
        self.own_server(&json!({
            "database": self.work.join("express.db"),
            "signing": self.data.join("tpps/robot/signing.key"),
            "verification": robot.tpp.folder.signing.public().to_jwk(&[]),
            "kid": card.signing_kid,
            "issuer": card.org_id,
            "consents": consents,
        }))
        .await
    }

    /// Starts `server.mjs` of a folder of `bench/peers` with these settings, a port and the certificates.
    async fn own_server(&self, settings: &Value) -> BenchResult<Peer> {
        let port = free_port()?;
        let mut config = settings.as_object().cloned().unwrap_or_default();
        config.insert("port".to_owned(), port.into());
        for (name, file) in [("certificate", self.certificate()), ("key", self.key()), ("ca", self.clients())] {
            config.insert(name.to_owned(), json!(file));
        }
        let file = self.work.join("config.json");
        std::fs::write(&file, Value::Object(config).to_string())?;
        let mut node = self.node("server.mjs");
        start(node.arg(file), &format!("https://localhost:{port}"), port).await
    }

    fn node(&self, script: &str) -> Command {
        let mut node = Command::new("node");
        node.arg(self.installed.join(script)).env("NODE_ENV", "production");
        node
    }
}

/// The file of the newest release of v3.1 in the folder `openapi` of the standard.
fn specification(spec: &Path) -> BenchResult<PathBuf> {
    let folders = std::fs::read_dir(spec).map_err(|error| format!("{}: {error}", spec.display()))?;
    let mut files: Vec<_> = folders
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|it| it.to_string_lossy().starts_with("v3.1")))
        .map(|path| path.join(SPECIFICATION))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files.pop().ok_or_else(|| format!("{} holds no v3.1…/{SPECIFICATION}", spec.display()).into())
}

/// The headers of an answer that a server does not set by itself.
fn headers(answer: &RecordedResponse) -> Map<String, Value> {
    let wanted = answer.headers.iter().filter(|(name, _)| !["date", "content-length"].contains(&name.as_str()));
    wanted.map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into())).collect()
}

fn text(answer: &RecordedResponse) -> BenchResult<String> {
    Ok(String::from_utf8(answer.body.to_vec())?)
}

/// A port that was free a moment ago: most peers take a number and do not say which one they chose.
fn free_port() -> BenchResult<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Starts a server and waits until it accepts connections.
async fn start(command: &mut Command, base: &str, port: u16) -> BenchResult<Peer> {
    let mut process = Process::start(command.stdout(Stdio::null()))?;
    process.wait_for(async || TcpStream::connect(("127.0.0.1", port)).await.ok()).await?;
    Ok(Peer { process, base: base.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_release_of_the_specification_is_taken() {
        let spec = tempfile::tempdir().unwrap();
        for version in ["v3.1.10", "v3.1.11", "v4.0.1"] {
            std::fs::create_dir(spec.path().join(version)).unwrap();
            std::fs::write(spec.path().join(version).join(SPECIFICATION), "{}").unwrap();
        }
        assert_eq!(specification(spec.path()).unwrap(), spec.path().join("v3.1.11").join(SPECIFICATION));
        assert!(specification(&spec.path().join("v4.0.1")).unwrap_err().to_string().contains("holds no v3.1"));
    }
}
