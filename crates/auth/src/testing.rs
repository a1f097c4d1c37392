//! A small authorisation server for this crate's tests, with a temporary store, manual clocks and seeded entropy.
#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]

use crate::callers::CallerResolver;
use crate::certificates::ClientCertificate;
use crate::client_keys::ClientKeys;
use crate::clients::{self, AuthenticatedClient, ClientRequest};
use crate::endpoints::OAuthEndpoint;
use crate::error::OAuthError;
use crate::form::Form;
use crate::keys::Keyring;
use crate::tokens::{self, TokenResponse};
use crate::{AuthSettings, AuthorisationServer};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::consent::{
    AccountAccess, Consent, ConsentDraft, ConsentRequest, PaymentSource, Permission, SelectedAccount,
};
use lombard_domain::event::ResourceAddresses;
use lombard_domain::grant::{AuthorisationCode, Grant, GrantSubject};
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::scope::{Scope, Scopes, TppRole};
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_jose::{JoseHeader, Sealer, SigningKey, SigningPool, sign_compact};
use lombard_ports::bank::StubBank;
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use lombard_ports::identity::StubIdentity;
use lombard_ports::key_source::NoKeySource;
use lombard_ports::store::StoreError;
use lombard_service::Context;
use lombard_service::events::Outbox;
use rcgen::{CertificateParams, CustomExtension, DnType, DnValue, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

pub(crate) const ISSUER: &str = "https://bank.example";
pub(crate) const REDIRECT_URI: &str = "https://tpp.example/callback";
/// 2026-01-01T00:00:00Z.
pub(crate) const START: i64 = 1_767_225_600;

/// An authorisation server for a test.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) auth: AuthorisationServer,
    pub(crate) clock: ManualClock,
    pub(crate) clocks: Clocks,
}

