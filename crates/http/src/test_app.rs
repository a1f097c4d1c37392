//! An application with two clients, the certificate of one, its tokens and a small bank, for the tests of this crate.

use axum::body::{Body, to_bytes};
use axum::{Extension, Router};
use http::request::Builder;
use http::{HeaderMap, Request, StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use lombard_api::catalogue;
use lombard_auth::AuthorisationServer;
use lombard_auth::callers::CallerResolver;
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::client_keys::ClientKeys;
use lombard_auth::keys::Keyring;
use lombard_auth::sets::{KeyringSetSigner, SetHeader};
use lombard_domain::account::Account;
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::consent::{AccountAccess, Consent, ConsentDraft, ConsentRequest, Permission};
use lombard_domain::event::ResourceAddresses;
use lombard_domain::grant::{Grant, GrantSubject, Token, TokenKind};
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::scope::{Scope, Scopes, TppRole};
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::app::HttpSettings;
use lombard_jose::{KeySet, Sealer, SigningKey, SigningPool};
use lombard_ports::bank::{StubBank, sample_account};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use lombard_ports::identity::StubIdentity;
use lombard_ports::key_source::NoKeySource;
use lombard_ports::store::{self, StoreError};
use lombard_service::events::{EventPolling, Outbox, PollingSettings, WaiterRegistry};
use lombard_service::{Context, consents};
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tower::ServiceExt;

pub(crate) const BASE: &str = "https://mtls.bank.example";
pub(crate) const AISP: &str = "/open-banking/v3.1/aisp";
pub(crate) const BODY_BYTES_MAX: usize = 1024;
pub(crate) const FILE_BYTES_MAX: u64 = 64 << 20;

pub(crate) struct Served {
    pub(crate) app: App,
    certificate: Arc<ClientCertificate>,
}

/// A response whose body has been read completely.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: header::HeaderName) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The status, and the code and path of each error.
    pub(crate) fn errors(&self) -> (u16, Vec<(String, Option<String>)>) {
        let body = if self.body.is_empty() { serde_json::Value::Null } else { self.json() };
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let errors = body["Errors"].as_array().cloned().unwrap_or_default();
        let errors = errors.iter().map(|error| (text(&error["ErrorCode"]).unwrap(), text(&error["Path"]))).collect();
        (self.status.as_u16(), errors)
    }
}

impl Served {
    pub(crate) async fn new() -> Self {
        Self::with(HashSet::new()).await
    }

    pub(crate) async fn with(switched_off: HashSet<String>) -> Self {
        Self::made(switched_off, true).await
    }

    /// An application that has no key to sign with.
    pub(crate) async fn without_key() -> Self {
        Self::made(HashSet::new(), false).await
    }

    /// An application with changed settings.
    pub(crate) async fn set(change: impl FnOnce(&mut HttpSettings)) -> Self {
        let Self { app, certificate } = Self::new().await;
        let mut settings = (*app.settings).clone();
        change(&mut settings);
        let app = App::new(app.context.clone(), app.auth.clone(), app.event_polling.clone(), Arc::new(settings));
        Self { app, certificate }
    }

    /// An application with a rate limit for this group.
    pub(crate) async fn limited(
        group: lombard_edge::endpoint_facts::RateGroup,
        rate: lombard_edge::limits::RateLimit,
    ) -> Self {
        Self::set(|settings| settings.rates = HashMap::from([(group, rate)])).await
    }

