//! Tests of registration requests and of later changes to a registration.
//!
//! Long because the cases of all rules share one directory and one client.

mod refused;

use super::*;
use crate::OAuthErrorCode::{InvalidClient, InvalidClientMetadata, InvalidRedirectUri, InvalidSoftwareStatement};
use crate::OAuthErrorCode::{InvalidToken, UnapprovedSoftwareStatement};
use crate::certificates::ClientCertificate;
use crate::certificates::tests::statements;
use crate::client_keys::ClientKeys;
use crate::testing::{ISSUER, Leaf, START, World, foreign_key, jwks, organisation_identifier, tpp_key, utf8};
use async_trait::async_trait;
use lombard_domain::client::{ClientAuthentication, KeySetAddress};
use lombard_domain::registration::{ApplicationType, GrantType, Registration, ResponseType};
use lombard_domain::scope::TppRole;
use lombard_jose::{CompactJws, JoseHeader, KeySet, SigningKey, base64url, sign_compact};
use lombard_ports::key_source::{KeySource, KeySourceError};
use lombard_service::clients::{ClientChange, RegistrationBounds, change_client};
use rcgen::DnType;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const ORG: &str = "0015800001041RHAAY";
const SOFTWARE: &str = "4hAcm3S0ftware1d";
const KEYS_URL: &str = "https://keystore.example/acme.jwks";
const OTHER_KEYS_URL: &str = "https://keystore.example/other.jwks";
const CALLBACK: &str = "https://tpp.example/callback";
const OTHER_CALLBACK: &str = "https://tpp.example/other";

/// A second directory, whose ids of software and organisations can equal those of the first.
const OTHER_DIRECTORY: &str = "Other Directory";

/// The directory's key set server: it has the software's keys.
#[derive(Debug)]
struct Keystore;

#[async_trait]
impl KeySource for Keystore {
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError> {
        if [KEYS_URL, OTHER_KEYS_URL].contains(&url) { Ok(jwks(&tpp_key())) } else { Err(KeySourceError::NotAllowed) }
    }
}

/// The directory signs with a key that no TPP has.
fn directory_key() -> Arc<SigningKey> {
    foreign_key()
}

/// A server that registers the software of one directory.
struct Registrar {
    world: World,
    certificate: ClientCertificate,
}