impl World {
    pub(crate) async fn new() -> Self {
        let store = lombard_store::open_temporary_store().await.unwrap();
        let clock = ManualClock::starting_at(Timestamp::from_second(START).unwrap());
        let clocks = Clocks::new(Arc::new(clock.clone()));
        let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), clocks.clone());
        let keys = Keyring::load_keys(&store, Arc::new(Sealer::from_key([7; 32])), &clocks).await.unwrap();
        keys.add_first_key(SigningKey::from_pkcs8_der(&server_key().pkcs8_der().unwrap()).unwrap(), Vec::new())
            .await
            .unwrap();
        let context = Context {
            store: store.clone(),
            bank: Arc::new(StubBank::default()),
            clocks: clocks.clone(),
            outbox: Outbox::new(
                ResourceAddresses::new(ISSUER, "https://mtls.bank.example"),
                ids.clone(),
                clocks.clone(),
            ),
            ids,
            alias_key: Arc::from([1; 32]),
            call: Arc::default(),
            payments: lombard_service::payments::PaymentSettings::default(),
        };
        let settings = AuthSettings {
            issuer: ISSUER.into(),
            public_url: ISSUER.into(),
            mtls_url: "https://mtls.bank.example".into(),
            access_token_secs: 3600,
            code_secs: 60,
            id_token_secs: 600,
            journey_idle_secs: 600,
            notifies_clients: false,
            backchannel_requests_max: 5,
            session_secs: 3600,
            login: crate::throttle::LoginLimits::default(),
            registration: None,
            headless: None,
        };
        let auth = AuthorisationServer {
            callers: CallerResolver::new(store.clone(), clocks.clone()),
            sealer: Arc::new(Sealer::from_key([8; 32])),
            devices: crate::devices::DeviceKey::new(&[9; 32]),
            context,
            identity: Arc::new(StubIdentity::default()),
            keys,
            client_keys: ClientKeys::new(Arc::new(NoKeySource), store, clocks.clone()),
            signing: SigningPool::new(1, 64),
            payee_checks: crate::payee_checks::PayeeChecks::default(),
            settings: Arc::new(settings),
        };
        Self { auth, clock, clocks }
    }

    /// A server with one registered client.
    pub(crate) async fn with_tpp() -> (Self, Tpp) {
        let world = Self::new().await;
        let tpp = Tpp::new("acme");
        world.register(&tpp.client).await;
        (world, tpp)
    }

    pub(crate) async fn register(&self, client: &Client) {
        let client = client.clone();
        self.auth.context.store.write::<_, StoreError, _>(move |tx| tx.client_insert(&client)).await.unwrap();
    }

    pub(crate) async fn update(&self, client: &Client) {
        let client = Client { epoch: client.epoch + 1, ..client.clone() };
        self.auth.context.store.write::<_, StoreError, _>(move |tx| tx.client_update(&client)).await.unwrap();
    }

    pub(crate) fn wall(&self) -> Timestamp {
        self.clocks.wall_now()
    }

    pub(crate) fn pass_secs(&self, secs: i64) {
        self.clock.advance(SignedDuration::from_secs(secs));
    }

    /// An authorised consent of this client to account information.
    pub(crate) async fn consent(&self, client: &ClientId, id: &str, expires_at: Option<Timestamp>) -> Consent {
        let permissions = [Permission::ReadAccountsBasic].into_iter().collect();
        let access = AccountAccess { permissions, transactions_from: None, transactions_to: None };
        let draft = ConsentDraft {
            request: ConsentRequest::AccountAccess(access),
            expires_at,
            submitted: Submitted { version: Version::V3_1, json: "{}".into() },
        };
        self.authorised(client, id, draft).await
    }

    /// A consent of this client that amelia has authorised.
    pub(crate) async fn authorised(&self, client: &ClientId, id: &str, draft: ConsentDraft) -> Consent {
        let now = self.clocks.bank_now();
        let mut consent = draft.into_consent(id.into(), client.clone(), now);
        let fresh = consent.clone();
        let account = SelectedAccount { account: "bank-1".into(), alias: "alias-1".into(), core_state: None };
        let psu = "amelia".into();
        let agreed = match consent.request.clone() {
            ConsentRequest::Payment(payment) => {
                let holder = payment.terms.instruction.payee_to_confirm().unwrap().clone();
                let source = PaymentSource { account: holder, bic: None, authorisers: 1 };
                consent.authorise_payment(&psu, account, source, payment.conditions, now)
            }
            ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => {
                consent.authorise(&psu, vec![account], now)
            }
        };
        agreed.unwrap();
        let authorised = consent.clone();
        let write = self.auth.context.store.write::<_, StoreError, _>(move |tx| {
            tx.consent_insert(&fresh)?;
            tx.consent_update(&authorised)
        });
        write.await.unwrap();
        consent
    }

    /// Reads the consent again.
    pub(crate) async fn consent_again(&self, id: &str) -> Consent {
        let id = ConsentId::new(id);
        let read = self.auth.context.store.read::<_, StoreError, _>(move |tx| tx.consent_any_owner(&id));
        read.await.unwrap().unwrap()
    }

    /// A keyring without a key.
    pub(crate) async fn without_keys(&self) -> Keyring {
        let store = lombard_store::open_temporary_store().await.unwrap();
        Keyring::load_keys(&store, Arc::new(Sealer::from_key([7; 32])), &self.clocks).await.unwrap()
    }

    /// A code for a consent, as the authorisation endpoint would issue it.
    pub(crate) async fn code(&self, consent: &Consent, text: &str, challenge: Option<&str>) -> Grant {
        let now = self.wall();
        let grant = Grant {
            id: format!("grant-{text}").into(),
            client: consent.client.clone(),
            subject: GrantSubject::Psu { psu: "amelia".into(), consent: consent.id.clone() },
            scopes: Scopes::NONE.with_scope(Scope::OpenId).with_scope(Scope::Accounts),
            auth_time: Some(now),
            acr: Some("urn:openbanking:psd2:sca".into()),
            nonce: Some("n-0S6_WzA2Mj".into()),
            created_at: now,
            revoked_at: None,
            epoch: 0,
        };
        let code = AuthorisationCode {
            hash: lombard_jose::sha256(text.as_bytes()),
            client: consent.client.clone(),
            redirect_uri: REDIRECT_URI.into(),
            grant: grant.id.clone(),
            code_challenge: challenge.map(str::to_owned),
            expires_at: now.checked_add(SignedDuration::from_secs(60)).unwrap(),
            redeemed_at: None,
        };
        let inserted = grant.clone();
        let write = self.auth.context.store.write::<_, StoreError, _>(move |tx| {
            tx.grant_insert(&inserted)?;
            tx.code_insert(&code)
        });
        write.await.unwrap();
        grant
    }

    /// Deletes a consent as its TPP would.
    pub(crate) async fn delete(&self, consent: &ConsentId, client: &ClientId) {
        lombard_service::consents::delete_consent(
            &self.auth.context,
            client,
            lombard_domain::consent::ConsentKind::AccountAccess,
            consent,
            Version::V3_1,
        )
        .await
        .unwrap();
    }

    /// Authenticates a form at an endpoint.
    pub(crate) async fn authenticate(
        &self,
        endpoint: OAuthEndpoint,
        form: &Form,
        certificate: Option<&ClientCertificate>,
    ) -> Result<AuthenticatedClient, OAuthError> {
        let request = ClientRequest { endpoint, form, authorization_header: false, certificate };
        clients::authenticate_client(&self.auth, &request).await
    }

    /// One call of the token endpoint by this TPP, with a fresh assertion and these parameters.
    pub(crate) async fn token(&self, tpp: &Tpp, parameters: &[(&str, &str)]) -> Result<TokenResponse, OAuthError> {
        let form = tpp.form(self.wall(), parameters);
        let request = tpp.token_request(&form);
        let authenticated = clients::authenticate_client(&self.auth, &request).await?;
        tokens::issue_tokens(&self.auth, authenticated, &request).await
    }

    /// Exchanges a code.
    pub(crate) async fn exchange(&self, tpp: &Tpp, code: &str) -> Result<TokenResponse, OAuthError> {
        let parameters = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", REDIRECT_URI)];
        self.token(tpp, &parameters).await
    }
}