    async fn made(switched_off: HashSet<String>, signs: bool) -> Self {
        let now = now();
        let store = lombard_store::open_temporary_store().await.unwrap();
        let clocks = Clocks::new(Arc::new(ManualClock::starting_at(now)));
        let keys = Keyring::load_keys(&store, Arc::new(Sealer::from_key([7; 32])), &clocks).await.unwrap();
        if signs {
            keys.add_first_key(key("bank"), Vec::new()).await.unwrap();
        }
        for name in ["acme", "rival"] {
            let client = client(name, now);
            store.write::<_, StoreError, _>(move |tx| tx.client_insert(&client)).await.unwrap();
        }
        let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), clocks.clone());
        let context = Context {
            store: store.clone(),
            bank: Arc::new(bank()),
            outbox: Outbox::new(ResourceAddresses::new("https://bank.example", BASE), ids.clone(), clocks.clone()),
            ids,
            clocks: clocks.clone(),
            alias_key: Arc::from([1; 32]),
            call: Arc::default(),
            payments: lombard_service::payments::PaymentSettings::default(),
        };
        let auth = AuthorisationServer {
            context: context.clone(),
            identity: Arc::new(StubIdentity::default()),
            keys,
            client_keys: ClientKeys::new(Arc::new(NoKeySource), store.clone(), clocks.clone()),
            signing: SigningPool::new(1, 8),
            callers: CallerResolver::new(store, clocks),
            sealer: Arc::new(Sealer::from_key([8; 32])),
            devices: lombard_auth::devices::DeviceKey::new(&[9; 32]),
            payee_checks: lombard_auth::payee_checks::PayeeChecks::default(),
            settings: Arc::new(lombard_auth::AuthSettings {
                issuer: "https://bank.example".into(),
                public_url: "https://bank.example".into(),
                mtls_url: BASE.into(),
                access_token_secs: 3600,
                code_secs: 60,
                id_token_secs: 600,
                journey_idle_secs: 600,
                notifies_clients: false,
                backchannel_requests_max: 5,
                session_secs: 3600,
                login: lombard_auth::throttle::LoginLimits::default(),
                registration: None,
                headless: None,
            }),
        };
        let settings = HttpSettings {
            public_url: "https://bank.example".into(),
            mtls_url: BASE.into(),
            ops_url: "http://ops.example:9090".into(),
            sandbox: true,
            page_size: 2,
            uploads: lombard_edge::limits::ClientPermitLimits { all_max: 32, client_max: 4 },
            downloads: lombard_edge::limits::ClientPermitLimits { all_max: 32, client_max: 4 },
            client_requests_max: 128,
            client_connections_max: 256,
            body_bytes_max: BODY_BYTES_MAX,
            file_bytes_max: FILE_BYTES_MAX,
            rates: HashMap::new(),
            published_rates: HashMap::new(),
            nodes: 1,
            poll_bytes_max: 1024,
            json_depth_max: 8,
            offered: catalogue::offered_permissions(&switched_off),
            switched_off,
            retired_versions: HashSet::new(),
            reauthentication_days: None,
            error_namespace: "Test".into(),
            signing: lombard_edge::app::SigningSettings {
                organisation: "bank".into(),
                trust_anchor: "openbanking.org.uk".into(),
                age_secs_max: None,
            },
            bank_name: "Test".into(),
            app_links: lombard_edge::app::app_links::AppLinks::default(),
            payment_warnings: Vec::new(),
            logos: Arc::new(lombard_ports::logo_source::NoLogoSource),
            directory: None,
            push_keys: None,
        };
        let app = App::new(context.clone(), auth.clone(), event_polling(context, &auth), Arc::new(settings));
        Self { app, certificate: Arc::new(certificate()) }
    }

    /// Issues a token.
    pub(crate) async fn token(&self, client: &str, subject: GrantSubject, scopes: &[Scope]) -> String {
        let ids = &self.app.context.ids;
        let text = ids.random_id().simple().to_string();
        let scopes: Scopes = scopes.iter().copied().collect();
        let grant = Grant {
            id: ids.random_id().simple().to_string().into(),
            client: client.into(),
            subject,
            scopes,
            auth_time: None,
            acr: None,
            nonce: None,
            created_at: now(),
            revoked_at: None,
            epoch: 0,
        };
        let token = Token {
            hash: lombard_jose::sha256(text.as_bytes()),
            kind: TokenKind::Access,
            grant: grant.id.clone(),
            scopes,
            certificate: self.certificate.thumbprint(),
            issued_at: now(),
            expires_at: Some(now() + SignedDuration::from_hours(1)),
            revoked_at: None,
        };
        let insert = move |tx: &mut dyn store::ServerTransaction| {
            tx.grant_insert(&grant)?;
            tx.token_insert(&token)
        };
        self.app.context.store.write::<_, StoreError, _>(insert).await.unwrap();
        text
    }

    /// Issues a token of the client alone.
    pub(crate) async fn own_token(&self, client: &str) -> String {
        self.token(client, GrantSubject::Client, &[Scope::Accounts]).await
    }

    /// A consent that amelia authorised for the bank's first two accounts, and a token for it.
    pub(crate) async fn authorised(&self, client: &str, permissions: &[Permission]) -> (Consent, String) {
        let context = &self.app.context;
        let draft = ConsentDraft {
            request: ConsentRequest::AccountAccess(AccountAccess {
                permissions: permissions.iter().copied().collect(),
                transactions_from: None,
                transactions_to: None,
            }),
            expires_at: None,
            submitted: Submitted { version: Version::V3_1, json: r#"{"Permissions":["ReadAccountsBasic"]}"#.into() },
        };
        let consent = consents::create_consent(context, &ClientId::from(client), draft).await.unwrap();
        let inside = context.clone();
        let authorise = move |tx: &mut dyn store::ServerTransaction| {
            let chosen = consents::AuthorisedSelection::Accounts(vec![
                sample_account("b-1").into(),
                sample_account("b-2").into(),
            ]);
            consents::authorise_consent_in(tx, &inside, &consent, &PsuId::from("amelia"), &chosen)
                .map_err(|_| StoreError::Contended)
        };
        let consent = context.store.write(authorise).await.unwrap();
        let subject = GrantSubject::Psu { psu: "amelia".into(), consent: consent.id.clone() };
        let token = self.token(client, subject, &[Scope::OpenId, Scope::Accounts]).await;
        (consent, token)
    }

    /// The client's certificate.
    pub(crate) fn certificate(&self) -> Arc<ClientCertificate> {
        Arc::clone(&self.certificate)
    }

    /// Sends a request with the client's certificate.
    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        self.ask_of(catalogue::router(&self.app).fallback(catalogue::respond_undefined_path), request).await
    }

    /// Sends a request to these routes, with the client's certificate.
    pub(crate) async fn ask_of(&self, routes: Router<App>, request: Request<Body>) -> Answer {
        self.send(routes.layer(Extension(Arc::clone(&self.certificate))), request).await
    }

    /// Sends a request without a client certificate.
    pub(crate) async fn ask_without_certificate(&self, request: Request<Body>) -> Answer {
        self.send(catalogue::router(&self.app).fallback(catalogue::respond_undefined_path), request).await
    }

    pub(crate) async fn send(&self, router: Router<App>, request: Request<Body>) -> Answer {
        let response = router.with_state(self.app.clone()).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, 4 << 20).await.unwrap().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Sends a GET of a path under `/aisp`.
    pub(crate) async fn get(&self, path: &str, token: &str) -> Answer {
        self.ask(with_token("GET", path, token).body(Body::empty()).unwrap()).await
    }

    /// Posts a consent request.
    pub(crate) async fn post_consent(&self, body: &str, token: &str) -> Answer {
        let request = with_token("POST", "/account-access-consents", token).header("content-type", "application/json");
        self.ask(request.body(Body::from(body.to_owned())).unwrap()).await
    }
}

