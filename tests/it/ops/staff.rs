//! Who the ops listener serves: the operator of a sandbox, and holders of staff certificates.

use crate::harness::{Authority, Bank, Engine, ExchangeExt, Issued};
use http::Method;
use lombard::operator_file::OperatorFile;
use lombard_tpp::{HttpCall, HttpExchange, TlsIdentity};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use std::sync::Arc;

/// A call of an operation by a stranger with this token.
async fn keys_with(bank: &Bank, token: Option<&str>) -> u16 {
    let call = HttpCall::get(format!("{}/operations/keys", bank.endpoints().ops));
    let call = token.iter().fold(call, |call, token| call.with_bearer(token));
    bank.ops_as_stranger(call).await.status.as_u16()
}

#[tokio::test]
async fn the_operator_of_a_sandbox_is_made_once_and_is_that_of_no_other() {
    let mut bank = Bank::bare(Engine::Sqlite).await;
    bank.restart().await;
    let path = OperatorFile::path(bank.data_dir());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let members: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let names: BTreeSet<_> = members.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["password", "token", "user"]));
    let own = OperatorFile::read(bank.data_dir()).unwrap().unwrap().token;
    let answers = (keys_with(&bank, None).await, keys_with(&bank, Some(&own)).await);
    assert_eq!(answers, (401, 200));
    bank.stop().await;
    bank.restart().await;
    assert_eq!(keys_with(&bank, Some(&own)).await, 200, "a restart changes nothing");

    let mut other = Bank::bare(Engine::Sqlite).await;
    fs::write(OperatorFile::path(other.data_dir()), r#"{"user":"operator","password":"p","token":"t"}"#).unwrap();
    other.restart().await;
    assert_eq!((keys_with(&other, Some(&own)).await, keys_with(&other, Some("t")).await), (401, 200));
}

#[tokio::test]
async fn health_metrics_and_the_controls_of_a_sandbox_need_nobody_on_loopback() {
    let bank = Bank::start().await;
    let status = async |path: &str| {
        bank.ops_as_stranger(HttpCall::get(format!("{}{path}", bank.endpoints().ops))).await.status.as_u16()
    };
    for path in ["/healthz", "/readyz", "/metrics", "/sandbox/clock", "/sandbox/requests", "/login"] {
        assert_eq!(status(path).await, 200, "{path}");
    }
    for path in ["/", "/operations/keys", "/operations/tpps", "/operations/requests?reason=x"] {
        assert_eq!(status(path).await, 401, "{path}");
    }
}

#[tokio::test]
async fn beyond_loopback_the_controls_of_a_sandbox_need_the_operator() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("server.ops_bind", "0.0.0.0")]).await;
    let clock = || HttpCall::get(format!("{}/sandbox/clock", bank.endpoints().ops));
    let statuses = (bank.ops_as_stranger(clock()).await.status, bank.ops(clock()).await.status);
    assert_eq!((statuses.0.as_u16(), statuses.1.as_u16()), (401, 200));
}

