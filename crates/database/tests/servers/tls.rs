//! TLS to PostgreSQL. Source: PostgreSQL 18 documentation, section 32.19.

use super::own_server::{OwnServer, Programs};
use super::{opened, refused, statement, text};
use lombard_database::statement::SqlStatement;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use std::fs;
use tempfile::TempDir;

static IS_TLS: SqlStatement = statement("SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()");

/// The name in the server's certificate.
const NAME: &str = "db.bank.example";

/// An authority that issues certificates, and the folder of its files.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Self { issuer, folder: tempfile::tempdir().unwrap() }
    }

    /// A certificate and its key, PEM.
    fn issue(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    fn file(&self, name: &str, content: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    }

    /// The file of its own certificate.
    fn root(&self) -> String {
        self.file("root.pem", &self.issuer.pem())
    }
}

/// A server with this certificate and key, these rules of who may connect, and a user with a password.
async fn server(programs: &std::sync::Arc<Programs>, (certificate, key): &(String, String), rules: &str) -> OwnServer {
    let mut server = OwnServer::made(programs).await;
    server.admit("host all all 127.0.0.1/32 trust");
    server.run().await;
    server.execute("CREATE ROLE clerk SUPERUSER LOGIN PASSWORD 'hunter2'").await;
    server.kill().await;
    let certificate = server.write("server.pem", certificate);
    let key = server.write("server.key", key);
    server.configure(&format!("ssl = on\nssl_cert_file = '{certificate}'\nssl_key_file = '{key}'"));
    server.admit(rules);
    server.run().await;
    server
}

const WITH_PASSWORD: &str = "hostssl all all 127.0.0.1/32 scram-sha-256";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_mode_verifies_what_it_promises() {
    let Some(programs) = Programs::find().await else { return };
    let (authority, other) = (Authority::new("Authority"), Authority::new("Other"));
    let server = server(&programs, &authority.issue(NAME), WITH_PASSWORD).await;
    let url = |host: &str, query: &str| {
        format!("postgres://clerk:hunter2@{host}:{}/postgres?hostaddr=127.0.0.1&{query}", server.port())
    };
    let (root, other) = (authority.root(), other.root());
    for (host, query) in [
        (NAME, "".to_owned()),
        (NAME, "sslmode=prefer".to_owned()),
        (NAME, "sslmode=require".to_owned()),
        ("elsewhere.example", "sslmode=require&channel_binding=require".to_owned()),
        ("elsewhere.example", format!("sslmode=require&sslrootcert={root}")),
        ("elsewhere.example", format!("sslmode=verify-ca&sslrootcert={root}")),
        (NAME, format!("sslmode=verify-full&sslrootcert={root}")),
        (NAME, format!("sslmode=verify-full&sslrootcert={root}&channel_binding=require")),
    ] {
        let database = opened(&url(host, &query)).await.unwrap_or_else(|error| panic!("{host} {query}: {error:?}"));
        assert_eq!(text(&database, &IS_TLS).await, "true", "{host} {query}");
    }
    for (host, query, words) in [
        (NAME, "sslmode=disable".to_owned(), "no encryption"),
        (NAME, format!("sslmode=require&sslrootcert={other}"), "UnknownIssuer"),
        (NAME, format!("sslmode=verify-ca&sslrootcert={other}"), "UnknownIssuer"),
        (NAME, format!("sslmode=verify-full&sslrootcert={other}"), "UnknownIssuer"),
        ("elsewhere.example", format!("sslmode=verify-full&sslrootcert={root}"), "not valid for name"),
        (NAME, "sslrootcert=system".to_owned(), "UnknownIssuer"),
    ] {
        let said = refused(&url(host, &query)).await;
        assert!(said.contains(words), "{host} {query}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_may_ask_for_the_certificate_of_the_client() {
    let Some(programs) = Programs::find().await else { return };
    let authority = Authority::new("Authority");
    let server = server(&programs, &authority.issue(NAME), "hostssl all all 127.0.0.1/32 cert").await;
    let root = server.write("clients.pem", &authority.issuer.pem());
    server.configure(&format!("ssl_ca_file = '{root}'"));
    let mut server = server;
    server.kill().await;
    server.run().await;
    let (certificate, key) = authority.issue("clerk");
    let (certificate, key) = (authority.file("client.pem", &certificate), authority.file("client.key", &key));
    let root = authority.root();
    let url = format!(
        "postgres://clerk@{NAME}:{}/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={root}",
        server.port()
    );
    let database = opened(&format!("{url}&sslcert={certificate}&sslkey={key}")).await.unwrap();
    assert_eq!(text(&database, &IS_TLS).await, "true");
    let said = refused(&url).await;
    assert!(said.contains("certificate"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_that_signs_itself_is_verified_with_itself() {
    let Some(programs) = Programs::find().await else { return };
    let mut params = CertificateParams::new(vec![NAME.to_owned()]).unwrap();
    // As `openssl req -x509` makes it.
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap().pem();
    let server = server(&programs, &(certificate.clone(), key.serialize_pem()), WITH_PASSWORD).await;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root.pem");
    fs::write(&root, certificate).unwrap();
    let url = |host: &str| {
        let root = root.display();
        let port = server.port();
        format!(
            "postgres://clerk:hunter2@{host}:{port}/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={root}"
        )
    };
    opened(&url(NAME)).await.unwrap();
    let said = refused(&url("elsewhere.example")).await;
    assert!(said.contains("not valid for name"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_tls_is_used_only_where_the_mode_allows_it() {
    let Some(programs) = Programs::find().await else { return };
    let server = OwnServer::start(&programs, "").await;
    let url = |mode: &str| format!("postgres://lombard@127.0.0.1:{}/postgres?sslmode={mode}", server.port());
    let database = opened(&url("prefer")).await.unwrap();
    assert_eq!(text(&database, &IS_TLS).await, "false");
    let said = refused(&url("require")).await;
    assert!(said.contains("does not support TLS"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_admits_nobody_over_tls_is_used_without_it_in_mode_prefer() {
    let Some(programs) = Programs::find().await else { return };
    let authority = Authority::new("Authority");
    let server = server(&programs, &authority.issue(NAME), "hostnossl all all 127.0.0.1/32 scram-sha-256").await;
    let url = |mode: &str| format!("postgres://clerk:hunter2@127.0.0.1:{}/postgres?sslmode={mode}", server.port());
    let database = opened(&url("prefer")).await.unwrap();
    assert_eq!(text(&database, &IS_TLS).await, "false");
    let said = refused(&url("require")).await;
    assert!(said.contains("pg_hba.conf"), "{said}");
}