impl Registrar {
    async fn new() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut RegistrationSettings)) -> Self {
        let mut world = World::new().await;
        let keys = DirectoryKeys::Local(Arc::new(KeySet::from_iter([directory_key().public().clone()])));
        let mut settings = RegistrationSettings {
            directories: ["Directory", OTHER_DIRECTORY]
                .map(|issuer| Directory { issuer: issuer.into(), keys: keys.clone() })
                .into(),
            audiences: vec!["BANK00000000000001".into()],
            statement_age_secs_max: Some(1800),
            live_software_only: true,
            ..RegistrationSettings::default()
        };
        change(&mut settings);
        let auth = &mut world.auth;
        auth.settings = Arc::new(crate::AuthSettings { registration: Some(settings), ..(*auth.settings).clone() });
        auth.client_keys = ClientKeys::new(Arc::new(Keystore), auth.context.store.clone(), world.clocks.clone());
        Self { world, certificate: Leaf::obwac(ORG).certificate() }
    }

    fn statement(&self) -> Value {
        json!({
            "iss": "Directory",
            "iat": self.world.wall().as_second(),
            "jti": "statement",
            "software_id": SOFTWARE,
            "software_client_name": "Acme App",
            "software_roles": ["AISP", "PISP"],
            "software_redirect_uris": [CALLBACK, OTHER_CALLBACK],
            "software_jwks_endpoint": KEYS_URL,
            "software_mode": "Live",
            "software_policy_uri": "https://tpp.example/policy",
            "org_id": ORG,
            "org_name": "Acme Limited",
            "org_status": "Active",
            "organisation_competent_authority_claims":
                {"authority_id": "FCAGBR", "registration_id": "123456", "status": "Active"},
        })
    }

    /// A request for all that the statement allows, without the statement.
    fn request(&self) -> Value {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let now = self.world.wall().as_second();
        json!({
            "iss": SOFTWARE,
            "aud": ISSUER,
            "iat": now,
            "exp": now + 300,
            "jti": format!("0cb8cf1e-41e0-4f7c-9a3f-{:012x}", NUMBER.fetch_add(1, Ordering::SeqCst)),
            "redirect_uris": [CALLBACK],
            "token_endpoint_auth_method": "private_key_jwt",
            "token_endpoint_auth_signing_alg": "PS256",
            "grant_types": ["client_credentials", "authorization_code", "refresh_token"],
            "response_types": ["code id_token"],
            "application_type": "web",
            "scope": "openid accounts payments",
            "id_token_signed_response_alg": "PS256",
            "request_object_signing_alg": "PS256",
        })
    }

    fn body(statement: &Value, request: &Value) -> String {
        let mut request = request.clone();
        request["software_statement"] = sign(&directory_key(), statement).into();
        sign(&tpp_key(), &request)
    }

    async fn register_body(&self, body: &str) -> Result<RegistrationResponse, OAuthErrorCode> {
        self.register_with(body, &self.certificate).await
    }

    async fn register_with(
        &self,
        body: &str,
        certificate: &ClientCertificate,
    ) -> Result<RegistrationResponse, OAuthErrorCode> {
        register_client(&self.world.auth, RegistrationRequest { body, certificate }).await.map_err(|error| error.code)
    }

    async fn register(&self, statement: &Value, request: &Value) -> Result<RegistrationResponse, OAuthErrorCode> {
        self.register_body(&Self::body(statement, request)).await
    }

    /// Registers a client and returns it as stored.
    async fn registered(&self) -> Client {
        let response = self.register(&self.statement(), &self.request()).await.unwrap();
        self.client(response["client_id"].as_str().unwrap()).await.unwrap()
    }

    async fn client(&self, id: &str) -> Option<Client> {
        let id = ClientId::new(id);
        self.world.auth.context.store.read::<_, StoreError, _>(move |tx| tx.client(&id)).await.unwrap()
    }

    async fn clients(&self) -> usize {
        let count = self.world.auth.context.store.read::<_, StoreError, _>(|tx| tx.client_ids()).await;
        count.unwrap().len()
    }

    async fn replace(&self, client: &Client, request: &Value) -> Result<RegistrationResponse, OAuthErrorCode> {
        let body = Self::body(&self.statement(), request);
        let request = RegistrationRequest { body: &body, certificate: &self.certificate };
        replace_registration(&self.world.auth, &client.id, request).await.map_err(|error| error.code)
    }

    /// Applies a change of an operator. The statement permits both roles and both redirect URIs.
    async fn operator(&self, client: &Client, change: ClientChange) {
        struct Bounds;
        impl RegistrationBounds for Bounds {
            fn roles(&self, _: &Client) -> Vec<TppRole> {
                vec![TppRole::Aisp, TppRole::Pisp]
            }
            fn redirect_uris(&self, _: &Client) -> Vec<String> {
                vec![CALLBACK.into(), OTHER_CALLBACK.into()]
            }
            fn redirect_uri_fault(&self, _: &Client, _: &str) -> Option<&'static str> {
                None
            }
        }
        let context = &self.world.auth.context;
        let stored = (&context.store, &context.ids, self.world.wall());
        let record = AuditRecord::of_server(self.world.wall(), AuditAction::TppRoles, "");
        change_client(stored, &client.id, change, record, Bounds).await.unwrap();
    }
}

fn sign(key: &SigningKey, claims: &Value) -> String {
    sign_compact(key, &JoseHeader::ps256(key.id()), claims.to_string().as_bytes()).unwrap()
}

/// The claims with one replaced; `null` removes it.
fn with(mut claims: Value, name: &str, value: Value) -> Value {
    let members = claims.as_object_mut().unwrap();
    if value.is_null() {
        members.remove(name)
    } else {
        members.insert(name.to_owned(), value)
    };
    claims
}

