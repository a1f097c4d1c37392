//! An application with one client that authenticates by its certificate, and nothing behind the tokens.

use crate::app::HttpSettings;
use crate::{App, oauth};
use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use jiff::Timestamp;
use lombard_auth::AuthorisationServer;
use lombard_auth::callers::CallerResolver;
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::client_keys::ClientKeys;
use lombard_auth::keys::Keyring;
use lombard_auth::sets::{KeyringSetSigner, SetHeader};
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::event::ResourceAddresses;
use lombard_domain::scope::TppRole;
use lombard_jose::{Sealer, SigningKey, SigningPool};
use lombard_ports::bank::StubBank;
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use lombard_ports::identity::StubIdentity;
use lombard_ports::key_source::NoKeySource;
use lombard_ports::store::StoreError;
use lombard_service::Context;
use lombard_service::events::{EventPolling, Outbox, PollingSettings as DeskSettings, WaiterRegistry};
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt;

pub(super) const FORM: &str = "application/x-www-form-urlencoded";
pub(super) const CLIENT_CREDENTIALS: &str = "grant_type=client_credentials&client_id=acme&scope=accounts";

/// The application and the client's certificate.
pub(super) struct Served {
    pub(super) app: App,
    certificate: Arc<ClientCertificate>,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub(super) fn header(&self, name: header::HeaderName) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

impl Served {
    pub(super) async fn new() -> Self {
        let now = Timestamp::from_second(1_767_225_600).unwrap();
        let store = lombard_store::open_temporary_store().await.unwrap();
        let clocks = Clocks::new(Arc::new(ManualClock::starting_at(now)));
        let keys = Keyring::load_keys(&store, Arc::new(Sealer::from_key([7; 32])), &clocks).await.unwrap();
        keys.add_first_key(SigningKey::generate().unwrap(), Vec::new()).await.unwrap();
        let client = client(now);
        store.write::<_, StoreError, _>(move |tx| tx.client_insert(&client)).await.unwrap();
        let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), clocks.clone());
        let context = Context {
            store: store.clone(),
            bank: Arc::new(StubBank::default()),
            outbox: Outbox::new(
                ResourceAddresses::new("https://bank.example", "https://mtls.bank.example"),
                ids.clone(),
                clocks.clone(),
            ),
            ids,
            clocks: clocks.clone(),
            alias_key: Arc::from([1; 32]),
            call: Arc::default(),
            payments: lombard_service::payments::PaymentSettings::default(),
        };
        let (public_url, mtls_url) = ("https://bank.example".to_owned(), "https://mtls.bank.example".to_owned());
        let auth = AuthorisationServer {
            context: context.clone(),
            identity: Arc::new(StubIdentity::default()),
            keys,
            client_keys: ClientKeys::new(Arc::new(NoKeySource), clocks.clone()),
            signing: SigningPool::new(1, 8),
            callers: CallerResolver::new(store, clocks),
            sealer: Arc::new(Sealer::from_key([8; 32])),
            devices: lombard_auth::devices::DeviceKey::new(&[9; 32]),
            settings: Arc::new(lombard_auth::AuthSettings {
                issuer: public_url.clone(),
                public_url: public_url.clone(),
                mtls_url: mtls_url.clone(),
                access_token_secs: 3600,
                code_secs: 60,
                id_token_secs: 600,
                journey_secs: 600,
                notifies_clients: false,
                session_secs: 3600,
                login: lombard_auth::throttle::LoginLimits::default(),
                headless: None,
            }),
        };
        let settings = HttpSettings {
            public_url,
            mtls_url,
            sandbox: true,
            page_size: 50,
            uploads: crate::app::ClientPermitLimits { all_max: 32, client_max: 4 },
            downloads: crate::app::ClientPermitLimits { all_max: 32, client_max: 4 },
            client_requests_max: 128,
            client_connections_max: 256,
            body_bytes_max: 1024,
            file_bytes_max: 1024,
            rates: HashMap::new(),
            poll_bytes_max: 1024,
            json_depth_max: 8,
            switched_off: HashSet::new(),
            retired_versions: HashSet::new(),
            reauthentication_days: None,
            offered: crate::catalogue::offered_permissions(&HashSet::new()),
            error_namespace: "Test".into(),
            signing: crate::app::SigningSettings {
                organisation: "bank".into(),
                trust_anchor: "openbanking.org.uk".into(),
                age_secs_max: None,
            },
            bank_name: "Test".into(),
            app_links: crate::app_links::AppLinks::default(),
            push_keys: None,
        };
        let app = App::new(context.clone(), auth.clone(), event_polling(context, &auth), Arc::new(settings));
        Self { app, certificate: Arc::new(certificate()) }
    }

    /// Asks the listener with client certificates, presenting the client's.
    pub(super) async fn mutual(&self, request: Request<Body>) -> Answer {
        let router = oauth::mtls_routes().layer(Extension(Arc::clone(&self.certificate)));
        answer(router.with_state(self.app.clone()), request).await
    }

    /// Asks the listener with client certificates, presenting none.
    pub(super) async fn without_certificate(&self, request: Request<Body>) -> Answer {
        answer(oauth::mtls_routes().with_state(self.app.clone()), request).await
    }

    /// Asks the public listener.
    pub(super) async fn public(&self, request: Request<Body>) -> Answer {
        let reference = lombard_domain::ids::FapiInteractionId::new("reference");
        let router = oauth::public_routes().layer(Extension(reference));
        answer(router.with_state(self.app.clone()), request).await
    }

    /// Posts a form to an endpoint, with the client's certificate.
    pub(super) async fn post(&self, path: &str, form: &str) -> Answer {
        self.mutual(posted(path, form)).await
    }
}

pub(super) fn posted(path: &str, form: &str) -> Request<Body> {
    let request = Request::post(path).header(header::CONTENT_TYPE, FORM);
    request.body(Body::from(form.to_owned())).unwrap()
}

async fn answer(router: axum::Router, request: Request<Body>) -> Answer {
    let response = router.oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap().to_vec();
    Answer { status: parts.status, headers: parts.headers, body }
}

fn certificate() -> ClientCertificate {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "acme");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
    ClientCertificate::from_der(params.self_signed(&key).unwrap().der()).unwrap()
}

fn client(now: Timestamp) -> Client {
    Client {
        id: "acme".into(),
        status: ClientStatus::Active,
        org_id: "org".into(),
        org_name: "Acme".into(),
        software_id: "acme".into(),
        software_name: "Acme".into(),
        on_behalf_of: None,
        roles: TppRole::ALL.to_vec(),
        redirect_uris: Vec::new(),
        authentication: ClientAuthentication::TlsClientAuth { subject_dn: "CN=acme".into() },
        jwks: Jwks::Local(r#"{"keys":[]}"#.into()),
        software_statement: "a.b.c".into(),
        backchannel: None,
        headless: None,
        created_at: now,
        epoch: 1,
    }
}

/// Event polling that holds no poll.
fn event_polling(context: Context, auth: &AuthorisationServer) -> EventPolling {
    let header = SetHeader { typ: None, signer: None };
    let signer = KeyringSetSigner::new(auth.keys.clone(), auth.signing.clone(), context.clocks.clone(), header);
    let settings = DeskSettings { hold_duration: Duration::ZERO, ..DeskSettings::default() };
    EventPolling::new(context, Arc::new(signer), WaiterRegistry::default(), settings)
}
