//! The use-cases of payments over a real store and a bank that follows a script.

mod approvals;
mod consents;
mod execution;
mod expiry;
mod files;
mod idempotency;
mod international;
mod moved;
mod order_ids;
mod orders;
mod payees;
mod reconciliation;
mod reports;
mod support;
mod vrp;
mod vrp_migration;

use super::consents as asked;
use super::orders::{self as ordering, OrderSubmission};
use super::{IdempotentRequest, approvals as agreeing, execution as working, submission};
use crate::accounts::tests::full_account;
use crate::consents::{AuthorisedSelection, authorise_consent_in};
use crate::events::Outbox;
use crate::payments::PaymentSettings;
use crate::{Context, Failure};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{Account, AccountIdentification, AccountScheme, AccountSubType};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::event::{ResourceAddresses, ResourceType};
use lombard_domain::frequency::Frequency;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId, PsuId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{
    Instruction, Order, OrderDraft, OrderView, PaymentConsentRequest, PaymentDraft, PaymentStatus, RejectionReason,
    RequestForm, RequestedAuthorisationType, SummaryStatus,
};
use lombard_domain::payment::transfer::{
    AfterCutOffPolicy, CreditorDetails, CutOff, NamedAccount, PaymentConditions, References, Route, Schedule,
    ScheduleEnd, Timing, Transfer,
};
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Field, Refusal, RefusalKind};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version::{self, V3_1, V4_0};
use lombard_ports::bank::{OrderUpdate, PaymentCall, PaymentUpdate, StubBank};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use lombard_ports::store::{IdempotencyKey, OfferedEventForm, ReusableSignatures, StoreError};
use std::sync::Arc;

/// A Monday.
fn monday() -> Timestamp {
    "2026-03-02T10:00:00Z".parse().unwrap()
}

const DAY: SignedDuration = SignedDuration::from_hours(24);

fn acme() -> ClientId {
    ClientId::from("acme")
}

fn now() -> Timing {
    Timing::Immediate
}

fn on_wednesday() -> Timing {
    Timing::Scheduled(date(2026, 3, 4))
}

fn monthly() -> Timing {
    Timing::StandingOrder(Schedule {
        frequency: Frequency::IntervalMonthDay(1, 4),
        first_on: date(2026, 3, 4),
        recurring_from: None,
        end: ScheduleEnd::Open,
        regular: None,
        last: None,
    })
}

fn account(number: &str) -> AccountIdentification {
    AccountIdentification::new(AccountScheme::SortCodeAccountNumber, number)
}

/// One pound to the waterworks.
fn terms(timing: Timing) -> PaymentConsentRequest {
    PaymentConsentRequest::new(Transfer::domestic(
        CreditorDetails::new(NamedAccount::under_name(account("08080021325698"), "Waterworks".into())),
        Amount::from_minor(100, Currency::GBP),
        timing,
    ))
}

fn submitted(version: Version) -> Submitted {
    Submitted { version, json: "{}".into() }
}

fn draft(terms: PaymentConsentRequest) -> PaymentDraft {
    PaymentDraft { terms, form: RequestForm::default(), submitted: submitted(V3_1) }
}

/// A request of acme's under this key; its body digests to this byte.
fn once(operation: &str, key: &str, body: u8) -> IdempotentRequest {
    let key = IdempotencyKey { client: acme(), operation: operation.into(), key: key.into() };
    IdempotentRequest { key, body_digest: Digest([body; 32]) }
}

/// No differences between the order and its consent.
fn alike() -> Vec<Fault> {
    Vec::new()
}

fn different() -> Vec<Fault> {
    vec![Fault::new(FaultCode::ConsentMismatch, "Another amount than agreed.")]
}