#[tokio::test]
async fn dcr_001_030_a_registration_is_stored_and_told() {
    let registrar = Registrar::new().await;
    let (statement, request) = (registrar.statement(), registrar.request());
    let body = Registrar::body(&statement, &request);
    let response = registrar.register_body(&body).await.unwrap();
    for name in [
        "redirect_uris",
        "token_endpoint_auth_method",
        "token_endpoint_auth_signing_alg",
        "grant_types",
        "response_types",
        "application_type",
        "scope",
        "id_token_signed_response_alg",
        "request_object_signing_alg",
    ] {
        assert_eq!(response[name], request[name], "{name}");
    }
    for name in ["software_id", "software_roles", "software_policy_uri", "org_id", "org_name"] {
        assert_eq!(response[name], statement[name], "{name}");
    }
    assert_eq!(response["client_id_issued_at"], START);
    let sent: Value = CompactJws::parse(&body).unwrap().claims().unwrap();
    assert_eq!(response["software_statement"], sent["software_statement"]);
    for absent in ["iss", "iat", "jti", "client_secret", "registration_access_token"] {
        assert_eq!(response.get(absent), None, "{absent}");
    }
    let client = registrar.client(response["client_id"].as_str().unwrap()).await.unwrap();
    assert_eq!(uuid::Uuid::parse_str(client.id.as_str()).unwrap().to_string(), client.id.as_str(), "DCR-016");
    assert_eq!((client.status, client.roles.as_slice()), (ClientStatus::Active, &[TppRole::Aisp, TppRole::Pisp][..]));
    assert_eq!(client.jwks, Jwks::Remote(KeySetAddress { url: KEYS_URL.into(), revoked_url: None }));
    let registration = Registration {
        application_type: ApplicationType::Web,
        grant_types: vec![GrantType::ClientCredentials, GrantType::AuthorizationCode, GrantType::RefreshToken],
        response_types: vec![ResponseType::CodeIdToken],
    };
    assert_eq!(client.registration, Some(registration));
    assert_eq!(read_registration(&registrar.world.auth, &client.id).await.unwrap(), response);
}

#[tokio::test]
async fn dcr_050_052_053_the_certificate_is_one_of_the_organisation_for_tls() {
    let registrar = Registrar::new().await;
    let named =
        |subject: Vec<(DnType, &str)>| Leaf::of(subject.into_iter().map(|(kind, text)| (kind, utf8(text))).collect());
    let legacy =
        |org: &str, software: &str| named(vec![(DnType::OrganizationalUnitName, org), (DnType::CommonName, software)]);
    let qualified = |identifier: &str| {
        named(vec![(organisation_identifier(), identifier), (DnType::CommonName, "www.acme.example")])
    };
    let obwac =
        |identifier: &str, org: &str| named(vec![(organisation_identifier(), identifier), (DnType::CommonName, org)]);
    let expired = Leaf { valid_secs: (START - 100, START - 1), ..Leaf::obwac(ORG) };
    let seal = Leaf { usages: Vec::new(), ..Leaf::obwac(ORG) };
    for (case, leaf, accepted) in [
        ("OBWAC", Leaf::obwac(ORG), true),
        ("OBWAC of another organisation", obwac("PSDGB-OB-Unknown0015800001041RHAAX", "0015800001041RHAAX"), false),
        ("OBWAC whose number is not known", obwac(&format!("PSDGB-OB-Unknown{ORG}"), ORG), true),
        ("AS-187: its name with the number of another", obwac("PSDGB-FCA-999999", ORG), false),
        ("AS-187: its name with its number at another authority", obwac("PSDIE-CBI-123456", ORG), false),
        ("legacy", legacy(ORG, SOFTWARE), true),
        ("legacy of another organisation", legacy("OTHER", SOFTWARE), false),
        ("QWAC", qualified("PSDGB-FCA-123456"), true),
        ("QWAC of another number", qualified("PSDGB-FCA-123457"), false),
        ("QWAC of another country", qualified("PSDIE-FCA-123456"), false),
        ("the same number in a trade register", qualified("NTRGB-123456"), false),
        ("expired", expired, false),
        ("a seal", seal, false),
    ] {
        let body = Registrar::body(&registrar.statement(), &registrar.request());
        let registered = registrar.register_with(&body, &leaf.certificate()).await;
        assert_eq!(registered.err(), (!accepted).then_some(InvalidClient), "{case}");
    }
    let subject = "C=GB,O=Acme\\, Limited,organizationIdentifier=PSDGB-FCA-123456,CN=0015800001041RHAAY";
    for (case, subject_dn, accepted) in [
        ("its subject", json!(subject), true),
        ("another subject", json!("CN=0015800001041RHAAY"), false),
        ("no name", json!("0015800001041RHAAY"), false),
        ("none", Value::Null, false),
    ] {
        let request = with(registrar.request(), "token_endpoint_auth_method", json!("tls_client_auth"));
        let request = with(request, "tls_client_auth_subject_dn", subject_dn.clone());
        let registered = registrar.register(&registrar.statement(), &request).await;
        assert_eq!(registered.as_ref().err().copied(), (!accepted).then_some(InvalidClientMetadata), "{case}");
        if let Ok(response) = registered {
            assert_eq!(response["tls_client_auth_subject_dn"], subject_dn);
            let stored = registrar.client(response["client_id"].as_str().unwrap()).await.unwrap();
            assert_eq!(stored.authentication, ClientAuthentication::TlsClientAuth { subject_dn: subject.into() });
        }
    }
}

