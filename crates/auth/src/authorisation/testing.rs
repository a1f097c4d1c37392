//! The fixture of the tests of authorisation: two clients, a headless client, and a bank with three customers.
#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]

use super::rules::RawRequest;
use super::{AuthorisationReply, Redirect, handle_authorisation_request};
pub(crate) use crate::testing::ISSUER;
use crate::{AuthSettings, AuthorisationServer, HeadlessSettings};
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::{Account, AccountIdentification, AccountScheme};
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::consent::{AccountAccess, Consent, ConsentDraft, ConsentRequest, Permission};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, JourneyId, PsuId, UploadId};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::file::{FileInitiation, FileLine, FilePayee, FileTotals, FileType, UploadedFile};
use lombard_domain::payment::order::{Instruction, PaymentConsentRequest, PaymentDraft, RequestForm};
use lombard_domain::payment::transfer::{
    CreditorDetails, NamedAccount, PaymentConditions, References, Timing, Transfer,
};
use lombard_domain::payment::vrp::{
    AuthenticationMethod, CalendarPeriod, ControlParameters, PeriodCycle, PeriodicLimit, PeriodicLimits,
    VrpConsentRequest, VrpType,
};
use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_jose::{JoseHeader, KeySet, SigningKey, sign_compact};
use lombard_ports::bank::{StubBank, sample_account};
use lombard_ports::clock::ManualClock;
use lombard_ports::identity::{
    AuthenticationFactor, AuthenticationPurpose, Challenge, IdentityError, IdentityProvider, LoginMethod, PageLogin,
    Person,
};
use lombard_ports::store::{NewUpload, StoreError};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

pub(crate) const REDIRECT_URI: &str = "https://tpp.test:8445/callback";
pub(crate) const CODE: &str = "246810";
const ACCOUNTS: &str = "openid accounts";
const PAYMENTS: &str = "openid payments";

/// The key of `acme`; shared, because generating a key is slow.
pub(crate) static ACME_KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());
pub(crate) static RIVAL_KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());

/// A sterling account whose number comes from the last digit of its id.
fn account(id: BankAccountId) -> Account {
    let digit = id.as_str().chars().last().unwrap();
    Account {
        nickname: Some("Everyday".into()),
        identifications: vec![sort_code(&format!("2000001234567{digit}"))],
        ..sample_account(id)
    }
}

pub(crate) fn sort_code(number: &str) -> AccountIdentification {
    AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number)
}

/// A consent request to pay one pound to the waterworks at once.
pub(crate) fn one_pound() -> PaymentConsentRequest {
    PaymentConsentRequest::new(Transfer::domestic(
        CreditorDetails::new(NamedAccount::under_name(sort_code("08080021325698"), "Waterworks".into())),
        Amount::from_minor(100, Currency::GBP),
        Timing::Immediate,
    ))
}

/// A VRP consent request: up to one pound per payment to the waterworks, and five pounds a month.
pub(crate) fn within_limits() -> PaymentConsentRequest {
    let one = one_pound();
    let pounds = |pence| Amount::from_minor(pence, Currency::GBP);
    let month = PeriodicLimit { cycle: PeriodCycle::Calendar(CalendarPeriod::Month), amount: pounds(500) };
    let controls = ControlParameters {
        valid_from: None,
        valid_to: None,
        individual: pounds(100),
        limits: PeriodicLimits::new(vec![month]).unwrap(),
        types: VrpType::USUAL.into(),
        methods: AuthenticationMethod::ALL.into(),
        interactions: [].into(),
    };
    let creditor = one.instruction.creditor().cloned();
    let terms = VrpConsentRequest { controls, creditor, address: None, references: References::default() };
    PaymentConsentRequest { instruction: Instruction::Vrp(Box::new(terms)), ..one }
}

/// A consent request for a payment file.
pub(crate) fn of_file() -> PaymentConsentRequest {
    let terms = FileInitiation::new(FileType::Pain001, Digest([7; 32]));
    PaymentConsentRequest { instruction: Instruction::File(Box::new(terms)), ..one_pound() }
}