fn ordered(consent: &Consent, differences: Vec<Fault>) -> OrderSubmission {
    let product = consent.request.payment().unwrap().terms.product();
    let draft = OrderDraft { consent: consent.id.clone(), submitted: submitted(V3_1), payment: None };
    OrderSubmission {
        product,
        endpoint_version: V3_1,
        payload_version: V3_1,
        draft,
        customer_address: None,
        differences,
    }
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Failure>) -> Refusal {
    match result {
        Err(Failure::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

fn codes<T: std::fmt::Debug>(result: Result<T, Failure>) -> Vec<FaultCode> {
    refusal(result).faults.into_iter().map(|fault| fault.code).collect()
}

fn account_of(sub_type: AccountSubType, id: &str, number: &str) -> Account {
    let mut account = Account { sub_type, ..full_account(id) };
    account.identifications.retain(|it| it.scheme == AccountScheme::SortCodeAccountNumber);
    account.identifications.iter_mut().for_each(|it| it.number = number.to_owned());
    account
}

/// A bank where amelia holds `b-1` and `b-2`, and both bashir and chloe must approve payments from `b-3`.
struct World {
    context: Context,
    clock: ManualClock,
    bank: Arc<StubBank>,
}

impl World {
    async fn new() -> Self {
        let numbered = |psu: &str, id: &str, number: &str| {
            (PsuId::from(psu), account_of(AccountSubType::CurrentAccount, id, number))
        };
        let bank = Arc::new(StubBank::with_accounts([
            numbered("amelia", "b-1", "80200110203341"),
            numbered("amelia", "b-2", "80200110203342"),
            numbered("bashir", "b-3", "80200110203343"),
        ]));
        let both = vec![PsuId::from("bashir"), PsuId::from("chloe")];
        bank.set_payer("b-3".into(), SignedAmount::from_minor(1_000, Currency::GBP), both);
        let clock = ManualClock::starting_at(monday());
        let clocks = Clocks::new(Arc::new(clock.clone()));
        let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), clocks.clone());
        let places = ResourceAddresses::new("https://bank.example", "https://mtls.bank.example/open-banking");
        let readable = ResourceType::ALL.iter().map(|kind| (*kind, V3_1)).collect();
        let context = Context {
            store: lombard_store::open_temporary_store().await.unwrap(),
            bank: Arc::clone(&bank) as _,
            outbox: Outbox::new(ResourceAddresses { readable, ..places }, ids.clone(), clocks.clone()),
            ids,
            clocks,
            alias_key: Arc::from(*b"a key of the tests"),
            call: Arc::default(),
            payments: PaymentSettings::default(),
        };
        Self { context, clock, bank }
    }

    /// The same bank, where amelia holds an account of each of these kinds, from `b-0` on, with these pence.
    async fn where_amelia_holds(accounts: &[(AccountSubType, i64)]) -> Self {
        let mut world = Self::new().await;
        let held = (0..).zip(accounts).map(|(at, (kind, pence))| {
            let id = format!("b-{at}");
            (account_of(*kind, &id, &format!("8020011020334{at}")), id, *pence)
        });
        let held: Vec<_> = held.collect();
        let accounts = held.iter().map(|(account, ..)| (PsuId::from("amelia"), account.clone()));
        world.bank = Arc::new(StubBank::with_accounts(accounts));
        for (_, id, pence) in held {
            let signatories = vec!["amelia".into()];
            world.bank.set_payer(id.as_str().into(), SignedAmount::from_minor(pence, Currency::GBP), signatories);
        }
        world.context.bank = Arc::clone(&world.bank) as _;
        world
    }

    fn bank_now(&self) -> Timestamp {
        self.context.clocks.bank_now()
    }

    async fn create(&self, terms: PaymentConsentRequest, key: &str) -> Result<Consent, Failure> {
        asked::create_payment_consent(&self.context, &acme(), draft(terms), once("consents", key, 1)).await
    }

    async fn choose(&self, consent: &Consent, psu: &str, account: &str) -> Option<AuthorisedSelection> {
        let payment = consent.request.payment().unwrap();
        asked::select_payer(&self.context, &psu.into(), payment, &account.into()).await.unwrap()
    }

    /// The customer authorises the consent and pays from this account.
    async fn agree(&self, consent: Consent, psu: &'static str, account: &str) -> Consent {
        let chosen = self.choose(&consent, psu, account).await.unwrap();
        let inside = self.context.clone();
        let authorise = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
            authorise_consent_in(tx, &inside, &consent, &psu.into(), &chosen).map_err(|_| StoreError::Contended)
        };
        self.context.store.write(authorise).await.unwrap()
    }

    /// A consent that amelia authorised.
    async fn authorised(&self, terms: PaymentConsentRequest, key: &str) -> Consent {
        let consent = self.create(terms, key).await.unwrap();
        self.agree(consent, "amelia", "b-1").await
    }

    async fn place(&self, consent: &Consent, key: &str) -> Result<OrderView, Failure> {
        ordering::create_order(&self.context, consent, ordered(consent, alike()), once("orders", key, 1)).await
    }

    /// A placed order of amelia's.
    async fn order(&self, terms: PaymentConsentRequest, key: &str) -> OrderView {
        let consent = self.authorised(terms, key).await;
        self.place(&consent, key).await.unwrap()
    }

    /// An order of bashir's that chloe must approve.
    async fn order_of_two(&self, terms: PaymentConsentRequest, key: &str) -> OrderView {
        let consent = self.create(terms, key).await.unwrap();
        let consent = self.agree(consent, "bashir", "b-3").await;
        self.place(&consent, key).await.unwrap()
    }

    async fn consent(&self, id: &ConsentId) -> Consent {
        let id = id.clone();
        let found = self.context.store.read(move |tx| tx.consent_any_owner(&id)).await.unwrap();
        found.unwrap()
    }

    async fn stored(&self, id: &OrderId) -> Order {
        let id = id.clone();
        let found = self.context.store.read(move |tx| tx.order_for_update(&id)).await.unwrap();
        found.unwrap()
    }

    async fn summary_status(&self, id: &OrderId) -> SummaryStatus {
        self.stored(id).await.summary_status()
    }

    /// The orders that the bank has received.
    fn at_bank(&self) -> Vec<OrderId> {
        self.bank.payment_script().orders.iter().map(|order| order.id.clone()).collect()
    }

    /// Adds a status update of an order at the bank.
    fn tell(&self, order: &OrderId, what: OrderUpdate) {
        self.bank.payment_script().push_update(order, self.bank_now(), what);
    }

    /// Adds an update of a payment's status at the bank.
    fn pay(&self, order: &OrderId, number: u32, status: PaymentStatus) {
        let reason = (status == PaymentStatus::Rejected).then_some(RejectionReason::InsufficientFunds);
        let day = date(2026, 3, 4);
        let amount = Amount::from_minor(100, Currency::GBP);
        let update = PaymentUpdate { number, due_on: day, paid_on: day, amount, status, reason, detail: None };
        self.tell(order, OrderUpdate::PaymentChanged(update));
    }

    /// The number of events about this resource in acme's queue; each event is returned only once.
    async fn told(&self, resource: &str) -> usize {
        let waiting = self
            .context
            .store
            .read(|tx| tx.events_waiting(&acme(), None, &ReusableSignatures::default(), 1_000))
            .await
            .unwrap();
        let is_about = |form: &OfferedEventForm| match form {
            OfferedEventForm::Unsigned(event) => event.claims.resource_id == resource,
            OfferedEventForm::Signed(_) => false,
        };
        let about: Vec<_> = waiting.into_iter().filter(|it| is_about(&it.form)).map(|it| it.id).collect();
        let (count, now) = (about.len(), self.bank_now());
        self.context.store.write(move |tx| tx.events_acknowledge(&acme(), &about, now)).await.unwrap();
        count
    }
}