/// A TPP with its keys, certificate and registration.
#[derive(Debug, Clone)]
pub(crate) struct Tpp {
    pub(crate) client: Client,
    pub(crate) key: Arc<SigningKey>,
    pub(crate) certificate: ClientCertificate,
}

impl Tpp {
    /// A TPP of this name, with `private_key_jwt` and every role.
    pub(crate) fn new(name: &str) -> Self {
        let org_id = format!("{:0<18}", name.to_uppercase());
        let key = tpp_key();
        let client = Client {
            id: format!("client-{name}").into(),
            status: ClientStatus::Active,
            org_id: org_id.as_str().into(),
            org_name: format!("{name} Limited"),
            software_id: format!("{name}Software").into(),
            software_name: format!("{name} App"),
            on_behalf_of: None,
            roles: TppRole::ALL.to_vec(),
            redirect_uris: vec![REDIRECT_URI.into()],
            authentication: ClientAuthentication::PrivateKeyJwt,
            jwks: Jwks::Local(jwks(&key)),
            software_statement: "a.b.c".into(),
            backchannel: None,
            registration: None,
            profile: SecurityProfile::Fapi1Advanced,
            signed_messages: SignedMessages::default(),
            headless: None,
            created_at: Timestamp::from_second(START).unwrap(),
            epoch: 1,
        };
        Self { client, key, certificate: Leaf::obwac(&org_id).certificate() }
    }

    /// This form at the token endpoint, with the TPP's certificate.
    pub(crate) fn token_request<'a>(&'a self, form: &'a Form) -> ClientRequest<'a> {
        let certificate = Some(&self.certificate);
        ClientRequest { endpoint: OAuthEndpoint::Token, form, authorization_header: false, certificate }
    }

    /// The claims of a good assertion; every call has its own `jti`.
    pub(crate) fn claims(&self, now: Timestamp) -> Value {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let id = self.client.id.as_str();
        json!({
            "iss": id, "sub": id, "aud": ISSUER, "iat": now.as_second(), "exp": now.as_second() + 1800,
            "jti": format!("jti-{}", NUMBER.fetch_add(1, Ordering::SeqCst)),
        })
    }