#[tokio::test]
async fn dcr_053_scopes_beyond_the_roles_of_the_certificate_are_refused() {
    let registrar = Registrar::new().await;
    let aisp = Leaf { statements: Some(statements(&[3])), ..Leaf::obwac(ORG) }.certificate();
    for (scope, registered) in [
        (json!("openid accounts payments"), None),
        (json!("openid accounts"), Some("openid accounts")),
        (Value::Null, Some("openid accounts")),
    ] {
        let body = Registrar::body(&registrar.statement(), &with(registrar.request(), "scope", scope.clone()));
        let answer = registrar.register_with(&body, &aisp).await;
        assert_eq!(answer.ok().map(|it| it["scope"].as_str().unwrap().to_owned()).as_deref(), registered, "{scope}");
    }
}

#[tokio::test]
async fn dcr_008_the_same_request_registers_once_and_of_many_at_once_one_does() {
    let registrar = Registrar::new().await;
    let body = Registrar::body(&registrar.statement(), &registrar.request());
    let mut racing = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (auth, body, certificate) = (registrar.world.auth.clone(), body.clone(), registrar.certificate.clone());
        racing.spawn(async move {
            register_client(&auth, RegistrationRequest { body: &body, certificate: &certificate }).await.is_ok()
        });
    }
    let won = racing.join_all().await.into_iter().filter(|won| *won).count();
    assert_eq!((won, registrar.clients().await), (1, 1));
    assert_eq!(registrar.register_body(&body).await, Err(InvalidClientMetadata));
    let upper = with(registrar.request(), "jti", json!("0CB8CF1E-41E0-4F7C-9A3F-FFFFFFFFFFFF"));
    let lower = with(registrar.request(), "jti", json!("0cb8cf1e-41e0-4f7c-9a3f-ffffffffffff"));
    assert!(registrar.register(&registrar.statement(), &upper).await.is_ok());
    assert_eq!(registrar.register(&registrar.statement(), &lower).await, Err(InvalidClientMetadata), "the same UUID");
}

#[tokio::test]
async fn dcr_016_017_a_software_has_at_most_ten_clients_and_a_daily_limit() {
    const MOST: u32 = SOFTWARE_CLIENTS_MAX + 5;
    let registrar = Registrar::with(|settings| settings.software_registrations_max = MOST).await;
    let mut last = registrar.registered().await;
    for _ in 1..SOFTWARE_CLIENTS_MAX {
        last = registrar.registered().await;
    }
    let eleventh = registrar.register(&registrar.statement(), &registrar.request()).await;
    assert_eq!(eleventh, Err(InvalidClientMetadata));
    let other = with(registrar.statement(), "software_id", json!("another"));
    let request = with(registrar.request(), "iss", json!("another"));
    assert!(registrar.register(&other, &request).await.is_ok(), "another software has its own limit");
    for _ in SOFTWARE_CLIENTS_MAX..MOST {
        delete_registration(&registrar.world.auth, &last.id).await.unwrap();
        last = registrar.registered().await;
    }
    // Deleted clients stay stored, so that the registrations of a day are limited too.
    delete_registration(&registrar.world.auth, &last.id).await.unwrap();
    let another = registrar.register(&registrar.statement(), &registrar.request()).await;
    assert_eq!(another, Err(InvalidClientMetadata));
    assert_eq!(u32::try_from(registrar.clients().await), Ok(MOST + 1), "with the other's");
    registrar.world.pass_secs(86_401);
    assert!(registrar.register(&registrar.statement(), &registrar.request()).await.is_ok(), "a day later");
}

