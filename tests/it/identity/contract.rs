//! The client of an OpenID provider keeps the contract of identity providers.

use super::provider::{ACR, CLIENT, CLIENT_KEY, Provider};
use crate::harness::SeededEntropy;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::ids::{JourneyId, PsuId};
use lombard_jose::SigningKey;
use lombard_oidc::{ClientTls, OidcProvider, OidcSettings};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::IdGenerator;
use lombard_ports::identity::contract::{IdentityUnderTest, check_identity_provider};
use lombard_ports::identity::{
    AuthenticationFactor, AuthenticationPurpose, AuthenticationRequest, LoginFailure, ProviderAnswer, RedirectLogin,
};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

const NOW: i64 = 1_800_000_000;

struct AtProvider {
    provider: Provider,
    client: OidcProvider,
    /// What the server would keep with each journey.
    memories: Mutex<HashMap<JourneyId, String>>,
}

impl AtProvider {
    async fn new(is_plain: bool) -> Self {
        let provider = Provider::start(NOW).await;
        if is_plain {
            provider.be_plain();
        }
        let settings = OidcSettings {
            issuer: provider.issuer.clone(),
            client_id: CLIENT.to_owned(),
            redirect_uri: "https://bank.test/identity/callback".to_owned(),
            scopes: vec!["openid".to_owned()],
            acr_values: vec![ACR.to_owned()],
            max_age_secs: 0,
            customer_claim: "customer".to_owned(),
            details_type: super::provider::DETAILS.to_owned(),
            decoupled: false,
            timeout: Duration::from_secs(10),
            plain_loopback: true,
        };
        let clocks = Clocks::new(Arc::new(ManualClock::starting_at(Timestamp::from_second(NOW).unwrap())));
        let ids = IdGenerator::new(Arc::new(SeededEntropy::of_test("identity contract")), clocks.clone());
        let key = SigningKey::from_pkcs8_der(&CLIENT_KEY.pkcs8_der().unwrap()).unwrap();
        let client = OidcProvider::new(settings, key, ClientTls::default(), clocks, ids).unwrap();
        Self { provider, client, memories: Mutex::default() }
    }
}

#[async_trait]
impl IdentityUnderTest for AtProvider {
    async fn authenticate(&self, journey: &JourneyId, purpose: &AuthenticationPurpose) -> String {
        // The provider of these tests asks for a state as long as the server's.
        let state = format!("{:0>43}", journey.as_str());
        let request = AuthenticationRequest { state: &state, purpose, hint: None };
        let started = self.client.start(&request).await.unwrap();
        self.memories.lock().insert(journey.clone(), started.verification_state);
        self.provider.log_in(&started.location, "amelia").parameter("code").to_owned()
    }

    async fn verify_proof(
        &self,
        journey: &JourneyId,
        purpose: &AuthenticationPurpose,
        proof: &str,
    ) -> Option<(PsuId, Vec<AuthenticationFactor>)> {
        let memory = self.memories.lock().get(journey).cloned().unwrap();
        let issuer = Some(self.provider.issuer.clone());
        let answer = ProviderAnswer { code: Some(proof.to_owned()), error: None, issuer };
        match self.client.finish(&memory, purpose, &answer).await {
            Ok(customer) => Some((customer.psu, customer.factors)),
            Err(LoginFailure::Refused(_)) => None,
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn as_142_an_openid_provider_keeps_the_contract_of_identity_providers() {
    for is_plain in [false, true] {
        check_identity_provider(&AtProvider::new(is_plain).await, &"amelia".into()).await;
    }
}