/// File lines that each pay one pound to the waterworks.
fn lines(count: u32) -> Vec<FileLine> {
    let creditor = one_pound().instruction.creditor().cloned().unwrap();
    let line = |number| FileLine {
        number,
        amount: Amount::from_minor(100, Currency::GBP),
        references: References::default(),
        instrument: None,
        debtor: None,
        execute_on: None,
        payee: Ok(FilePayee { creditor: creditor.clone(), address: None }),
        details: None,
    };
    (1..=count).map(line).collect()
}

/// An identity provider whose passwords equal the names. The one-time code is constant, except for payments.
#[derive(Debug, Default)]
struct FakeIdentity {
    is_down: Arc<AtomicBool>,
}

#[async_trait]
impl PageLogin for FakeIdentity {
    async fn check_password(&self, login: &str, password: &str) -> Result<Option<Person>, IdentityError> {
        let known = ["amelia", "bashir", "chloe", "esther"].contains(&login) && login == password;
        Ok(known.then(|| Person { psu: login.into(), name: login.to_uppercase() }))
    }
    async fn request_code(
        &self,
        _: &PsuId,
        _: &JourneyId,
        to: &AuthenticationPurpose,
    ) -> Result<Challenge, IdentityError> {
        Ok(Challenge { sent_to: "a test".into(), shown_code: Some(code_for(to)) })
    }
    async fn check_code(
        &self,
        _: &PsuId,
        _: &JourneyId,
        to: &AuthenticationPurpose,
        code: &str,
    ) -> Result<Option<Vec<AuthenticationFactor>>, IdentityError> {
        if self.is_down.load(Ordering::Relaxed) {
            return Err(IdentityError("it is down".into()));
        }
        Ok((code == code_for(to)).then(|| vec![AuthenticationFactor::Knowledge, AuthenticationFactor::Possession]))
    }
    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError> {
        Ok(vec![("amelia".into(), "two accounts".into())])
    }
}

#[async_trait]
impl IdentityProvider for FakeIdentity {
    fn login_method(&self) -> LoginMethod<'_> {
        LoginMethod::Pages(self)
    }
    async fn find_person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError> {
        Ok(Some(Person { psu: psu.clone(), name: psu.as_str().to_uppercase() }))
    }
}

/// The one-time code for a purpose; the code of a payment contains its amount.
fn code_for(purpose: &AuthenticationPurpose) -> String {
    match purpose {
        AuthenticationPurpose::Login => CODE.to_owned(),
        AuthenticationPurpose::Payment { amount, payee }
        | AuthenticationPurpose::DevicePayment { amount, payee, .. } => {
            format!("{} to {}", amount.decimal(), payee.holder_name())
        }
        AuthenticationPurpose::File { file, .. } => format!("file {:?}", file.0),
        AuthenticationPurpose::Vrp { most, .. } => format!("{} at most", most.decimal()),
    }
}

pub(crate) struct World {
    pub auth: AuthorisationServer,
    pub clock: ManualClock,
    pub bank: Arc<StubBank>,
    /// Whether the check of one-time codes fails.
    pub identity_is_down: Arc<AtomicBool>,
    drawn: AtomicU64,
}

impl World {
    /// A world with the clients `acme`, `rival` and `robot` (headless as amelia).
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A world with changed settings.
    pub(crate) async fn with(change: impl FnOnce(&mut AuthSettings)) -> Self {
        let held = [("amelia", "acc-1"), ("amelia", "acc-2"), ("bashir", "acc-3")];
        let bank = Arc::new(StubBank::with_accounts(held.map(|(psu, id)| (psu.into(), account(id.into())))));
        let crate::testing::World { mut auth, clock, .. } = crate::testing::World::new().await;
        let mut settings = AuthSettings { headless: Some(HeadlessSettings::default()), ..(*auth.settings).clone() };
        change(&mut settings);
        auth.context.bank = bank.clone();
        let identity_is_down = Arc::new(AtomicBool::new(false));
        auth.identity = Arc::new(FakeIdentity { is_down: identity_is_down.clone() });
        auth.settings = Arc::new(settings);
        let world = Self { auth, clock, bank, identity_is_down, drawn: AtomicU64::new(0) };
        world.register(client("acme", &ACME_KEY)).await;
        world.register(client("rival", &RIVAL_KEY)).await;
        world.register(Client { headless: Some("amelia".into()), ..client("robot", &ACME_KEY) }).await;
        world
    }