#[tokio::test]
async fn dcr_042_a_registration_is_replaced_as_a_whole() {
    let registrar = Registrar::new().await;
    let before = registrar.registered().await;
    let request = with(registrar.request(), "scope", json!("openid accounts"));
    let request = with(request, "redirect_uris", json!([OTHER_CALLBACK]));
    let replaced = registrar.replace(&before, &request).await.unwrap();
    assert_eq!(
        (replaced["client_id"].as_str(), replaced["scope"].as_str()),
        (Some(before.id.as_str()), Some("openid accounts"))
    );
    let after = registrar.client(before.id.as_str()).await.unwrap();
    assert_eq!(
        (after.roles.as_slice(), after.redirect_uris.as_slice()),
        (&[TppRole::Aisp][..], &[OTHER_CALLBACK.to_owned()][..])
    );
    assert_eq!((after.created_at, after.epoch), (before.created_at, before.epoch + 1));
    assert_eq!(registrar.replace(&before, &request).await, Err(InvalidClientMetadata), "DCR-008");
    let other = with(registrar.statement(), "software_id", json!("another"));
    let body = Registrar::body(&other, &with(registrar.request(), "iss", json!("another")));
    let request = RegistrationRequest { body: &body, certificate: &registrar.certificate };
    let refused = replace_registration(&registrar.world.auth, &before.id, request).await.unwrap_err();
    assert_eq!(refused.code, InvalidClientMetadata, "the software of a registration stays");
    delete_registration(&registrar.world.auth, &before.id).await.unwrap();
    assert_eq!(registrar.replace(&before, &registrar.request()).await, Err(InvalidToken));
}

#[tokio::test]
async fn as_187_a_statement_of_another_directory_changes_no_registration() {
    let registrar = Registrar::new().await;
    let theirs = || with(registrar.statement(), "iss", json!(OTHER_DIRECTORY));
    let request = registrar.request();
    assert!(registrar.register(&theirs(), &request).await.is_ok());
    assert!(
        registrar.register(&registrar.statement(), &request).await.is_ok(),
        "the jti of a request is its directory's"
    );
    for _ in 1..SOFTWARE_CLIENTS_MAX {
        registrar.register(&theirs(), &registrar.request()).await.unwrap();
    }
    assert!(
        registrar.register(&theirs(), &registrar.request()).await.is_err(),
        "the places of one directory are taken"
    );
    let client = registrar.registered().await;
    let body = Registrar::body(&theirs(), &registrar.request());
    let put = RegistrationRequest { body: &body, certificate: &registrar.certificate };
    let refused = replace_registration(&registrar.world.auth, &client.id, put).await.unwrap_err();
    assert_eq!((refused.code, refused.reason), (InvalidClientMetadata, Some("directory_changed")));
    assert_eq!(registrar.client(client.id.as_str()).await, Some(client.clone()));
    registrar.replace(&client, &registrar.request()).await.unwrap();
}

#[tokio::test]
async fn dcr_012_openid_alone_registers_a_client_without_a_scope_for_resources() {
    let registrar = Registrar::new().await;
    let request = with(registrar.request(), "scope", json!("openid"));
    let response = registrar.register(&registrar.statement(), &request).await.unwrap();
    assert_eq!(response["scope"], "openid");
    let client = registrar.client(response["client_id"].as_str().unwrap()).await.unwrap();
    assert_eq!(client.roles, []);
    let replaced = registrar.replace(&client, &registrar.request()).await.unwrap();
    assert_eq!(replaced["scope"], "openid accounts payments");
}

#[tokio::test]
async fn dcr_030_what_looks_issued_is_never_repeated_from_a_statement() {
    let registrar = Registrar::new().await;
    let issued = ["client_secret", "client_secret_expires_at", "registration_access_token", "registration_client_uri"];
    let statement = issued.into_iter().fold(registrar.statement(), |it, name| with(it, name, json!("s3cret")));
    let response = registrar.register(&statement, &registrar.request()).await.unwrap();
    for name in issued {
        assert_eq!(response.get(name), None, "{name}");
    }
}

