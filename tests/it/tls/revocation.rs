//! Client certificates that their authority has revoked, by lists that `openssl` makes and by its responder. Source: TLS-006.

use super::proxies::nginx::{self, HandedOn};
use super::proxies::{Nodes, free_port, program};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, Engine, access, until};
use jiff::SignedDuration;
use parking_lot::Mutex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdout};
use tokio::time::Instant;

/// The sandbox's authority of TPPs, as its operator has it.
struct Directory {
    openssl: PathBuf,
    folder: PathBuf,
    data: PathBuf,
}

impl Directory {
    /// None if there is no openssl on this machine.
    fn of(bank: &Bank) -> Option<Self> {
        let openssl = program("LOMBARD_TEST_OPENSSL", "openssl")?;
        let data = bank.data_dir().to_owned();
        let folder = bank.data_dir().join("directory-test");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("index.txt"), "").unwrap();
        fs::write(folder.join("number"), "01\n").unwrap();
        let config = format!(
            "[ca]\ndefault_ca = own\n[own]\ndatabase = {0}/index.txt\ncrlnumber = {0}/number\ndefault_md = sha256\n",
            folder.display()
        );
        fs::write(folder.join("ca.cnf"), config).unwrap();
        Some(Self { openssl, folder, data })
    }

    fn run(&self, arguments: &[&str]) -> String {
        let done = Command::new(&self.openssl).args(arguments).current_dir(&self.folder).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// Revokes the transport certificate of a TPP.
    fn revoke(&self, tpp: &str) {
        self.write_down(tpp, "R\t360101000000Z\t260101000000Z");
    }

    /// Knows the transport certificate of a TPP, and that it is valid.
    fn know(&self, tpp: &str) {
        self.write_down(tpp, "V\t360101000000Z\t");
    }

    fn write_down(&self, tpp: &str, state: &str) {
        let file = self.data.join(format!("tpps/{tpp}/transport.pem")).display().to_string();
        let serial = self.run(&["x509", "-in", &file, "-noout", "-serial"]);
        let serial = serial.trim().trim_start_matches("serial=");
        let line = format!("{state}\t{serial}\tunknown\t/CN={tpp}\n");
        let index = self.folder.join("index.txt");
        let all = fs::read_to_string(&index).unwrap();
        let others: String =
            all.lines().filter(|line| !line.contains(serial)).map(|line| format!("{line}\n")).collect();
        fs::write(index, others + line.as_str()).unwrap();
    }

    /// Its responder of OCSP on this port, which knows what is written down now. It answers by a certificate that the authority has
    /// given to it.
    async fn respond(&self, port: u16) -> Responder {
        let [ca, key] = ["tpp-ca.pem", "private/tpp-ca.key"].map(|name| self.data.join(name).display().to_string());
        if !self.folder.join("responder.pem").exists() {
            fs::write(self.folder.join("usage"), "extendedKeyUsage = OCSPSigning\n").unwrap();
            self.run(&[
                "req",
                "-new",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-keyout",
                "responder.key",
                "-subj",
                "/CN=responder",
                "-out",
                "responder.csr",
            ]);
            self.run(&[
                "x509",
                "-req",
                "-in",
                "responder.csr",
                "-CA",
                &ca,
                "-CAkey",
                &key,
                "-set_serial",
                "77",
                "-days",
                "2",
                "-extfile",
                "usage",
                "-out",
                "responder.pem",
            ]);
        }
        let mut command = tokio::process::Command::new(&self.openssl);
        command.args(["ocsp", "-port", &port.to_string(), "-index", "index.txt", "-CA", &ca]);
        command.args(["-rsigner", "responder.pem", "-rkey", "responder.key", "-nmin", "5"]);
        command.current_dir(&self.folder).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        // It waits for ever for a request on a connection that is closed without one, so nobody tries whether it listens.
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        while !said.next_line().await.unwrap().expect("the responder runs").contains("ACCEPT") {}
        Responder { process, _said: said }
    }

    /// Its list of now, PEM.
    fn list(&self) -> Vec<u8> {
        let key = self.data.join("private/tpp-ca.key");
        let certificate = self.data.join("tpp-ca.pem");
        let key = key.display().to_string();
        let certificate = certificate.display().to_string();
        let made = [
            "ca",
            "-gencrl",
            "-config",
            "ca.cnf",
            "-keyfile",
            &key,
            "-cert",
            &certificate,
            "-crlhours",
            "1",
            "-out",
            "list.pem",
        ];
        self.run(&made);
        fs::read(self.folder.join("list.pem")).unwrap()
    }
}

