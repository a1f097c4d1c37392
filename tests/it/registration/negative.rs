//! The negative tables of registration: what is wrong with a statement or a request, and which certificate brings it, each when a
//! client registers and when it replaces its registration. Source: DCR-003 to DCR-023, DCR-032, DCR-052, DCR-053.

use super::*;
use crate::harness::rs256;
use lombard_jose::{CompactJws, SigningKey};
use lombard_tpp::{TlsIdentity, parse_certificates};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use std::sync::Arc;

/// A bank with a client, and the key of its directory.
struct World {
    bank: Bank,
    shop: Tpp,
    directory: SigningKey,
}

impl World {
    async fn new() -> Self {
        let bank = Bank::start().await;
        let shop = registered(&bank, "shop", &json!({})).await;
        let key = std::fs::read_to_string(bank.data_dir().join("directory/signing.key")).unwrap();
        Self { shop, directory: SigningKey::from_pkcs8_pem(&key).unwrap(), bank }
    }

    fn now(&self) -> i64 {
        self.bank.now().as_second()
    }

    /// A statement like the client's own, not signed yet.
    fn statement(&self) -> Jwt {
        let text = &self.shop.folder.software_statement;
        let claims: Value = CompactJws::parse(text).unwrap().claims().unwrap();
        Jwt::ps256(self.directory.id().as_str(), claims.as_object().unwrap().clone()).claim("iat", self.now())
    }

    async fn request(&self) -> Jwt {
        self.shop.registration_request().await.unwrap()
    }

    /// A request with this statement, signed as it should be.
    async fn with_statement(&self, statement: String) -> String {
        signed(&self.shop, &self.request().await.claim("software_statement", statement))
    }
}

/// What is sent: made anew for each call, because a request works once.
type Made = fn(&World) -> futures_util::future::BoxFuture<'_, String>;

const INVALID: (u16, &str) = (400, "invalid_software_statement");
const UNAPPROVED: (u16, &str) = (400, "unapproved_software_statement");
const METADATA: (u16, &str) = (400, "invalid_client_metadata");
const REDIRECT: (u16, &str) = (400, "invalid_redirect_uri");

/// Statements that are signed by the directory and wrong in a claim.
type StatementRow = (&'static str, fn(&World, Jwt) -> Jwt, (u16, &'static str));

const STATEMENTS: &[StatementRow] = &[
    ("expired", |w, it| it.claim("exp", w.now()), INVALID),
    ("from the future", |w, it| it.claim("iat", w.now() + 61), INVALID),
    ("no iat", |_, it| it.claim("iat", Value::Null), INVALID),
    ("other issuer", |_, it| it.claim("iss", "https://directory.elsewhere.example"), UNAPPROVED),
    ("no issuer", |_, it| it.claim("iss", Value::Null), UNAPPROVED),
    ("unknown key", |_, it| it.header("kid", "unknown"), INVALID),
    ("no kid", |_, it| it.header("kid", Value::Null), INVALID),
    ("organisation not active", |_, it| it.claim("org_status", "Withdrawn"), UNAPPROVED),
    ("no role", |_, it| it.claim("software_roles", json!(["ASPSP"])), UNAPPROVED),
    ("wrong organisation", |_, it| it.claim("org_id", "0015800001041RHAAX"), (401, "invalid_client")),
    ("software id over-long", |_, it| it.claim("software_id", "x".repeat(23)), INVALID),
    ("organisation id over-long", |_, it| it.claim("org_id", "x".repeat(19)), INVALID),
    ("name over-long", |_, it| it.claim("software_client_name", "x".repeat(256)), INVALID),
    ("keys at no address", |_, it| it.claim("software_jwks_endpoint", "http://keys.example/"), INVALID),
    (
        "foreign redirect URI",
        |_, it| it.claim("software_redirect_uris", json!(["https://elsewhere.example/"])),
        REDIRECT,
    ),
];