#[tokio::test]
async fn dcr_043_of_several_deletions_at_once_one_deletes() {
    let registrar = Registrar::new().await;
    let client = registrar.registered().await;
    let deletions = (0..4).map(|_| {
        let (auth, id) = (registrar.world.auth.clone(), client.id.clone());
        tokio::spawn(async move { delete_registration(&auth, &id).await.map_err(|error| error.code) })
    });
    let mut done = Vec::new();
    for deletion in deletions.collect::<Vec<_>>() {
        done.push(deletion.await.unwrap());
    }
    done.sort_by_key(Result::is_err);
    assert_eq!(done, [Ok(()), Err(InvalidToken), Err(InvalidToken), Err(InvalidToken)]);
}

#[tokio::test]
async fn dcr_042_what_an_operator_narrowed_stays_narrowed_until_it_is_widened() {
    let registrar = Registrar::new().await;
    let client = registrar.registered().await;
    let both = || with(registrar.request(), "redirect_uris", json!([CALLBACK, OTHER_CALLBACK]));
    let narrow = || with(registrar.request(), "scope", json!("accounts"));
    registrar.operator(&client, ClientChange::SetRoles(vec![TppRole::Aisp])).await;
    assert_eq!(registrar.replace(&client, &registrar.request()).await, Err(InvalidClientMetadata));
    registrar.replace(&client, &narrow()).await.unwrap();
    registrar.operator(&client, ClientChange::SetRoles(vec![TppRole::Aisp, TppRole::Pisp])).await;
    registrar.replace(&client, &registrar.request()).await.unwrap();
    registrar.operator(&client, ClientChange::SetRedirectUris(vec![OTHER_CALLBACK.into()])).await;
    assert_eq!(registrar.replace(&client, &both()).await, Err(InvalidRedirectUri));
    registrar.operator(&client, ClientChange::SetRedirectUris(vec![CALLBACK.into(), OTHER_CALLBACK.into()])).await;
    registrar.replace(&client, &both()).await.unwrap();
}

#[tokio::test]
async fn dcr_022_a_policy_decides_which_software_registers() {
    let listed = async |allowed: &str| {
        let registrar = Registrar::with(|settings| {
            (settings.policy, settings.allowed) = (RegistrationPolicy::AllowList, vec![allowed.to_owned()]);
        });
        let registrar = registrar.await;
        registrar.register(&registrar.statement(), &registrar.request()).await.err()
    };
    assert_eq!(listed(SOFTWARE).await, None);
    assert_eq!(listed(ORG).await, None);
    assert_eq!(listed("another").await, Some(UnapprovedSoftwareStatement));
    let registrar = Registrar::with(|settings| settings.policy = RegistrationPolicy::Approval).await;
    let client = registrar.registered().await;
    assert_eq!(client.status, ClientStatus::Disabled);
    registrar.operator(&client, ClientChange::Enable).await;
    assert!(read_registration(&registrar.world.auth, &client.id).await.is_ok());
}