    pub(crate) async fn register(&self, client: Client) {
        self.auth.context.store.write(move |tx| tx.client_insert(&client)).await.unwrap();
    }

    /// Closes one account of a customer, or all of them.
    pub(crate) fn close(&self, psu: &str, account: Option<&str>) {
        let closes = |id: &BankAccountId| account.is_none_or(|account| id.as_str() == account);
        self.bank.close_accounts(|holder, id| holder.as_str() == psu && closes(id));
    }

    /// A consent of a client, awaiting authorisation.
    pub(crate) async fn consent(&self, client: &str) -> ConsentId {
        self.consent_until(client, None).await
    }

    pub(crate) async fn consent_until(&self, client: &str, expires_at: Option<Timestamp>) -> ConsentId {
        let draft = ConsentDraft {
            request: ConsentRequest::AccountAccess(AccountAccess {
                permissions: [Permission::ReadAccountsBasic].into_iter().collect(),
                transactions_from: None,
                transactions_to: None,
            }),
            expires_at,
            submitted: Submitted { version: Version::V3_1, json: "{}".into() },
        };
        lombard_service::consents::create_consent(&self.auth.context, &client.into(), draft).await.unwrap().id
    }

    /// A consent of a client to a payment, awaiting authorisation.
    pub(crate) async fn payment(&self, client: &str, terms: PaymentConsentRequest) -> ConsentId {
        self.payment_under(client, terms, PaymentConditions::default()).await
    }

    /// As [`payment`](Self::payment), under conditions of the bank.
    pub(crate) async fn payment_under(
        &self,
        client: &str,
        terms: PaymentConsentRequest,
        conditions: PaymentConditions,
    ) -> ConsentId {
        let number = self.drawn.fetch_add(1, Ordering::SeqCst);
        let submitted = Submitted { version: Version::V3_1, json: "{}".into() };
        let draft = PaymentDraft { terms, form: RequestForm::default(), submitted }.into_consent_draft(conditions);
        let now = self.auth.context.clocks.bank_now();
        let consent = draft.into_consent(format!("payment-{number}").into(), client.into(), now);
        let id = consent.id.clone();
        self.auth.context.store.write(move |tx| tx.consent_insert(&consent)).await.unwrap();
        id
    }

    /// Uploads the file of a consent, with this many payments.
    pub(crate) async fn upload(&self, consent: &ConsentId, count: u32) {
        let (lines, now) = (lines(count), self.auth.context.clocks.bank_now());
        let mut totals = FileTotals::default();
        lines.iter().for_each(|line| totals.add(line).unwrap());
        let id = UploadId::new(format!("upload-of-{consent}"));
        let file = UploadedFile { id: id.clone(), media_type: "text/xml".into(), bytes: 1, totals };
        let mut uploaded = self.stored(consent).await;
        uploaded.attach_file(file, now).unwrap();
        let (client, consent) = (uploaded.client.clone(), consent.clone());
        let upload = NewUpload { id: id.clone(), client, consent, bytes_max: 1 };
        let write = self.auth.context.store.write::<_, StoreError, _>(move |tx| {
            tx.upload_begin(&upload, now)?;
            tx.file_lines_append(&id, &lines)?;
            tx.upload_attach(&id, 1)?;
            tx.consent_update(&uploaded)
        });
        write.await.unwrap();
    }

    /// The claims of a good request about a payment.
    pub(crate) fn payment_claims(&self, client: &str, consent: &ConsentId) -> Value {
        let mut claims = self.claims(client, consent);
        claims["scope"] = json!(PAYMENTS);
        claims
    }

    /// Reads the consent.
    pub(crate) async fn stored(&self, id: &ConsentId) -> Consent {
        let id = id.clone();
        self.auth.context.store.read(move |tx| tx.consent_any_owner(&id)).await.unwrap().unwrap()
    }

