use super::*;
use crate::Context;
use crate::accounts::tests::{SmallBank, context};
use crate::consents::create_consent;
use lombard_domain::audit::AuditAction;
use lombard_domain::client::{ClientAuthentication, Jwks};
use lombard_domain::consent::{
    AccountAccess, Consent, ConsentDraft, ConsentRequest, ConsentState, Permission, RevokedBy, SelectedAccount,
};
use lombard_domain::grant::{Grant, GrantSubject};
use lombard_domain::scope::Scopes;
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;

fn client(id: &str, name: &str) -> Client {
    Client {
        id: id.into(),
        status: ClientStatus::Active,
        org_id: "o".into(),
        org_name: format!("{name} Limited"),
        software_id: format!("software-{name}").into(),
        software_name: name.to_owned(),
        on_behalf_of: None,
        roles: vec![TppRole::Aisp, TppRole::Pisp],
        redirect_uris: vec!["https://a.example/".to_owned()],
        authentication: ClientAuthentication::PrivateKeyJwt,
        jwks: Jwks::Local("{}".to_owned()),
        software_statement: String::new(),
        backchannel: None,
        registration: None,
        profile: SecurityProfile::Fapi1Advanced,
        signed_messages: SignedMessages::default(),
        headless: None,
        created_at: at(0),
        epoch: 0,
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// Bounds that allow the roles AISP and PISP, and `https` addresses.
struct Bounds;

impl RegistrationBounds for Bounds {
    fn roles(&self, _: &Client) -> Vec<TppRole> {
        vec![TppRole::Aisp, TppRole::Pisp]
    }

    fn redirect_uris(&self, _: &Client) -> Vec<String> {
        vec!["https://a.example/".to_owned(), "https://b.example/".to_owned()]
    }

    fn redirect_uri_fault(&self, _: &Client, uri: &str) -> Option<&'static str> {
        (!uri.starts_with("https://")).then_some("it is not https.")
    }
}

async fn registered() -> Context {
    let (context, _) = context(SmallBank::default()).await;
    let clients = [client("1", "Shop"), client("2", "Shop"), client("3", "Bank"), client("Shop", "Id")];
    let insert = move |tx: &mut dyn ServerTransaction| clients.iter().try_for_each(|client| tx.client_insert(client));
    context.store.write::<_, StoreError, _>(insert).await.unwrap();
    context
}

async fn change(context: &Context, id: &str, change: ClientChange) -> Result<(ClientDetails, bool), ClientError> {
    let record = AuditRecord::of_server(at(9), AuditAction::TppDisable, id);
    let record = AuditRecord { reason: ChangeReason::parse("fraud"), ..record };
    change_client((&context.store, &context.ids, at(9)), &id.into(), change, record, Bounds).await
}

#[tokio::test]
async fn a_client_is_found_by_id_first_and_an_ambiguous_name_is_refused() {
    let context = registered().await;
    let found =
        async |name: &str, alias: Option<&str>| match find_client(&context.store, name, alias.map(Into::into)).await {
            Ok(found) => found.client.id.to_string(),
            Err(error) => error.to_string(),
        };
    assert_eq!(found("Shop", None).await, "Shop", "an id comes before all names");
    assert_eq!(found("Bank Limited", None).await, "3");
    assert_eq!(found("software-Bank", None).await, "3");
    assert_eq!(found("folder", Some("2")).await, "2");
    assert_eq!(found("software-Bank", Some("3")).await, "3", "one client by two names is one client");
    let several = "Several TPPs have this name; use the client id of one of them: 1, 2.";
    assert_eq!(found("Shop Limited", None).await, several);
    assert_eq!(found("Bank", Some("1")).await, several.replace("1, 2", "3, 1"));
    assert_eq!(found("bank", None).await, ClientError::Unknown.to_string());
}

#[tokio::test]
async fn as_113_disabling_suspends_a_client_and_enabling_restores_it() {
    let context = registered().await;
    let (disabled, is_changed) = change(&context, "3", ClientChange::Disable).await.unwrap();
    assert!(is_changed);
    assert_eq!((disabled.client.status, disabled.client.epoch), (ClientStatus::Disabled, 1));
    assert_eq!(disabled.changes.status_changed_at, Some(at(9)));
    assert_eq!(disabled.changes.status_reason, ChangeReason::parse("fraud"));
    assert_eq!(find_client(&context.store, "3", None).await.unwrap(), disabled);
    let (again, is_changed) = change(&context, "3", ClientChange::Disable).await.unwrap();
    assert_eq!((again, is_changed), (disabled.clone(), false), "repeated, it changes nothing");
    let (enabled, _) = change(&context, "3", ClientChange::Enable).await.unwrap();
    assert_eq!(enabled.client, Client { epoch: 2, ..client("3", "Bank") });
    let unknown = change(&context, "nobody", ClientChange::Disable).await.unwrap_err();
    assert!(matches!(unknown, ClientError::Unknown));
}

#[tokio::test]
async fn dcr_042_roles_are_narrowed_and_widened_up_to_those_of_the_statement() {
    let context = registered().await;
    let (narrowed, _) =
        change(&context, "3", ClientChange::SetRoles(vec![TppRole::Pisp, TppRole::Pisp])).await.unwrap();
    assert_eq!((narrowed.client.roles.clone(), narrowed.client.epoch), (vec![TppRole::Pisp], 1));
    assert_eq!((narrowed.changes.roles_changed_at, narrowed.changes.status_changed_at), (Some(at(9)), None));
    let (widened, _) = change(&context, "3", ClientChange::SetRoles(vec![TppRole::Pisp, TppRole::Aisp])).await.unwrap();
    assert_eq!(widened.client.roles, [TppRole::Aisp, TppRole::Pisp]);
    let refused = change(&context, "3", ClientChange::SetRoles(vec![TppRole::Cbpii])).await.unwrap_err().to_string();
    assert!(refused.contains("does not grant the role CBPII") && refused.ends_with("(AISP, PISP)."), "{refused}");
    let refused = change(&context, "3", ClientChange::SetRoles(Vec::new())).await.unwrap_err();
    assert!(matches!(refused, ClientError::NoRole));
    assert_eq!(find_client(&context.store, "3", None).await.unwrap(), widened, "a refused change changes nothing");
}

#[tokio::test]
async fn dcr_042_redirect_uris_are_replaced_as_a_whole() {
    let context = registered().await;
    let set = |uris: &[&str]| ClientChange::SetRedirectUris(uris.iter().map(|uri| (*uri).to_owned()).collect());
    let (replaced, _) = change(&context, "3", set(&["https://b.example/"])).await.unwrap();
    assert_eq!(replaced.client.redirect_uris, ["https://b.example/"]);
    assert_eq!(replaced.changes.redirect_uris_changed_at, Some(at(9)));
    let refused =
        change(&context, "3", set(&["https://b.example/", "http://c.example/"])).await.unwrap_err().to_string();
    assert!(refused.contains("number 2") && refused.ends_with("it is not https."), "{refused}");
    for count in [0, REDIRECT_URIS_MAX + 1] {
        let refused = change(&context, "3", set(&vec!["https://b.example/"; count])).await.unwrap_err();
        assert!(matches!(refused, ClientError::RedirectUriCount), "{count}");
    }
}

#[tokio::test]
async fn as_154_a_profile_is_set_and_raises_the_epoch() {
    let context = registered().await;
    let set = ClientChange::SetProfile(SecurityProfile::Fapi2Security);
    let (moved, is_changed) = change(&context, "3", set.clone()).await.unwrap();
    assert_eq!((moved.client.profile, moved.client.epoch, is_changed), (SecurityProfile::Fapi2Security, 1, true));
    assert_eq!(find_client(&context.store, "3", None).await.unwrap(), moved);
    assert_eq!(change(&context, "3", set).await.unwrap(), (moved, false), "repeated, it changes nothing");
    let (back, _) = change(&context, "3", ClientChange::SetProfile(SecurityProfile::Fapi1Advanced)).await.unwrap();
    assert_eq!(back.client, Client { epoch: 2, ..client("3", "Bank") });
}

#[tokio::test]
async fn the_list_has_pages_of_bounded_size() {
    let context = registered().await;
    let first = list_clients(&context.store, None, 3).await.unwrap();
    assert_eq!((first.clients.len(), first.next.clone()), (3, Some("3".into())));
    let rest = list_clients(&context.store, first.next, 1_000).await.unwrap();
    assert_eq!((rest.clients.len(), rest.next), (1, None));
    assert_eq!(list_clients(&context.store, None, 0).await.unwrap().clients.len(), 1);
}

/// A consent of a client that a customer has authorised, with its grant.
async fn authorised(context: &Context, client: &str) -> Consent {
    let permissions = [Permission::ReadAccountsBasic].into_iter().collect();
    let draft = ConsentDraft {
        request: ConsentRequest::AccountAccess(AccountAccess {
            permissions,
            transactions_from: None,
            transactions_to: None,
        }),
        expires_at: None,
        submitted: Submitted { version: Version::V3_1, json: "{}".to_owned() },
    };
    let mut consent = create_consent(context, &client.into(), draft).await.unwrap();
    let account = SelectedAccount { account: "b".into(), alias: consent.id.as_str().into(), core_state: None };
    consent.authorise(&"amelia".into(), vec![account], context.clocks.bank_now()).unwrap();
    let grant = Grant {
        id: format!("grant of {}", consent.id).as_str().into(),
        client: client.into(),
        subject: GrantSubject::Psu { psu: "amelia".into(), consent: consent.id.clone() },
        scopes: Scopes::NONE,
        auth_time: None,
        acr: None,
        nonce: None,
        created_at: at(1),
        revoked_at: None,
        epoch: 0,
    };
    let stored = consent.clone();
    #[allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]
    let store = move |tx: &mut dyn ServerTransaction| {
        tx.consent_update(&stored)?;
        tx.grant_insert(&grant)
    };
    context.store.write::<_, StoreError, _>(store).await.unwrap();
    consent
}

#[tokio::test]
async fn dcr_043_a_deleted_client_stays_deleted_and_consents_end_in_batches() {
    let context = registered().await;
    let mut own = Vec::new();
    for _ in 0..3 {
        own.push(authorised(&context, "3").await.id);
    }
    let others = authorised(&context, "1").await.id;
    let (deleted, is_changed) = change(&context, "3", ClientChange::Delete).await.unwrap();
    assert_eq!((deleted.client.status, deleted.client.epoch, is_changed), (ClientStatus::Deleted, 1, true));
    for refused in [ClientChange::Enable, ClientChange::Disable, ClientChange::SetRoles(vec![TppRole::Aisp])] {
        assert!(matches!(change(&context, "3", refused).await, Err(ClientError::Deleted)));
    }
    let (again, is_changed) = change(&context, "3", ClientChange::Delete).await.unwrap();
    assert_eq!((again, is_changed), (deleted, false), "repeated, it changes nothing and enqueues no second job");
    let mut batches = 0;
    while end_consents_of_deleted_clients(&context).await.unwrap() > 0 {
        batches += 1;
    }
    assert_eq!(batches, 2, "all three, and a look for further ones");
    for (id, state, has_ended) in own.iter().map(|id| (id, ConsentState::Revoked(RevokedBy::Bank), true)).chain([(
        &others,
        ConsentState::Authorised,
        false,
    )]) {
        let (wanted, grant) = (id.clone(), format!("grant of {id}"));
        let read = move |tx: &mut dyn ServerTransaction| {
            Ok::<_, StoreError>((tx.consent_any_owner(&wanted)?.unwrap(), tx.grant(&grant.as_str().into())?.unwrap()))
        };
        let (consent, grant) = context.store.read(read).await.unwrap();
        assert_eq!((consent.state, grant.revoked_at.is_some()), (state, has_ended), "{id}");
    }
}

#[tokio::test]
async fn dcr_016_a_name_finds_the_client_that_took_the_place_of_a_deleted_one() {
    let context = registered().await;
    change(&context, "1", ClientChange::Delete).await.unwrap();
    let found = async |name: &str| find_client(&context.store, name, None).await.unwrap().client.id.to_string();
    assert_eq!((found("Shop Limited").await, found("1").await), ("2".to_owned(), "1".to_owned()));
    change(&context, "3", ClientChange::Delete).await.unwrap();
    assert_eq!(found("Bank").await, "3", "a deleted client is found where no other has the name");
}