pub(crate) fn with_token(method: &str, path: &str, token: &str) -> Builder {
    request(method, path).header("authorization", format!("Bearer {token}"))
}

pub(crate) fn request(method: &str, path: &str) -> Builder {
    Request::builder().method(method).uri(format!("{AISP}{path}"))
}

pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_767_225_600).unwrap()
}

fn certificate() -> ClientCertificate {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "acme");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
    ClientCertificate::from_der(params.self_signed(&key).unwrap().der()).unwrap()
}

fn client(name: &str, now: Timestamp) -> Client {
    Client {
        id: name.into(),
        status: ClientStatus::Active,
        org_id: "org".into(),
        org_name: name.into(),
        software_id: name.into(),
        software_name: name.into(),
        on_behalf_of: None,
        roles: TppRole::ALL.to_vec(),
        redirect_uris: Vec::new(),
        authentication: ClientAuthentication::TlsClientAuth { subject_dn: format!("CN={name}") },
        jwks: Jwks::Local(published(name)),
        software_statement: "a.b.c".into(),
        backchannel: None,
        registration: None,
        profile: SecurityProfile::Fapi1Advanced,
        signed_messages: SignedMessages::default(),
        headless: None,
        created_at: now,
        epoch: 1,
    }
}

/// The signing key with this name.
pub(crate) fn key(name: &str) -> SigningKey {
    // Generating a key is slow, so one key serves under all names.
    static MADE: OnceLock<SigningKey> = OnceLock::new();
    let der = MADE.get_or_init(|| SigningKey::generate().unwrap()).pkcs8_der().unwrap();
    SigningKey::from_pkcs8_der(&der).unwrap().with_id(name.into())
}

/// The key of a client, as a set.
fn published(name: &str) -> String {
    let set: KeySet = [key(name).public().clone()].into_iter().collect();
    set.to_json()
}

/// A bank where amelia has two accounts.
fn bank() -> StubBank {
    let account = |id| Account { status_changed_at: now(), ..sample_account(id) };
    StubBank::with_accounts(["b-1", "b-2"].map(|id| ("amelia".into(), account(id))))
}

/// Event polling without long polls.
fn event_polling(context: Context, auth: &AuthorisationServer) -> EventPolling {
    let header = SetHeader { typ: None, signer: None };
    let signer = KeyringSetSigner::new(auth.keys.clone(), auth.signing.clone(), context.clocks.clone(), header);
    let settings = PollingSettings { hold_duration: Duration::ZERO, ..PollingSettings::default() };
    EventPolling::new(context, Arc::new(signer), WaiterRegistry::default(), settings)
}