/// Statements and requests whose signatures are wrong, and requests that are wrong themselves.
const SIGNED: &[(&str, Made, (u16, &str))] = &[
    ("statement RS256", |w| Box::pin(async { w.with_statement(as_rs256(w.statement(), &w.directory)).await }), INVALID),
    ("statement none", |w| Box::pin(async { w.with_statement(as_none(w.statement())).await }), INVALID),
    (
        "statement of another key",
        |w| Box::pin(async { w.with_statement(w.statement().sign(&w.shop.folder.signing).unwrap()).await }),
        INVALID,
    ),
    ("no JWT as statement", |w| Box::pin(async { w.with_statement("x".to_owned()).await }), INVALID),
    ("request RS256", |w| Box::pin(async { as_rs256(w.request().await, &w.shop.folder.signing) }), METADATA),
    ("request none", |w| Box::pin(async { as_none(w.request().await) }), METADATA),
    ("request of another key", |w| Box::pin(async { w.request().await.sign(&w.directory).unwrap() }), METADATA),
    ("request of an unknown key", |w| changed(w, |_, it| it.header("kid", "unknown")), METADATA),
    ("request without kid", |w| changed(w, |_, it| it.header("kid", Value::Null)), METADATA),
    ("request expired", |w| changed(w, |w, it| it.claim("exp", w.now())), METADATA),
    ("request over a day", |w| changed(w, |w, it| it.claim("exp", w.now() + 86_401)), METADATA),
    ("request from the future", |w| changed(w, |w, it| it.claim("iat", w.now() + 61)), METADATA),
    ("request of another issuer", |w| changed(w, |_, it| it.claim("iss", "AnotherSoftware1")), METADATA),
    ("request for another bank", |w| changed(w, |_, it| it.claim("aud", "https://elsewhere.example")), METADATA),
    ("jti no UUID", |w| changed(w, |_, it| it.claim("jti", "1")), METADATA),
    (
        "foreign redirect URI asked",
        |w| changed(w, |_, it| it.claim("redirect_uris", json!(["https://a.example/"]))),
        REDIRECT,
    ),
    ("scope over-long", |w| changed(w, |_, it| it.claim("scope", "a".repeat(257))), METADATA),
    ("ID tokens RS256", |w| changed(w, |_, it| it.claim("id_token_signed_response_alg", "RS256")), METADATA),
    (
        "a shared secret",
        |w| changed(w, |_, it| it.claim("token_endpoint_auth_method", "client_secret_basic")),
        METADATA,
    ),
    (
        "over-long",
        |w| Box::pin(async { format!("{}{}", w.request().await.sign_with(|_| Vec::new()), "a".repeat(65_536)) }),
        (413, "invalid_request"),
    ),
];

fn changed(world: &World, change: fn(&World, Jwt) -> Jwt) -> futures_util::future::BoxFuture<'_, String> {
    Box::pin(async move { signed(&world.shop, &change(world, world.request().await)) })
}

fn as_rs256(jwt: Jwt, key: &SigningKey) -> String {
    jwt.header("alg", "RS256").sign_with(|text| rs256(key, text))
}

fn as_none(jwt: Jwt) -> String {
    jwt.header("alg", "none").sign_with(|_| Vec::new())
}

/// Registers a client and replaces a registration by requests that are made in the same way.
async fn both_are_refused(world: &World, token: &str, case: &str, requests: [String; 2], (status, error): (u16, &str)) {
    let [first, second] = requests;
    let posted = world.shop.register(&first).await.unwrap();
    let put = manage(&world.shop, Method::PUT, world.shop.client_id().as_str(), token, Some(&second)).await;
    for (method, answer) in [("POST", posted), ("PUT", put)] {
        let body = answer.json().unwrap_or(Value::Null);
        assert_eq!((answer.status.as_u16(), body.text("error")), (status, error), "{method}: {case}: {body}");
        answer.oauth(status, error);
    }
}

