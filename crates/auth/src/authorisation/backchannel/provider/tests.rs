//! The state of a request after each answer of the customer's device, and after failures.
#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]
use super::*;
use crate::authorisation::AuthorisationReply;
use crate::authorisation::backchannel::{BackchannelResponse, start_backchannel};
use crate::authorisation::testing::{ACME_KEY, ISSUER, World, client, one_pound, signed, sort_code};
use crate::clients::{ClientRequest, authenticate_client};
use crate::endpoints::OAuthEndpoint;
use crate::error::OAuthErrorCode;
use crate::testing::{Leaf, Tpp};
use async_trait::async_trait;
use lombard_domain::backchannel::{BackchannelDelivery, BackchannelState};
use lombard_domain::consent::{ConsentState, SelectedAccount};
use lombard_domain::grant::Digest;
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::order::PaymentConsentRequest;
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};
use lombard_ports::bank::PaymentCall;
use lombard_ports::identity::{
    CustomerHint, HintedCustomer, IdentityError, IdentityProvider, LoginMethod, PendingDecoupledLogin, Person,
    StubIdentity,
};
use parking_lot::Mutex;
use serde_json::json;
use std::collections::VecDeque;
use std::sync::Arc;

type Progress = Result<DecoupledProgress, LoginFailure>;

/// The next answers of the provider, and the calls that it received.
#[derive(Debug, Default)]
struct Script {
    starts: VecDeque<LoginFailure>,
    polls: VecDeque<Progress>,
    /// The customers who were asked.
    started: Vec<String>,
    expiries: Vec<i64>,
    /// The values with which the provider was polled.
    polled: Vec<String>,
}

/// A provider that reaches customers on devices, by a script. Logins without a script begin, and stay pending.
#[derive(Debug, Default)]
struct Device {
    pages: StubIdentity,
    script: Mutex<Script>,
}

fn pending(memory: &str, interval_secs: i64) -> PendingDecoupledLogin {
    PendingDecoupledLogin { verification_state: memory.to_owned(), interval_secs }
}

#[async_trait]
impl DecoupledLogin for Device {
    async fn start(&self, request: &DecoupledRequest<'_>) -> Result<PendingDecoupledLogin, LoginFailure> {
        let mut script = self.script.lock();
        script.started.push(request.customer.as_str().to_owned());
        script.expiries.push(request.expiry_secs);
        script.starts.pop_front().map_or_else(|| Ok(pending("first", 5)), Err)
    }

    async fn poll(&self, memory: &str, _: &AuthenticationPurpose) -> Progress {
        let mut script = self.script.lock();
        script.polled.push(memory.to_owned());
        script.polls.pop_front().unwrap_or_else(|| Ok(DecoupledProgress::Pending(pending(memory, 5))))
    }
}

#[async_trait]
impl IdentityProvider for Device {
    fn login_method(&self) -> LoginMethod<'_> {
        LoginMethod::Pages(&self.pages)
    }

    fn decoupled_login(&self) -> Option<&dyn DecoupledLogin> {
        Some(self)
    }

    async fn find_person(&self, _: &PsuId) -> Result<Option<Person>, IdentityError> {
        Ok(None)
    }

    async fn find_hinted(&self, hint: &CustomerHint) -> Result<HintedCustomer, IdentityError> {
        let CustomerHint::Sub(id) = hint else { return Ok(HintedCustomer::Unsupported) };
        Ok(HintedCustomer::Known(PsuId::new(id.as_str())))
    }
}

/// A bank whose provider has devices, and two shops that ask over the backchannel.
struct Shops {
    world: World,
    device: Arc<Device>,
}

impl Shops {
    async fn open() -> Self {
        let (mut world, device) = (World::new().await, Arc::new(Device::default()));
        world.auth.identity = device.clone();
        for id in ["shop", "store"] {
            let polling = Client { backchannel: Some(BackchannelDelivery::Poll), ..client(id, &ACME_KEY) };
            world.register(polling).await;
        }
        Self { world, device }
    }

