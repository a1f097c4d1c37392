//! The provider asks the customer on a device of theirs. Source: AS-142, AS-160, OpenID CIBA Core (poll mode).

use super::{NpmBank, NpmOptions};
use crate::harness::Engine;
use crate::identity::provider::{ACR, CLIENT, CLIENT_KEY, DETAILS};
use lombard_jose::SigningKey;
use lombard_oidc::{ClientTls, OidcProvider, OidcSettings};
use lombard_ports::identity::contract::sample_purposes;
use lombard_ports::identity::{
    AuthenticationFactor, AuthenticationPurpose, DecoupledLogin, DecoupledProgress, DecoupledRequest, LoginFailure,
    PendingDecoupledLogin,
};
use serde_json::json;
use std::time::Duration;

/// The package refuses authorisation details over the backchannel.
const WAY: NpmOptions = NpmOptions { takes_pushed: true, knows_details: false };

/// A provider that reaches customers by itself, and its client. The bank's server publishes the client's keys.
async fn provider() -> Option<(NpmBank, OidcProvider)> {
    let metadata = json!({
        "grant_types": ["authorization_code", "urn:openid:params:grant-type:ciba"],
        "backchannel_token_delivery_mode": "poll", "backchannel_authentication_request_signing_alg": "PS256",
    });
    let at = NpmBank::with(Engine::Sqlite, WAY.configuration(), &[], metadata).await?;
    let settings = OidcSettings {
        issuer: at.provider.issuer.clone(),
        client_id: CLIENT.to_owned(),
        redirect_uri: format!("{}/identity/callback", at.bank.endpoints().public),
        scopes: vec!["openid".to_owned()],
        acr_values: vec![ACR.to_owned()],
        max_age_secs: 0,
        customer_claim: "customer".to_owned(),
        details_type: DETAILS.to_owned(),
        timeout: Duration::from_secs(10),
        plain_loopback: true,
        decoupled: true,
    };
    let key = SigningKey::from_pkcs8_der(&CLIENT_KEY.pkcs8_der().unwrap()).unwrap();
    let client = OidcProvider::new(settings, key, ClientTls::default(), at.bank.clocks(), at.bank.ids()).unwrap();
    Some((at, client))
}

async fn ask(
    client: &dyn DecoupledLogin,
    customer: &str,
    purpose: &AuthenticationPurpose,
) -> Result<PendingDecoupledLogin, LoginFailure> {
    let customer = customer.into();
    client.start(&DecoupledRequest { customer: &customer, purpose, binding_message: None, expiry_secs: 300 }).await
}

#[tokio::test]
async fn as_142_a_customer_confirms_each_purpose_on_a_device_and_no_other() {
    let Some((mut at, client)) = provider().await else { return };
    let purposes = sample_purposes();
    for (number, purpose) in purposes.iter().enumerate() {
        let login = ask(&client, "amelia", purpose).await.unwrap();
        let progress = DecoupledLogin::poll(&client, &login.verification_state, purpose).await.unwrap();
        assert!(matches!(progress, DecoupledProgress::Pending(_)), "{progress:?}");
        at.provider.command("decide", json!({"approves": true})).await;
        let progress = DecoupledLogin::poll(&client, &login.verification_state, purpose).await.unwrap();
        let DecoupledProgress::Authenticated(customer) = progress else { panic!("{purpose:?}: {progress:?}") };
        assert_eq!(customer.psu.as_str(), "amelia");
        assert_eq!(customer.factors, [AuthenticationFactor::Knowledge, AuthenticationFactor::Possession]);

        let login = ask(&client, "amelia", purpose).await.unwrap();
        at.provider.command("decide", json!({"approves": true})).await;
        let other = &purposes[(number + 1) % purposes.len()];
        let judged = DecoupledLogin::poll(&client, &login.verification_state, other).await;
        assert!(matches!(judged, Err(LoginFailure::Refused(_))), "{purpose:?} is not {other:?}: {judged:?}");
    }
}

#[tokio::test]
async fn a_customer_refuses_on_a_device_and_nobody_is_asked_who_is_not_known() {
    let Some((mut at, client)) = provider().await else { return };
    let login = ask(&client, "amelia", &AuthenticationPurpose::Login).await.unwrap();
    at.provider.command("decide", json!({"approves": false})).await;
    let judged = DecoupledLogin::poll(&client, &login.verification_state, &AuthenticationPurpose::Login).await;
    assert!(matches!(judged, Err(LoginFailure::Cancelled)), "{judged:?}");
    let nobody = ask(&client, "nobody", &AuthenticationPurpose::Login).await;
    assert!(matches!(nobody, Err(LoginFailure::Refused(_))), "{nobody:?}");
}