#[tokio::test]
async fn dcr_042_changes_beyond_the_approved_registration_await_an_operator() {
    let registrar = Registrar::with(|settings| settings.policy = RegistrationPolicy::Approval).await;
    let narrow = || with(registrar.request(), "scope", json!("openid accounts"));
    let named = |name: &str| with(registrar.statement(), "software_client_name", json!(name));
    let logo = with(registrar.statement(), "software_logo_uri", json!("https://tpp.example/logo.png"));
    let plain = registrar.statement();
    let wide = with(registrar.request(), "redirect_uris", json!([CALLBACK, OTHER_CALLBACK]));
    let other_org = with(plain.clone(), "org_name", json!("Barclays"));
    let keys = with(plain.clone(), "software_jwks_endpoint", json!(OTHER_KEYS_URL));
    let grants = ["client_credentials", "authorization_code", "refresh_token", "urn:openid:params:grant-type:ciba"];
    let ciba = with(with(narrow(), "grant_types", json!(grants)), "backchannel_token_delivery_mode", json!("poll"));
    let only_credentials =
        with(with(narrow(), "grant_types", json!(["client_credentials"])), "response_types", Value::Null);
    for (case, statement, request, waiting) in [
        ("the same", plain.clone(), narrow(), vec![]),
        ("less", plain.clone(), only_credentials, vec![]),
        ("a scope", plain.clone(), registrar.request(), vec!["scope"]),
        ("addresses", plain.clone(), with(wide, "scope", json!("openid accounts")), vec!["redirect_uris"]),
        ("a name", named("Barclays"), narrow(), vec!["software_client_name", "software_statement"]),
        ("an organisation's name", other_org, narrow(), vec!["org_name", "software_statement"]),
        ("a logo", logo, narrow(), vec!["software_statement"]),
        ("keys at another address", keys, narrow(), vec!["software_jwks_endpoint", "software_statement"]),
        ("a grant", plain.clone(), ciba, vec!["grant_types"]),
    ] {
        let response = registrar.register(&plain, &narrow()).await.unwrap();
        let client = registrar.client(response["client_id"].as_str().unwrap()).await.unwrap();
        registrar.operator(&client, ClientChange::Enable).await;
        let approved = registrar.client(client.id.as_str()).await.unwrap();
        let body = Registrar::body(&statement, &with(request, "jti", registrar.request()["jti"].clone()));
        let put = RegistrationRequest { body: &body, certificate: &registrar.certificate };
        let answer = replace_registration(&registrar.world.auth, &client.id, put).await.unwrap();
        let told = answer.get("pending_approval").cloned();
        let read = read_registration(&registrar.world.auth, &client.id).await.unwrap();
        assert_eq!(read.get("pending_approval").cloned(), told, "{case}");
        let served = registrar.client(client.id.as_str()).await.unwrap();
        if waiting.is_empty() {
            assert_eq!(told, None, "{case}");
        } else {
            let told: Vec<String> = serde_json::from_value(told.unwrap()).unwrap();
            let told: Vec<_> = told.iter().map(String::as_str).filter(|name| waiting.contains(name)).collect();
            assert_eq!(told, waiting, "{case}");
            assert_eq!(served, Client { epoch: served.epoch, ..approved.clone() }, "{case}: what was approved goes on");
            registrar.operator(&client, ClientChange::ApproveRegistration).await;
            let after = registrar.client(client.id.as_str()).await.unwrap();
            assert_ne!(after, Client { epoch: after.epoch, ..approved }, "{case}: approved");
            assert_eq!(after.status, ClientStatus::Active);
            let read = read_registration(&registrar.world.auth, &client.id).await.unwrap();
            assert_eq!(read.get("pending_approval"), None, "{case}");
        }
        delete_registration(&registrar.world.auth, &client.id).await.unwrap();
    }
}

#[tokio::test]
async fn dcr_042_what_waits_is_dropped_by_a_refusal_and_by_the_next_replacement() {
    let registrar = Registrar::with(|settings| settings.policy = RegistrationPolicy::Approval).await;
    let request = || with(registrar.request(), "redirect_uris", json!([CALLBACK, OTHER_CALLBACK]));
    let response = registrar.register(&registrar.statement(), &request()).await.unwrap();
    let client = registrar.client(response["client_id"].as_str().unwrap()).await.unwrap();
    registrar.operator(&client, ClientChange::Enable).await;
    let widened = async || {
        let body = Registrar::body(
            &with(registrar.statement(), "software_client_name", json!("Barclays")),
            &registrar.request(),
        );
        let put = RegistrationRequest { body: &body, certificate: &registrar.certificate };
        replace_registration(&registrar.world.auth, &client.id, put).await.unwrap()
    };
    assert!(widened().await.contains_key("pending_approval"));
    let served = registrar.client(client.id.as_str()).await.unwrap();
    assert_eq!(served.redirect_uris, [CALLBACK], "an address that is no longer asked for ends at once");
    assert_eq!(served.software_name, client.software_name);
    registrar.operator(&client, ClientChange::RefuseRegistration).await;
    let pending =
        async || read_registration(&registrar.world.auth, &client.id).await.unwrap().contains_key("pending_approval");
    assert!(!pending().await);
    assert_eq!(registrar.client(client.id.as_str()).await, Some(served));
    widened().await;
    assert!(pending().await);
    registrar.replace(&client, &registrar.request()).await.unwrap();
    assert!(!pending().await, "the latest request counts");
}

#[tokio::test]
async fn dcr_001_without_a_directory_nobody_registers() {
    let registrar = Registrar::new().await;
    let mut auth = registrar.world.auth.clone();
    auth.settings = Arc::new(crate::AuthSettings { registration: None, ..(*auth.settings).clone() });
    let body = Registrar::body(&registrar.statement(), &registrar.request());
    let request = RegistrationRequest { body: &body, certificate: &registrar.certificate };
    assert!(register_client(&auth, request).await.is_err());
}