    /// A shop asks a customer to pay a pound from an account of amelia's.
    async fn ask(&self, shop: &str, customer: &str) -> (ConsentId, Digest) {
        let (consent, response) = self.try_ask(shop, customer).await;
        (consent, lombard_jose::sha256(response.unwrap().auth_req_id.as_bytes()))
    }

    async fn try_ask(&self, shop: &str, customer: &str) -> (ConsentId, Result<BackchannelResponse, OAuthError>) {
        let payment = PaymentConsentRequest { debtor: Some(sort_code("20000012345671")), ..one_pound() };
        let consent = self.world.payment(shop, payment).await;
        let response = self.request(shop, customer, "payments", &consent).await;
        (consent, response)
    }

    /// A shop asks a customer to authorise a consent.
    async fn request(
        &self,
        shop: &str,
        customer: &str,
        scope: &str,
        consent: &ConsentId,
    ) -> Result<BackchannelResponse, OAuthError> {
        let ids = &self.world.auth.context.ids;
        let (now, jti) = (self.world.clock_seconds(), || lombard_jose::base64url(&ids.random_secret()));
        let part = |value: serde_json::Value| lombard_jose::base64url(value.to_string().as_bytes());
        let hint = format!("{}.{}.", part(json!({"alg": "none"})), part(json!({"sub": customer})));
        let request = json!({
            "iss": shop, "aud": ISSUER, "iat": now, "nbf": now, "exp": now + 60, "jti": jti(),
            "scope": format!("openid {scope}"),
            "openbanking-intent-id": consent.as_str(), "login_hint_token": hint,
        });
        let assertion = json!({"iss": shop, "sub": shop, "aud": ISSUER, "exp": now + 60, "jti": jti()});
        let form = Tpp::form_with(&signed(&ACME_KEY, &assertion), &[("request", &signed(&ACME_KEY, &request))]);
        let certificate = Leaf::obwac("0015800001041RHAAY").certificate();
        let endpoint = OAuthEndpoint::BackchannelAuthentication;
        let call =
            ClientRequest { endpoint, form: &form, authorization_header: false, certificate: Some(&certificate) };
        let authenticated = authenticate_client(&self.world.auth, &call).await.unwrap();
        Box::pin(start_backchannel(&self.world.auth, authenticated, &form)).await
    }

    /// The shop takes its request back by a redirect for the same consent.
    async fn take_back(&self, shop: &str, consent: &ConsentId) {
        let claims = self.world.payment_claims(shop, consent);
        assert!(matches!(self.world.ask(shop, &claims).await, AuthorisationReply::Journey(_)));
    }

    /// Lets time pass and runs the due jobs.
    async fn after(&self, secs: i64) {
        self.world.clock.advance(SignedDuration::from_secs(secs));
        while advance_provider_logins(&self.world.auth).await.unwrap() > 0 {}
    }

    async fn row(&self, hash: Digest) -> BackchannelRequest {
        self.world.auth.context.store.read(move |tx| tx.backchannel_for_update(&hash)).await.unwrap().unwrap()
    }

    /// The states of a request and of its consent.
    async fn states(&self, (consent, hash): &(ConsentId, Digest)) -> (BackchannelState, ConsentState) {
        (self.row(*hash).await.state, self.world.stored(consent).await.state)
    }

    fn answer(&self, progress: Progress) {
        self.device.script.lock().polls.push_back(progress);
    }

    fn agree(&self) {
        let at = self.world.auth.context.clocks.wall_now();
        let factors = vec![AuthenticationFactor::Possession, AuthenticationFactor::Inherence];
        let customer = AuthenticatedCustomer { psu: "amelia".into(), name: Some("Amelia".to_owned()), at, factors };
        self.answer(Ok(DecoupledProgress::Authenticated(customer)));
    }

    fn started(&self) -> usize {
        self.device.script.lock().started.len()
    }
}

const WAITING: (BackchannelState, ConsentState) = (BackchannelState::Pending, ConsentState::AwaitingAuthorisation);