/// A responder's process.
struct Responder {
    process: Child,
    /// Kept open: it would be told that nobody listens.
    _said: Lines<BufReader<ChildStdout>>,
}

impl Responder {
    async fn stop(mut self) {
        self.process.kill().await.unwrap();
    }
}

/// Written by rename, as careful tools do.
fn write_list(file: &Path, list: &[u8]) {
    let next = file.with_extension("next");
    fs::write(&next, list).unwrap();
    fs::rename(next, file).unwrap();
}

async fn status(access: &CustomerAccess) -> Option<u16> {
    let accounts = access.tpp.get(access.token(), "aisp/accounts").await;
    accounts.ok().map(|answer| answer.status.as_u16())
}

/// A server that answers every request with the bytes that it has; it hangs up if it has none.
struct ListServer {
    url: String,
    list: Arc<Mutex<Option<Vec<u8>>>>,
}

impl ListServer {
    async fn start() -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/list", socket.local_addr().unwrap());
        let list = Arc::<Mutex<Option<Vec<u8>>>>::default();
        let served = Arc::clone(&list);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = socket.accept().await {
                let list = served.lock().clone();
                tokio::spawn(async move {
                    let mut request = [0; 4096];
                    let (Ok(_), Some(list)) = (stream.read(&mut request).await, list) else { return };
                    let head =
                        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", list.len());
                    let _ = stream.write_all(&[head.as_bytes(), &list].concat()).await;
                });
            }
        });
        Self { url, list }
    }

    fn serve(&self, list: Option<Vec<u8>>) {
        *self.list.lock() = list;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_006_a_crl_in_a_file_revokes_a_certificate_on_an_open_connection() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let Some(directory) = Directory::of(&bank) else { return };
    let file = bank.data_dir().join("list.pem");
    write_list(&file, &directory.list());
    bank.restart_with(&[("tls.revocation", "hard"), ("tls.crl_files", file.to_str().unwrap())]).await;
    let access_of_robot = access(&bank.tpp("robot"), &EVERYTHING).await;
    let rival = bank.tpp("rival").client_credentials("accounts").await.unwrap().access_token;
    assert_eq!(status(&access_of_robot).await, Some(200));

    directory.revoke("robot");
    write_list(&file, &directory.list());
    let replaced = Instant::now();
    until(async || (status(&access_of_robot).await == Some(401)).then_some(())).await;
    assert!(replaced.elapsed() < Duration::from_secs(5), "{:?}", replaced.elapsed());
    assert!(bank.tpp("robot").client_credentials("accounts").await.is_err(), "nor on a new connection");
    let others = bank.tpp("rival").get(&rival, "aisp/account-access-consents/none").await.unwrap();
    assert_eq!(others.status, 400, "another certificate of the same authority");

    // A list that nobody of the trusted authorities has signed is refused, and changes nothing.
    fs::write(&file, "-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n").unwrap();
    let (refused, said) = bank.ops_post("/operations/tls/reload", &serde_json::Value::Null).await;
    assert_eq!(refused, 400, "{said}");
    assert_eq!(status(&access_of_robot).await, Some(401));
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_006_a_crl_is_fetched_again_and_kept_while_its_server_is_down() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let Some(directory) = Directory::of(&bank) else { return };
    let server = ListServer::start().await;
    let nobody = directory.list();
    server.serve(Some(nobody.clone()));
    let settings =
        [("tls.revocation", "soft"), ("tls.crl_urls", server.url.as_str()), ("tls.revocation_refresh_secs", "1")];
    bank.restart_with(&settings).await;
    let robot = access(&bank.tpp("robot"), &EVERYTHING).await;
    assert_eq!(status(&robot).await, Some(200));

    directory.revoke("robot");
    server.serve(Some(directory.list()));
    let replaced = Instant::now();
    until(async || (status(&robot).await == Some(401)).then_some(())).await;
    assert!(replaced.elapsed() < Duration::from_secs(5), "{:?}", replaced.elapsed());

    // Neither a server that is down nor one that sends something else takes it back.
    for answer in [None, Some(b"not a list".to_vec()), Some(vec![b'0'; 17 * 1024 * 1024])] {
        server.serve(answer);
        let (status_of_reload, said) = bank.ops_post("/operations/tls/reload", &serde_json::Value::Null).await;
        assert_eq!((status_of_reload, &said["revocation_lists"]), (200, &serde_json::json!(1)), "{said}");
        assert_eq!(status(&robot).await, Some(401));
    }
    bank.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_006_without_any_list_soft_serves_and_hard_refuses() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let server = ListServer::start().await;
    for (mode, is_served) in [("soft", true), ("hard", false)] {
        bank.restart_with(&[("tls.revocation", mode), ("tls.crl_urls", server.url.as_str())]).await;
        let token = bank.tpp("robot").client_credentials("accounts").await;
        assert_eq!(token.is_ok(), is_served, "{mode}");
        bank.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_006_ocsp_is_repeated_and_revokes_on_a_kept_alive_connection() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let Some(directory) = Directory::of(&bank) else { return };
    let port = free_port();
    directory.know("robot");
    directory.know("rival");
    let responder = directory.respond(port).await;
    // The responder lives by the machine's clock, and its certificate is younger than the bank's.
    bank.clock.advance_to_present();
    bank.clock.advance(SignedDuration::from_secs(1));
    let url = format!("http://127.0.0.1:{port}");
    let settings = [("tls.revocation", "hard"), ("tls.ocsp_urls", url.as_str()), ("tls.revocation_refresh_secs", "60")];
    bank.restart_with(&settings).await;
    let robot = access(&bank.tpp("robot"), &EVERYTHING).await;
    assert_eq!(status(&robot).await, Some(200));
    assert!(bank.tpp("acme").client_credentials("accounts").await.is_err(), "the responder does not know it");

    // A responder that is down takes nothing back: what it has said counts until it says something else.
    responder.stop().await;
    bank.clock.advance(SignedDuration::from_secs(61));
    assert_eq!(status(&robot).await, Some(200));
    directory.revoke("robot");
    let responder = directory.respond(port).await;
    bank.clock.advance(SignedDuration::from_secs(61));
    until(async || (status(&robot).await == Some(401)).then_some(())).await;
    assert!(bank.tpp("robot").client_credentials("accounts").await.is_err(), "nor on a new connection");
    assert!(bank.tpp("rival").client_credentials("accounts").await.is_ok());
    responder.stop().await;
    bank.clock.advance(SignedDuration::from_secs(61));
    assert_eq!(status(&robot).await, Some(401));
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_006_a_responder_ends_a_certificate_that_nginx_hands_on() {
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let mut settings: Vec<(&str, &str)> = HandedOn::Rfc9440.settings();
    settings.extend([
        ("tls.revocation", "hard"),
        ("tls.ocsp_urls", url.as_str()),
        ("tls.revocation_refresh_secs", "60"),
    ]);
    let nodes = Nodes::start(Engine::Sqlite, &settings).await;
    let Some(_nginx) = nginx::start(&nodes, HandedOn::Rfc9440).await else { return };
    let bank = &nodes.banks[0];
    let Some(directory) = Directory::of(bank) else { return };
    directory.know("robot");
    let responder = directory.respond(port).await;
    bank.clock.advance_to_present();
    bank.clock.advance(SignedDuration::from_secs(1));
    let robot = access(&bank.tpp("robot"), &EVERYTHING).await;
    assert_eq!(status(&robot).await, Some(200));
    assert!(bank.tpp("acme").client_credentials("accounts").await.is_err(), "the responder does not know it");

    responder.stop().await;
    directory.revoke("robot");
    let responder = directory.respond(port).await;
    bank.clock.advance(SignedDuration::from_secs(61));
    until(async || (status(&robot).await == Some(401)).then_some(())).await;
    assert!(bank.tpp("robot").client_credentials("accounts").await.is_err());
    responder.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_006_without_an_answer_soft_serves_and_hard_refuses() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let url = format!("http://127.0.0.1:{}", free_port());
    for (mode, is_served) in [("soft", true), ("hard", false)] {
        bank.restart_with(&[("tls.revocation", mode), ("tls.ocsp_urls", url.as_str())]).await;
        let token = bank.tpp("robot").client_credentials("accounts").await;
        assert_eq!(token.is_ok(), is_served, "{mode}");
        bank.stop().await;
    }
}
