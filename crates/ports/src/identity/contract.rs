//! The contract of every identity provider, whatever its login method.

use super::{AuthenticationFactor, AuthenticationPurpose, Requester};
use async_trait::async_trait;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{JourneyId, PsuId};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::transfer::NamedAccount;
use lombard_domain::payment::vrp::{LimitPeriod, PeriodCycle, PeriodicLimit};

/// A provider, with a customer in whose role the test acts.
#[async_trait]
pub trait IdentityUnderTest: Send + Sync {
    /// Authenticates the customer in this journey for this purpose. Returns the proof: a one-time code, or the code of the
    /// provider's answer.
    async fn authenticate(&self, journey: &JourneyId, purpose: &AuthenticationPurpose) -> String;

    /// The provider's result for a proof that is presented in this journey for this purpose: the customer and the factors.
    async fn verify_proof(
        &self,
        journey: &JourneyId,
        purpose: &AuthenticationPurpose,
        proof: &str,
    ) -> Option<(PsuId, Vec<AuthenticationFactor>)>;
}

/// A purpose of every kind, and others that differ from them only slightly.
pub fn sample_purposes() -> Vec<AuthenticationPurpose> {
    let pounds = |pence| Amount::from_minor(pence, Currency::GBP);
    let account = |number: &str| AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number);
    let payee = |number: &str| NamedAccount::under_name(account(number), "Waterworks".into());
    let on_device = |payer: &str, software: &str, on_behalf_of: Option<&str>| AuthenticationPurpose::DevicePayment {
        amount: pounds(100),
        payee: payee("08080021325698"),
        payer: account(payer),
        requester: Requester {
            software: software.to_owned(),
            organisation: "Shops Limited".to_owned(),
            on_behalf_of: on_behalf_of.map(str::to_owned),
        },
    };
    let limit = |pence| PeriodicLimit { cycle: PeriodCycle::Consent(LimitPeriod::Month), amount: pounds(pence) };
    let vrp = |limits, payee| AuthenticationPurpose::Vrp { most: pounds(100), limits, payee };
    vec![
        AuthenticationPurpose::Login,
        AuthenticationPurpose::Payment { amount: pounds(100), payee: payee("08080021325698") },
        AuthenticationPurpose::Payment { amount: pounds(101), payee: payee("08080021325698") },
        AuthenticationPurpose::Payment { amount: pounds(100), payee: payee("08080021325699") },
        on_device("20000319825731", "Shop", None),
        on_device("20000319825732", "Shop", None),
        on_device("20000319825731", "Other shop", None),
        on_device("20000319825731", "Shop", Some("Baker")),
        AuthenticationPurpose::File { totals: vec![pounds(100)], file: Digest([1; 32]) },
        AuthenticationPurpose::File { totals: vec![pounds(100)], file: Digest([2; 32]) },
        AuthenticationPurpose::File { totals: vec![pounds(101)], file: Digest([1; 32]) },
        vrp(vec![limit(500)], None),
        vrp(vec![limit(501)], None),
        vrp(vec![limit(500), limit(500)], None),
        vrp(vec![limit(500)], Some(payee("08080021325698"))),
    ]
}

/// Checks the promises: a proof names the customer, with two factors at least, in its journey and for its purpose, and in no other
/// journey and for no other purpose (AS-142).
///
/// # Panics
/// If a promise is broken.
#[allow(clippy::panic, reason = "a suite of tests")]
pub async fn check_identity_provider(provider: &dyn IdentityUnderTest, customer: &PsuId) {
    let purposes = sample_purposes();
    for (number, purpose) in purposes.iter().enumerate() {
        let own = JourneyId::new(format!("journey-{number}"));
        let other = JourneyId::new(format!("other-{number}"));
        // The other journey is in progress as well, for the same purpose.
        provider.authenticate(&other, purpose).await;
        let proof = provider.authenticate(&own, purpose).await;
        let found = provider.verify_proof(&own, purpose, &proof).await;
        let Some((psu, factors)) = found else { panic!("the proof is not accepted for {purpose:?}") };
        assert_eq!(psu, *customer);
        assert!(factors.len() >= 2, "strong customer authentication has two factors: {factors:?}");
        let proof = provider.authenticate(&own, purpose).await;
        assert_eq!(provider.verify_proof(&other, purpose, &proof).await, None, "of another journey, for {purpose:?}");
        for wrong in purposes.iter().filter(|wrong| *wrong != purpose) {
            let proof = provider.authenticate(&own, purpose).await;
            assert_eq!(provider.verify_proof(&own, wrong, &proof).await, None, "{purpose:?} is not {wrong:?}");
        }
    }
}
