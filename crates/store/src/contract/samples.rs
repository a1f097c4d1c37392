//! Sample rows for the contract tests, with every optional member set.

use jiff::Timestamp;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::consent::{AccountAccess, Consent, ConsentDraft, ConsentRequest, Permission, SelectedAccount};
use lombard_domain::event::{AccountReason, Event, EventClaims, EventType, VersionedLink};
use lombard_domain::grant::{
    AuthorisationCode, AuthorisationJourney, Digest, Grant, GrantSubject, JourneyStage, Token, TokenKind,
};
use lombard_domain::job::Job;
use lombard_domain::registration::{ApplicationType, GrantType, Registration, ResponseType};
use lombard_domain::scope::{Scope, Scopes, TppRole};
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::{IdempotencyKey, KeyOrigin, ServerTransaction, Store, StoreError, StoredKey};

/// This second after the epoch, with microseconds that must be stored.
pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_microsecond(second * 1_000_000 + 123_456).unwrap()
}

pub(super) const fn digest(byte: u8) -> Digest {
    Digest([byte; 32])
}

/// Writes, or panics.
pub(super) async fn write<T: Send + 'static>(
    store: &Store,
    work: impl FnMut(&mut dyn ServerTransaction) -> Result<T, StoreError> + Send + 'static,
) -> T {
    store.write(work).await.unwrap()
}

/// Reads, or panics.
pub(super) async fn read<T: Send + 'static>(
    store: &Store,
    work: impl FnMut(&mut dyn ServerTransaction) -> Result<T, StoreError> + Send + 'static,
) -> T {
    store.read(work).await.unwrap()
}

pub(super) fn client(id: &str) -> Client {
    Client {
        id: id.into(),
        status: ClientStatus::Active,
        org_id: "0015800001HQQrZAAX".into(),
        org_name: String::from("Acme Ltd"),
        software_id: "4c4VqCmR3ZkzWBnNDaCyZ2".into(),
        software_name: String::from("Accounts & “More”"),
        on_behalf_of: Some(String::from("Somebody")),
        roles: vec![TppRole::Aisp, TppRole::Pisp],
        redirect_uris: vec![String::from("https://localhost:8445/callback"), String::from("https://x/?a=\"b\"")],
        authentication: ClientAuthentication::TlsClientAuth { subject_dn: String::from("CN=acme,O=Acme Ltd,C=GB") },
        jwks: Jwks::Local(String::from(r#"{"keys":[]}"#)),
        software_statement: String::from("e30.e30.sig"),
        backchannel: Some(BackchannelDelivery::Ping { endpoint: String::from("https://tpp.example/ping") }),
        registration: Some(Registration {
            application_type: ApplicationType::Mobile,
            grant_types: vec![GrantType::ClientCredentials, GrantType::Backchannel],
            response_types: vec![ResponseType::Code],
        }),
        profile: SecurityProfile::Fapi2MessageSigning,
        signed_messages: SignedMessages { requests: false, responses: true, introspection: true },
        headless: Some("amelia".into()),
        created_at: at(1),
        epoch: 0,
    }
}

pub(super) fn consent(id: &str, client: &str) -> Consent {
    let draft = ConsentDraft {
        request: ConsentRequest::AccountAccess(AccountAccess {
            permissions: [Permission::ReadAccountsBasic, Permission::ReadBalances].into_iter().collect(),
            transactions_from: Some(at(10)),
            transactions_to: None,
        }),
        expires_at: Some(at(1_000)),
        submitted: Submitted { version: Version::V3_1, json: String::from(r#"{"Permissions":["ReadBalances"]}"#) },
    };
    draft.into_consent(id.into(), client.into(), at(5))
}

pub(super) fn selected(account: &str, alias: &str) -> SelectedAccount {
    SelectedAccount { account: account.into(), alias: alias.into(), core_state: None }
}

pub(super) fn grant(id: &str, client: &str, consent: Option<&str>) -> Grant {
    Grant {
        id: id.into(),
        client: client.into(),
        subject: match consent {
            Some(consent) => GrantSubject::Psu { psu: "amelia".into(), consent: consent.into() },
            None => GrantSubject::Client,
        },
        scopes: Scopes::NONE.with_scope(Scope::Accounts).with_scope(Scope::OpenId),
        auth_time: consent.map(|_| at(20)),
        acr: consent.map(|_| String::from("urn:openbanking:psd2:sca")),
        nonce: consent.map(|_| String::from("n-1")),
        created_at: at(21),
        revoked_at: None,
        epoch: 0,
    }
}

pub(super) fn token(byte: u8, grant: &str, kind: TokenKind, expires_at: Option<Timestamp>) -> Token {
    Token {
        hash: digest(byte),
        kind,
        grant: grant.into(),
        scopes: Scopes::NONE.with_scope(Scope::Accounts),
        certificate: digest(200),
        issued_at: at(22),
        expires_at,
        revoked_at: None,
    }
}

pub(super) fn code(byte: u8, grant: &str) -> AuthorisationCode {
    AuthorisationCode {
        hash: digest(byte),
        client: "t".into(),
        redirect_uri: String::from("https://localhost:8445/callback"),
        grant: grant.into(),
        code_challenge: Some(String::from("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")),
        expires_at: at(60),
        redeemed_at: None,
    }
}

pub(super) fn interaction(id: &str, consent: &str) -> AuthorisationJourney {
    AuthorisationJourney {
        id: id.into(),
        client: "t".into(),
        consent: consent.into(),
        request: String::from("{}"),
        stage: JourneyStage::Login,
        browser: digest(1),
        psu: Some("amelia".into()),
        psu_name: Some(String::from("Amelia")),
        auth_time: Some(at(30)),
        factors: vec![AuthenticationFactor::Knowledge, AuthenticationFactor::Inherence],
        form_token: digest(2),
        failures: 0,
        expires_at: at(600),
    }
}

pub(super) fn signing_key(id: &str, second: i64) -> StoredKey {
    StoredKey {
        id: id.into(),
        origin: KeyOrigin::Made,
        sealed: vec![0, 1, 255],
        chain: vec![vec![48, 3], vec![]],
        published_at: at(second),
        active_from: Some(at(second + 1)),
        retired_at: None,
    }
}

pub(super) fn event(id: &str, client: &str, second: i64) -> Event {
    let link =
        |version: Version| VersionedLink { version, address: format!("https://bank.example/{}/a", version.segment()) };
    Event {
        id: id.into(),
        client: client.into(),
        interaction_id: "93bac548-d2de-4546-b106-880a5018460d".into(),
        occurred_at: at(second),
        recorded_at: at(second + 1),
        claims: EventClaims {
            issuer: String::from("https://bank.example"),
            about: String::from("https://bank.example/c"),
            resource_id: String::from("a"),
            resource_type: String::from("account-access-consent"),
            links: vec![link(Version::V3_1), link(Version::V4_0)],
            types: vec![EventType::LinkedAccountUpdate, EventType::VrpLinkedAccountUpdate],
            reason: Some(AccountReason::Cass),
        },
        scope: Scope::Accounts,
    }
}

pub(super) fn job(id: &str, due: i64) -> Job {
    Job { id: id.into(), kind: String::from("settle"), subject: String::from("o"), due_at: at(due), attempts: 0 }
}

pub(super) fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey { client: "t".into(), operation: String::from("POST /domestic-payments"), key: text.into() }
}