#[tokio::test]
async fn as_142_an_approval_outlives_a_bank_that_does_not_answer() {
    let shops = Shops::open().await;
    let asked = shops.ask("shop", "amelia").await;
    shops.after(0).await;
    shops.agree();
    shops.world.bank.payment_script().unavailable_calls.insert(PaymentCall::Payers);
    shops.after(5).await;
    shops.after(5).await;
    assert_eq!(shops.states(&asked).await, WAITING);
    let kept = shops.row(asked.1).await.provider_login.unwrap();
    assert!(!kept.contains("amelia") && lombard_jose::from_base64url(&kept).is_some(), "sealed: {kept}");
    shops.world.bank.payment_script().unavailable_calls.clear();
    shops.after(5).await;
    assert_eq!(shops.states(&asked).await, (BackchannelState::Authorised, ConsentState::Authorised));
    assert_eq!(shops.device.script.lock().polled.len(), 1, "the provider says it once");
    assert_eq!(shops.world.stored(&asked.0).await.authentication_factors.len(), 2);
}

#[tokio::test]
async fn as_160_what_nobody_answered_on_the_device_waits_on_the_pages() {
    let shops = Shops::open().await;
    let asked = shops.ask("shop", "amelia").await;
    shops.after(0).await;
    shops.answer(Ok(DecoupledProgress::Unanswered("expired")));
    shops.after(5).await;
    shops.after(60).await;
    assert_eq!(shops.states(&asked).await, WAITING);
    assert_eq!(shops.device.script.lock().polled.len(), 1);
}

#[tokio::test]
async fn as_160_the_provider_waits_for_as_long_as_the_request_does() {
    let shops = Shops::open().await;
    shops.ask("shop", "amelia").await;
    shops.world.clock.advance(SignedDuration::from_millis(1_500));
    shops.after(0).await;
    assert_eq!(shops.device.script.lock().expiries, [299], "298.5 seconds, rounded up");
}

#[tokio::test]
async fn as_160_a_login_is_begun_again_only_while_the_provider_was_not_reached() {
    let shops = Shops::open().await;
    let asked = shops.ask("shop", "amelia").await;
    let unreached = || LoginFailure::Unavailable(IdentityError("no connection".into()));
    shops.device.script.lock().starts.extend([unreached(), unreached(), unreached()]);
    for _ in 0..8 {
        shops.after(5).await;
    }
    assert_eq!((shops.started(), shops.states(&asked).await), (3, WAITING));

    shops.device.script.lock().starts.push_back(LoginFailure::Refused("an answer that cannot be read"));
    let asked = shops.ask("store", "amelia").await;
    for _ in 0..8 {
        shops.after(5).await;
    }
    assert_eq!((shops.started(), shops.states(&asked).await), (4, WAITING), "the customer may have been asked");
}

#[tokio::test]
async fn as_160_the_provider_is_polled_with_what_it_said_last() {
    let shops = Shops::open().await;
    shops.ask("shop", "amelia").await;
    shops.after(0).await;
    shops.answer(Ok(DecoupledProgress::Pending(pending("slower", 10))));
    for _ in 0..3 {
        shops.after(5).await;
    }
    assert_eq!(shops.device.script.lock().polled, ["first", "slower"]);
}

/// A device cannot show charges or the permissions of account access, so such consents are decided on pages, at first and at renewal.
#[tokio::test]
async fn as_142_a_consent_with_terms_a_device_cannot_show_is_decided_on_pages() {
    let shops = Shops::open().await;
    let world = &shops.world;
    let payment = PaymentConsentRequest { debtor: Some(sort_code("20000012345671")), ..one_pound() };
    let amount = payment.instruction.transfer().unwrap().amount;
    let charge = Charge { bearer: ChargeBearer::Debtor, kind: ChargeType::ChapsOut, amount };
    let charged = PaymentConditions { charges: vec![charge], ..PaymentConditions::default() };
    let charged = world.payment_under("shop", payment, charged).await;
    let (access, authorised) = (world.consent("shop").await, world.consent("shop").await);
    let (id, now) = (authorised.clone(), world.auth.context.clocks.bank_now());
    let authorise = move |tx: &mut dyn ServerTransaction| {
        let Owned::Mine(mut consent) = tx.consent_for_update(&"shop".into(), &id)? else { panic!("it is the shop's") };
        let account = SelectedAccount { account: "acc-1".into(), alias: "alias-1".into(), core_state: None };
        consent.authorise(&"amelia".into(), vec![account], now).unwrap();
        tx.consent_update(&consent)
    };
    world.auth.context.store.write::<_, StoreError, _>(authorise).await.unwrap();
    for (consent, scope) in [(&charged, "payments"), (&access, "accounts"), (&authorised, "accounts")] {
        let before = world.stored(consent).await;
        let response = shops.request("shop", "amelia", scope, consent).await.unwrap();
        let row = shops.row(lombard_jose::sha256(response.auth_req_id.as_bytes())).await;
        let client = world.auth.context.store.read::<_, StoreError, _>(|tx| tx.client(&"shop".into())).await.unwrap();
        assert_eq!(login_job(&world.auth, &client.unwrap(), &row, &before), None);
        shops.after(5).await;
        assert_eq!((shops.started(), world.stored(consent).await), (0, before), "{scope}");
    }
    shops.ask("shop", "amelia").await;
    shops.after(0).await;
    assert_eq!(shops.started(), 1, "without a charge a device shows all of it");
}