    /// The claims of a valid request, with a new `jti` and nonce.
    pub(crate) fn claims(&self, client: &str, consent: &ConsentId) -> Value {
        let now = self.clock_seconds();
        let number = self.drawn.fetch_add(1, Ordering::SeqCst);
        json!({
            "iss": client, "aud": ISSUER, "client_id": client, "response_type": "code id_token",
            "redirect_uri": REDIRECT_URI, "scope": "openid accounts",
            "state": format!("state-{number}"), "nonce": format!("nonce-{number}"), "jti": format!("jti-{number}"),
            "nbf": now, "iat": now, "exp": now + 600,
            "claims": {"id_token": {
                "openbanking_intent_id": {"essential": true, "value": consent.as_str()},
                "acr": {"essential": true, "values": ["urn:openbanking:psd2:sca", "urn:openbanking:psd2:ca"]},
            }},
        })
    }

    pub(crate) fn clock_seconds(&self) -> i64 {
        self.auth.context.clocks.wall_now().as_second()
    }

    /// Sends a request with these claims, signed by the client's own key.
    pub(crate) async fn ask(&self, client: &str, claims: &Value) -> AuthorisationReply {
        let scope = if claims["scope"] == PAYMENTS { PAYMENTS } else { ACCOUNTS };
        handle_authorisation_request(&self.auth, &raw_for(scope, client, &signed(key_of(client), claims), &[])).await
    }

    /// Sends a request that must end in a redirect to the client.
    pub(crate) async fn answer(&self, client: &str, claims: &Value) -> Answer {
        match self.ask(client, claims).await {
            AuthorisationReply::Redirect(redirect) => Answer::read(&redirect),
            other => panic!("not answered: {other:?}"),
        }
    }
}

fn key_of(client: &str) -> &'static SigningKey {
    if client == "rival" { &RIVAL_KEY } else { &ACME_KEY }
}

pub(crate) fn client(id: &str, key: &SigningKey) -> Client {
    Client {
        id: ClientId::from(id),
        status: ClientStatus::Active,
        org_id: "0015800001041RHAAY".into(),
        org_name: format!("{id} Ltd"),
        software_id: "software".into(),
        software_name: id.to_owned(),
        on_behalf_of: None,
        roles: vec![TppRole::Aisp, TppRole::Pisp],
        redirect_uris: vec![REDIRECT_URI.into(), "https://bank.example/portal/callback".into()],
        authentication: ClientAuthentication::PrivateKeyJwt,
        jwks: Jwks::Local([key.public().clone()].into_iter().collect::<KeySet>().to_json()),
        software_statement: String::new(),
        backchannel: None,
        registration: None,
        profile: SecurityProfile::Fapi1Advanced,
        signed_messages: SignedMessages::default(),
        headless: None,
        created_at: Timestamp::UNIX_EPOCH,
        epoch: 0,
    }
}

/// Signs claims as a request object.
pub(crate) fn signed(key: &SigningKey, claims: &Value) -> String {
    sign_compact(key, &JoseHeader::ps256(key.id()), claims.to_string().as_bytes()).unwrap()
}

/// A request with this object and additional parameters.
pub(crate) fn raw(client: &str, object: &str, more: &[(&str, &str)]) -> RawRequest {
    raw_for(ACCOUNTS, client, object, more)
}

fn raw_for(scope: &str, client: &str, object: &str, more: &[(&str, &str)]) -> RawRequest {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("client_id", client).append_pair("response_type", "code id_token");
    form.append_pair("scope", scope).append_pair("request", object);
    RawRequest { encoded: form.extend_pairs(more).finish() }
}

/// The response parameters that a client reads from its redirect URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub address: String,
    pub parameters: Vec<(String, String)>,
}

impl Answer {
    pub(crate) fn read(redirect: &Redirect) -> Self {
        let (address, fragment) = redirect.location.split_once('#').unwrap();
        let parameters = url::form_urlencoded::parse(fragment.as_bytes()).into_owned().collect();
        Self { address: address.to_owned(), parameters }
    }

    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn error(&self) -> Option<&str> {
        self.value("error")
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.parameters.iter().map(|(name, _)| name.as_str()).collect()
    }
}