/// Logs in at a node with the password, and returns the session's cookie.
async fn log_in(bank: &Bank) -> String {
    let ops = bank.endpoints().ops;
    let operator = OperatorFile::read(bank.data_dir()).unwrap().unwrap();
    let page = bank.ops_as_stranger(HttpCall::get(format!("{ops}/login"))).await;
    let token = page.text().split("name=\"form_token\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let form =
        [("form_token", token.as_str()), ("user", operator.user.as_str()), ("password", operator.password.as_str())];
    let call = HttpCall::post(format!("{ops}/login")).with_form(form).with_header("cookie", cookie(&page));
    let answer = bank.ops_as_stranger(call).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    cookie(&answer)
}

/// The first cookie that an answer sets.
fn cookie(answer: &HttpExchange) -> String {
    answer.head("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_session_of_staff_is_that_of_every_node_and_is_stored_as_a_digest() {
    let nodes = Bank::start_nodes(Engine::at_hand().pop().unwrap()).await;
    let session = log_in(&nodes[0]).await;
    for node in &nodes {
        let call = HttpCall::get(format!("{}/", node.endpoints().ops)).with_header("cookie", &session);
        let page = node.ops_as_stranger(call).await;
        assert_eq!(page.status.as_u16(), 200);
        assert!(page.text().contains("operator") && page.text().contains("Log out"), "{}", page.text());
    }
    let secret = session.split_once('=').unwrap().1;
    for node in &nodes {
        for entry in fs::read_dir(node.data_dir()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
            let bytes = fs::read(entry.path()).unwrap();
            let has_secret = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!has_secret, "{}", entry.path().display());
        }
    }
}

/// A bank whose staff have certificates of this authority.
async fn start_with_certificates(authority: &Authority) -> Bank {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let file = bank.data_dir().join("staff-ca.pem");
    fs::write(&file, authority.pem()).unwrap();
    bank.restart_with(&[("ops.staff", "mtls"), ("ops.staff_ca_file", file.to_str().unwrap())]).await;
    bank
}

fn identity(issued: &Issued) -> TlsIdentity {
    TlsIdentity { chain: vec![issued.der()], key: Arc::new(issued.key_der()) }
}

/// Calls an operation with this certificate; `None` if the handshake fails.
async fn call_as(bank: &Bank, shown: &Issued, method: Method, path: &str) -> Option<u16> {
    let call = HttpCall::new(method, format!("{}{path}", bank.endpoints().ops)).with_json(&Value::Null);
    bank.ops_as(Some(&identity(shown)), call).await.ok().map(|answer| answer.status.as_u16())
}

#[tokio::test]
async fn the_unit_of_a_staff_certificate_decides_what_its_holder_may_do() {
    let authority = Authority::new("staff");
    let bank = start_with_certificates(&authority).await;
    assert!(bank.endpoints().ops.starts_with("https://"), "{}", bank.endpoints().ops);
    let [view, support, security] =
        ["view", "support", "security"].map(|role| authority.issue_staff("Ada", &[role], 2040));
    for (shown, list, rotate, evidence) in
        [(&view, 200, 403, 403), (&support, 200, 403, 200), (&security, 200, 200, 200)]
    {
        assert_eq!(call_as(&bank, shown, Method::GET, "/operations/keys").await, Some(list));
        assert_eq!(call_as(&bank, shown, Method::POST, "/operations/keys/rotate").await, Some(rotate));
        let path = "/operations/consents/c/evidence?reason=complaint";
        assert_eq!(call_as(&bank, shown, Method::GET, path).await, Some(evidence));
    }
    let page = HttpCall::get(format!("{}/role", bank.endpoints().ops));
    let page = bank.ops_as(Some(&identity(&support)), page).await.unwrap();
    assert!(page.text().contains("Ada") && page.text().contains("support"), "{}", page.text());
    assert!(page.head("set-cookie").starts_with("__Host-lombard-staff="), "{}", page.head("set-cookie"));
    assert!(page.head("set-cookie").contains("Secure; HttpOnly; SameSite=Strict"), "{}", page.head("set-cookie"));
}

#[tokio::test]
async fn certificates_that_are_not_those_of_staff_open_nothing() {
    let authority = Authority::new("staff");
    let bank = start_with_certificates(&authority).await;
    let get = async |shown: &Issued| call_as(&bank, shown, Method::GET, "/operations/keys").await;
    let stranger = HttpCall::get(format!("{}/operations/keys", bank.endpoints().ops));
    assert_eq!(bank.ops_as_stranger(stranger).await.status.as_u16(), 401, "no certificate");
    let health = HttpCall::get(format!("{}/healthz", bank.endpoints().ops));
    assert_eq!(bank.ops_as_stranger(health).await.status.as_u16(), 200);
    for units in [&["owner"][..], &[], &["support", "admin"], &["view", "view"]] {
        assert_eq!(get(&authority.issue_staff("Ada", units, 2040)).await, Some(401), "{units:?}");
    }
    let server = authority.issue("localhost", &[rcgen::ExtendedKeyUsagePurpose::ServerAuth]);
    assert_eq!(get(&server).await, None, "it is for servers");
    assert_eq!(get(&authority.issue_staff("Ada", &["admin"], 2021)).await, None, "it has expired");
    // An authority of the same name, with another key: it can sign what it likes.
    let forged = Authority::new("staff").issue_staff("Ada", &["admin"], 2040);
    assert_eq!(get(&forged).await, None, "another authority");
    let tpp = bank.tpp("acme");
    let call = HttpCall::get(format!("{}/operations/keys", bank.endpoints().ops));
    assert!(
        bank.ops_as(Some(&tpp.folder.identity), call).await.is_err(),
        "a TPP's certificate is not one of the staff"
    );
    // The tokens of a sandbox's operator count for nothing where staff have certificates.
    let call = HttpCall::get(format!("{}/operations/keys", bank.endpoints().ops)).with_bearer("token");
    assert_eq!(bank.ops_as_stranger(call).await.status.as_u16(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_act_with_the_certificate_that_their_settings_name() {
    let authority = Authority::new("staff");
    let bank = start_with_certificates(&authority).await;
    let [view, security] = ["view", "security"].map(|role| authority.issue_staff("Ada", &[role], 2040));
    let run = async |line: &str, shown: Option<&Issued>| {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let mut text = format!(
            "[ops]\nstaff = \"mtls\"\nstaff_ca_file = \"{}\"\n",
            bank.data_dir().join("staff-ca.pem").display()
        );
        if let Some(issued) = shown {
            fs::write(at("me.pem"), issued.pem()).unwrap();
            fs::write(at("me.key"), issued.key_pem()).unwrap();
            text +=
                &format!("command_certificate_file = \"{}\"\ncommand_key_file = \"{}\"\n", at("me.pem"), at("me.key"));
        }
        fs::write(at("bank.toml"), text).unwrap();
        let line = format!("{line} --config {} --data {}", at("bank.toml"), bank.data_dir().display());
        let arguments: Vec<_> = line.split(' ').map(str::to_owned).collect();
        tokio::task::spawn_blocking(|| lombard::cli::run_command(arguments) == ExitCode::SUCCESS).await.unwrap()
    };
    assert!(!run("lombard keys list", None).await, "nobody");
    assert!(run("lombard keys list", Some(&view)).await);
    assert!(!run("lombard keys rotate", Some(&view)).await, "the role may not");
    assert!(run("lombard keys rotate", Some(&security)).await);
    assert!(run("lombard tls reload", Some(&security)).await);
}

#[tokio::test]
async fn an_authority_of_staff_is_replaced_while_the_listener_serves() {
    let former = Authority::new("former");
    let bank = start_with_certificates(&former).await;
    let ada = former.issue_staff("Ada", &["security"], 2040);
    assert_eq!(call_as(&bank, &ada, Method::GET, "/operations/keys").await, Some(200));
    let current = Authority::new("current");
    fs::write(bank.data_dir().join("staff-ca.pem"), current.pem()).unwrap();
    assert_eq!(call_as(&bank, &ada, Method::POST, "/operations/tls/reload").await, Some(200));
    assert_eq!(call_as(&bank, &ada, Method::GET, "/operations/keys").await, None);
    let grace = current.issue_staff("Grace", &["security"], 2040);
    assert_eq!(call_as(&bank, &grace, Method::GET, "/operations/keys").await, Some(200));
}

#[tokio::test]
async fn a_member_on_a_list_of_revoked_certificates_is_refused_at_once() {
    let authority = Authority::new("staff");
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let at = |name: &str| bank.data_dir().join(name).display().to_string();
    let (authorities, list) = (at("staff-ca.pem"), at("staff.crl"));
    fs::write(&authorities, authority.pem()).unwrap();
    let [ada, grace] = ["Ada", "Grace"].map(|name| authority.issue_staff(name, &["security"], 2040));
    fs::write(&list, authority.revocation_list(&authority.issue_staff("Former", &["admin"], 2040))).unwrap();
    let settings = [("ops.staff", "mtls"), ("ops.staff_ca_file", &authorities), ("ops.staff_crl_files", &list)];
    bank.restart_with(&settings).await;
    assert_eq!(call_as(&bank, &ada, Method::GET, "/operations/keys").await, Some(200));
    fs::write(&list, authority.revocation_list(&ada)).unwrap();
    assert_eq!(call_as(&bank, &grace, Method::POST, "/operations/tls/reload").await, Some(200));
    assert_eq!(call_as(&bank, &ada, Method::GET, "/operations/keys").await, None);
    assert_eq!(call_as(&bank, &grace, Method::GET, "/operations/keys").await, Some(200));
}

#[tokio::test]
async fn an_operation_needs_a_reason_where_it_reads_data_of_customers() {
    let bank = Bank::start().await;
    let without = bank.ops_get("/operations/requests").await;
    assert_eq!(without.status.as_u16(), 400);
    assert!(without.text().contains("--reason TEXT"), "{}", without.text());
    assert_eq!(bank.ops_get("/operations/requests?reason=complaint+7").await.status.as_u16(), 200);
    let revoke = json!({"reason": "two\nlines"});
    assert_eq!(bank.ops_post("/operations/keys/rotate", &revoke).await.0, 400);
}