#[tokio::test]
async fn as_142_nobody_is_asked_to_pay_from_the_account_of_another() {
    let shops = Shops::open().await;
    let asked = shops.ask("shop", "bashir").await;
    shops.after(0).await;
    assert_eq!((shops.started(), shops.states(&asked).await), (0, WAITING));
}

#[tokio::test]
async fn as_160_withdrawn_requests_count_against_the_client_and_the_customer() {
    let shops = Shops::open().await;
    let mut reached = Vec::new();
    for shop in ["shop", "store"] {
        for _ in 0..7 {
            let before = shops.started();
            let (consent, _) = shops.ask(shop, "amelia").await;
            shops.after(1).await;
            shops.take_back(shop, &consent).await;
            reached.push(shops.started() - before);
        }
    }
    assert_eq!(reached, [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0]);
    let third = Client { backchannel: Some(BackchannelDelivery::Poll), ..client("till", &ACME_KEY) };
    shops.world.register(third).await;
    for (secs, reached) in [(1, 10), (600, 11)] {
        shops.after(secs).await;
        shops.ask("till", "amelia").await;
        shops.after(0).await;
        assert_eq!(shops.started(), reached, "ten of all clients within ten minutes");
    }
}

#[tokio::test]
async fn as_160_a_refused_client_does_not_reach_the_device_for_ten_minutes() {
    let shops = Shops::open().await;
    let refused = shops.ask("shop", "amelia").await;
    shops.after(0).await;
    shops.answer(Err(LoginFailure::Cancelled));
    shops.after(5).await;
    assert_eq!(shops.states(&refused).await, (BackchannelState::Denied, ConsentState::Rejected));
    let again = shops.ask("shop", "amelia").await;
    shops.after(0).await;
    assert_eq!((shops.started(), shops.states(&again).await), (1, WAITING), "it waits on the pages");
    shops.ask("store", "amelia").await;
    shops.after(0).await;
    assert_eq!(shops.started(), 2, "others are not held back");
    shops.after(601).await;
    shops.ask("shop", "amelia").await;
    shops.after(0).await;
    assert_eq!(shops.started(), 3);
}

#[tokio::test]
async fn as_160_a_client_has_a_thousand_live_requests_at_most() {
    let shops = Shops::open().await;
    let (_, first) = shops.ask("shop", "amelia").await;
    let row = shops.row(first).await;
    let others = (1..999_u16).map(|number| BackchannelRequest {
        hash: lombard_jose::sha256(&number.to_be_bytes()),
        id: BackchannelRequestId::new(format!("request-{number}")),
        psu: None,
        ..row.clone()
    });
    let others: Vec<_> = others.collect();
    let filled = move |tx: &mut dyn ServerTransaction| others.iter().try_for_each(|row| tx.backchannel_insert(row));
    shops.world.auth.context.store.write::<_, StoreError, _>(filled).await.unwrap();
    shops.ask("shop", "bashir").await;
    let (_, refused) = shops.try_ask("shop", "bashir").await;
    assert_eq!(refused.unwrap_err().code, OAuthErrorCode::AccessDenied);
    shops.ask("store", "bashir").await;
}