#[tokio::test]
async fn dcr_003_to_023_and_032_bad_statements_fail_in_both_operations() {
    let world = World::new().await;
    let token = own_token(&world.shop).await;
    let before = read(&world.shop, &token).await.ok(200);
    for (case, change, refusal) in STATEMENTS {
        let mut requests = Vec::new();
        for _ in 0..2 {
            let statement = change(&world, world.statement()).sign(&world.directory).unwrap();
            let request = world.request().await.claim("software_statement", statement);
            // The redirect URIs of a good request are not those of a statement that lists others.
            requests.push(signed(&world.shop, &request));
        }
        both_are_refused(&world, &token, case, requests.try_into().unwrap(), *refusal).await;
    }
    for (case, made, refusal) in SIGNED {
        both_are_refused(&world, &token, case, [made(&world).await, made(&world).await], *refusal).await;
    }
    // Replay: the same request twice, whichever operation it was for.
    let request = signed(&world.shop, &world.request().await);
    let replaced = manage(&world.shop, Method::PUT, world.shop.client_id().as_str(), &token, Some(&request)).await;
    replaced.ok(200);
    both_are_refused(&world, &token, "DCR-008: replay", [request.clone(), request], METADATA).await;
    // Another software of the same organisation, by PUT alone: it may register, and not take this registration over.
    let other = world.statement().claim("software_id", "AnotherSoftware1").sign(&world.directory).unwrap();
    let request = world.request().await.claim("software_statement", other);
    let request = request.claim("iss", "AnotherSoftware1").claim("software_id", "AnotherSoftware1");
    let taken = signed(&world.shop, &request);
    let refused = manage(&world.shop, Method::PUT, world.shop.client_id().as_str(), &token, Some(&taken)).await;
    refused.oauth(400, "invalid_client_metadata");
    assert_eq!(read(&world.shop, &token).await.ok(200), before, "nothing has changed");
}

/// A client's certificate and key from these files of its folder.
fn identity(bank: &Bank, name: &str, file: &str) -> TlsIdentity {
    let folder = bank.data_dir().join("tpps").join(name);
    let key = PrivateKeyDer::from_pem_file(folder.join(format!("{file}.key"))).unwrap();
    TlsIdentity { chain: parse_certificates(&folder.join(format!("{file}.pem"))).unwrap(), key: Arc::new(key) }
}

/// What comes of a call: `200`, `401 invalid_client`, or that no TLS connection came about.
fn came_of(answer: Result<HttpExchange, lombard_tpp::TppError>) -> String {
    match answer {
        Ok(answer) => {
            let body = answer.json().unwrap_or(Value::Null);
            format!("{} {}", answer.status.as_u16(), body.text("error")).trim_end().to_owned()
        }
        Err(_) => "no connection".to_owned(),
    }
}

#[tokio::test]
async fn dcr_032_052_053_certificates_are_checked_by_method_in_post_and_put() {
    let bank = Bank::start().await;
    let kinds = ["obwac", "qwac", "legacy"];
    for kind in kinds {
        unregistered(&bank, &format!("other-{kind}"), &json!({"certificates": kind})).await;
    }
    for kind in kinds {
        for auth in ["private_key_jwt", "tls_client_auth"] {
            let name = format!("{kind}-{auth}").replace('_', "-");
            let tpp = registered(&bank, &name, &json!({"certificates": kind, "auth": auth})).await;
            let token = own_token(&tpp).await;
            let foreign =
                kinds.map(|other| (format!("other-{other}"), "transport", "401 invalid_client", "401 invalid_token"));
            let own = [
                (name.clone(), "transport", "201", "200"),
                // A certificate for seals is none for TLS clients.
                (name.clone(), "signing", "401 invalid_client", "401 invalid_token"),
            ];
            for (folder, file, posted, put) in own.into_iter().chain(foreign) {
                let connected = tpp.with_certificate(Some(&identity(&bank, &folder, file)), Protocol::Any).unwrap();
                let request = async || signed(&tpp, &tpp.registration_request().await.unwrap());
                let case = format!("{kind} {auth}, brought by {folder}/{file}.pem");
                assert_eq!(came_of(connected.register(&request().await).await), posted, "POST: {case}");
                let replacing = request().await;
                let replaced =
                    connected.manage_registration(Method::PUT, tpp.client_id(), &token, Some(&replacing)).await;
                assert_eq!(came_of(replaced), put, "PUT: {case}");
            }
            let naked = tpp.with_certificate(None, Protocol::Any).unwrap();
            let request = signed(&tpp, &tpp.registration_request().await.unwrap());
            assert_eq!(came_of(naked.register(&request).await), "401 invalid_client", "POST: {kind} {auth}, none");
            let replaced = naked.manage_registration(Method::PUT, tpp.client_id(), &token, Some(&request)).await;
            assert_eq!(came_of(replaced), "401 invalid_token", "PUT: {kind} {auth}, none");
        }
    }
}