    /// Signs claims with the TPP's key.
    pub(crate) fn sign(&self, claims: &Value) -> String {
        sign_compact(&self.key, &JoseHeader::ps256(self.key.id()).typ("JWT"), claims.to_string().as_bytes()).unwrap()
    }

    /// A form with this assertion and these parameters.
    pub(crate) fn form_with(assertion: &str, parameters: &[(&str, &str)]) -> Form {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.append_pair("client_assertion", assertion).extend_pairs(parameters);
        Form::parse(form.finish().as_bytes()).unwrap()
    }

    /// A form with a fresh good assertion and these parameters.
    pub(crate) fn form(&self, now: Timestamp, parameters: &[(&str, &str)]) -> Form {
        Self::form_with(&self.sign(&self.claims(now)), parameters)
    }
}

/// A builder of leaf certificates.
pub(crate) struct Leaf {
    pub(crate) subject: Vec<(DnType, DnValue)>,
    pub(crate) usages: Vec<ExtendedKeyUsagePurpose>,
    pub(crate) key_usages: Vec<KeyUsagePurpose>,
    pub(crate) statements: Option<Vec<u8>>,
    pub(crate) valid_secs: (i64, i64),
}

pub(crate) fn utf8(text: &str) -> DnValue {
    DnValue::Utf8String(text.into())
}

pub(crate) fn organisation_identifier() -> DnType {
    DnType::CustomDnType(vec![2, 5, 4, 97])
}

impl Leaf {
    /// A transport certificate with this subject.
    pub(crate) fn of(subject: Vec<(DnType, DnValue)>) -> Self {
        Self {
            subject,
            usages: vec![ExtendedKeyUsagePurpose::ClientAuth],
            key_usages: vec![KeyUsagePurpose::DigitalSignature],
            statements: None,
            valid_secs: (START - 86_400, START + 86_400 * 90),
        }
    }

    /// The transport certificate of an organisation in the directory. Source: DCR-052.
    pub(crate) fn obwac(org_id: &str) -> Self {
        Self::of(vec![
            (DnType::CountryName, utf8("GB")),
            (DnType::OrganizationName, utf8("Acme, Limited")),
            (organisation_identifier(), utf8("PSDGB-FCA-123456")),
            (DnType::CommonName, utf8(org_id)),
        ])
    }

    pub(crate) fn der(&self) -> Vec<u8> {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        for (kind, value) in &self.subject {
            params.distinguished_name.push(kind.clone(), value.clone());
        }
        params.extended_key_usages.clone_from(&self.usages);
        params.key_usages.clone_from(&self.key_usages);
        let statements = self.statements.iter();
        params.custom_extensions =
            statements.map(|it| CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 3], it.clone())).collect();
        let day = rcgen::date_time_ymd(1970, 1, 1);
        let after = |secs: i64| day + std::time::Duration::from_secs(secs.try_into().unwrap());
        (params.not_before, params.not_after) = (after(self.valid_secs.0), after(self.valid_secs.1));
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
        params.self_signed(&key).unwrap().der().to_vec()
    }

    pub(crate) fn certificate(&self) -> ClientCertificate {
        ClientCertificate::from_der(&self.der()).unwrap()
    }
}

pub(crate) fn jwks(key: &SigningKey) -> String {
    json!({"keys": [key.public().to_jwk(&[])]}).to_string()
}

/// The key that all test TPPs sign with; shared, because generating a key is slow.
pub(crate) fn tpp_key() -> Arc<SigningKey> {
    static KEY: OnceLock<Arc<SigningKey>> = OnceLock::new();
    Arc::clone(KEY.get_or_init(|| Arc::new(SigningKey::generate().unwrap())))
}

/// A key that no TPP registered.
pub(crate) fn foreign_key() -> Arc<SigningKey> {
    static KEY: OnceLock<Arc<SigningKey>> = OnceLock::new();
    Arc::clone(KEY.get_or_init(|| Arc::new(SigningKey::generate().unwrap())))
}

fn server_key() -> Arc<SigningKey> {
    static KEY: OnceLock<Arc<SigningKey>> = OnceLock::new();
    Arc::clone(KEY.get_or_init(|| Arc::new(SigningKey::generate().unwrap())))
}
