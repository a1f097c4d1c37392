//! Payments at the built-in bank, from the order to the payee.

mod days;
mod exchange;
mod immediate;
mod international;
mod late;
mod outcomes;
mod payee;
mod properties;
mod sets;
mod stored;
mod terms;
mod warehoused;

use super::execution::OrderExecution;
use super::*;
use crate::bank::BuiltInBank;
use crate::booking::{self, JournalLine};
use crate::channel::Channel;
use crate::entry;
use crate::market::ExchangeMarket;
use crate::scheduler::BankScheduler;
use crate::storage::{BankAccountRecord, BankStore, BankTransaction as Tables, Customer, OrderAtBank};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, AccountStatus, AccountSubType, EntryStatus, Transaction,
};
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::page::ListWindow;
use lombard_domain::payment::exchange::{ConversionRate, CurrencyPair, ExchangeRateRequest};
use lombard_domain::payment::order::{PaymentConsentRequest, PaymentStatus, RejectionReason};
use lombard_domain::payment::transfer::{
    CreditorDetails, Instrument, NamedAccount, PaymentConditions, References, Route, Timing, Transfer,
};
use lombard_ports::bank::{
    Bank, CallContext, EntryFilter, OrderUpdate, PaymentBank, PaymentOrder, PaymentUpdate, StatusUpdate, sample_account,
};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::controls::OrderOutcome;
use lombard_ports::store::StoreError;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The opening balance of every account in minor units.
const OPENING: i64 = 500_000;

/// Noon on a Wednesday in winter.
fn noon() -> Timestamp {
    "2026-02-25T12:00:00Z".parse().unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A bank with a few accounts; the test moves the bank's clock.
struct World {
    store: BankStore,
    clock: ManualClock,
    clocks: Clocks,
    bank: BuiltInBank,
    scheduler: BankScheduler,
}

/// The accounts of the world, by id, kind and holder. "ann" pays, "bob" is paid, "gone" is closed and "eve" has foreign currency.
const ACCOUNTS: [(&str, AccountSubType, &str, AccountStatus); 9] = [
    ("ann", AccountSubType::CurrentAccount, "ann", AccountStatus::Enabled),
    ("ann-card", AccountSubType::CreditCard, "ann", AccountStatus::Enabled),
    ("ann-loan", AccountSubType::Loan, "ann", AccountStatus::Enabled),
    ("bob", AccountSubType::Savings, "bob", AccountStatus::Enabled),
    ("gone", AccountSubType::CurrentAccount, "bob", AccountStatus::Deleted),
    ("barred", AccountSubType::CurrentAccount, "ann", AccountStatus::Disabled),
    ("euros", AccountSubType::CurrentAccount, "eve", AccountStatus::Enabled),
    ("dollars", AccountSubType::CurrentAccount, "eve", AccountStatus::Enabled),
    ("more-euros", AccountSubType::CurrentAccount, "bob", AccountStatus::Enabled),
];

fn currency_of(id: &str) -> Currency {
    match id {
        "euros" | "more-euros" => Currency::EUR,
        "dollars" => Currency::USD,
        _ => Currency::GBP,
    }
}

fn number_of(id: &str) -> AccountIdentification {
    let index = ACCOUNTS.iter().position(|(known, ..)| *known == id).unwrap();
    let scheme = if id == "ann-card" { AccountScheme::Pan } else { AccountScheme::SortCodeAccountNumber };
    let number = if id == "ann-card" { "4111111111111111".to_owned() } else { format!("0807060000000{index}") };
    AccountIdentification { name: Some(format!("Holder of {id}")), ..AccountIdentification::new(scheme, number) }
}

fn record(id: &str, sub_type: AccountSubType, holder: &str, status: AccountStatus) -> BankAccountRecord {
    BankAccountRecord {
        account: Account {
            status,
            currency: currency_of(id),
            sub_type,
            identifications: vec![number_of(id)],
            ..sample_account(id)
        },
        holders: vec![holder.into()],
        eligible: true,
        credit_limit: 0,
        authorisers: 1,
    }
}

async fn world() -> World {
    world_at(noon()).await
}

async fn world_at(now: Timestamp) -> World {
    world_on(crate::open_temporary_store().await.unwrap(), now).await
}

async fn world_on(store: BankStore, now: Timestamp) -> World {
    let customer = |psu: &str| Customer { psu: psu.into(), name: psu.to_owned(), about: String::new(), party: None };
    let customers = [customer("ann"), customer("bob"), customer("eve")];
    let done: Result<(), StoreError> = store
        .write(move |tx| {
            tx.customers_insert(&customers)?;
            for (id, sub_type, holder, status) in ACCOUNTS {
                tx.bank_account_insert(&record(id, sub_type, holder, status))?;
                let sum = SignedAmount::from_minor(OPENING, currency_of(id));
                let opened_at = now.saturating_sub(SignedDuration::from_hours(24)).unwrap();
                let opening = entry::new(&id.into(), format!("open-{id}").into(), opened_at, sum, Channel::Internal);
                let lines = vec![
                    JournalLine::with_entry(opening),
                    JournalLine::external_party("mint", -OPENING, currency_of(id)),
                ];
                booking::book(tx, format!("open/{id}"), opened_at, lines)?;
            }
            Ok(())
        })
        .await;
    done.unwrap();
    let clock = ManualClock::starting_at(now);
    let clocks = Clocks::new(Arc::new(clock.clone()));
    let bank = BuiltInBank::new(store.clone(), clocks.clone());
    World { scheduler: bank.scheduler(), store, clock, clocks, bank }
}

/// An immediate Faster Payment of this many pence to a payee at another bank.
fn instruction(pence: u64) -> Transfer {
    let waterworks = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "20304012345678");
    Transfer::domestic(
        CreditorDetails {
            references: References { reference: Some("BILL 7".to_owned()), ..References::default() },
            ..CreditorDetails::new(NamedAccount::under_name(waterworks, "Waterworks".to_owned()))
        },
        Amount::from_minor(pence, Currency::GBP),
        Timing::Immediate,
    )
}

/// The same payment after a change.
fn with(mut it: Transfer, change: impl FnOnce(&mut CreditorDetails, &mut Timing)) -> Transfer {
    match &mut it.route {
        Route::Domestic(credit) => change(credit, &mut it.timing),
        Route::International(payment) => change(&mut payment.credit, &mut it.timing),
    }
    it
}

fn by(rail: Instrument, it: Transfer) -> Transfer {
    with(it, |credit, _| credit.instrument = Some(rail))
}

fn to(account: &str, it: Transfer) -> Transfer {
    with(it, |credit, _| credit.creditor = NamedAccount::new(number_of(account)).unwrap())
}

fn named(name: &str, it: Transfer) -> Transfer {
    with(it, |credit, _| {
        let account = AccountIdentification { name: None, ..(*credit.creditor).clone() };
        credit.creditor = NamedAccount::under_name(account, name.to_owned());
    })
}

fn when(timing: Timing, it: Transfer) -> Transfer {
    with(it, |_, at| *at = timing)
}

fn on(day: Date, it: Transfer) -> Transfer {
    when(Timing::Scheduled(day), it)
}

fn terms_of(instruction: Transfer) -> PaymentConsentRequest {
    PaymentConsentRequest::new(instruction)
}

impl World {
    fn now(&self) -> Timestamp {
        self.clocks.bank_now()
    }

    /// Creates an order for a payment from an account under the present conditions, without submitting it to the bank.
    async fn made_from(&self, debtor: &str, id: &str, instruction: Transfer) -> PaymentOrder {
        let terms = terms_of(instruction.clone());
        let mut conditions = self.bank.quote_conditions(&CallContext::default(), &terms).await.unwrap();
        if let Some((rate_request, payment)) =
            instruction.international_details().and_then(|it| Some((it.exchange.as_ref()?, it)))
        {
            conditions.quote =
                self.bank.quote_rate(&CallContext::default(), rate_request, payment.transfer).await.unwrap();
        }
        PaymentOrder {
            id: id.into(),
            product: terms.product(),
            conditions,
            transfer: instruction,
            debtor: debtor.into(),
            call: CallContext::default(),
            core_state: None,
            created_at: self.now(),
        }
    }

    /// Submits an order for a payment from an account under the present conditions.
    async fn order_from(&self, debtor: &str, id: &str, instruction: Transfer) -> PaymentOrder {
        let order = self.made_from(debtor, id, instruction).await;
        self.bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await.unwrap();
        order
    }

    async fn order(&self, id: &str, instruction: Transfer) -> PaymentOrder {
        self.order_from("ann", id, instruction).await
    }

    /// Runs the scheduler.
    async fn turn(&self) {
        while self.scheduler.run_due().await.unwrap() > 0 {
            self.is_sound().await;
        }
    }

    async fn go_to(&self, time: Timestamp) {
        self.clock.advance(time.duration_since(self.now()));
        self.turn().await;
    }

    async fn wait(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
        self.turn().await;
    }

    /// Reads and acknowledges the pending status updates, and checks that the updates of each order are in sequence.
    async fn hear(&self) -> Vec<StatusUpdate> {
        let updates = self.bank.fetch_status_updates(&CallContext::default(), 10_000).await.unwrap();
        let mut acknowledged: BTreeMap<OrderId, u32> = BTreeMap::new();
        for one in &updates {
            if let Some(before) = acknowledged.insert(one.order.clone(), one.number) {
                assert_eq!(one.number, before + 1, "without gaps");
            }
        }
        let acknowledged: Vec<_> = acknowledged.into_iter().collect();
        self.bank.acknowledge_updates(&CallContext::default(), &acknowledged).await.unwrap();
        updates
    }

    /// The payment statuses in the pending status updates.
    async fn statuses(&self) -> Vec<(u32, PaymentStatus)> {
        let payments = self.hear().await.into_iter().filter_map(|it| payment(it.change));
        payments.map(|it| (it.number, it.status)).collect()
    }

    async fn sums(&self, account: &str) -> LedgerSums {
        let id = BankAccountId::from(account);
        self.store.read(move |tx| tx.ledger_sums(std::slice::from_ref(&id))).await.unwrap()[0]
    }

    /// The change of an account's sums since the start: booked and pending.
    async fn moved(&self, account: &str) -> (i64, i64) {
        let LedgerSums { booked, pending } = self.sums(account).await;
        (booked - OPENING, pending)
    }

    /// The entries of an account except the opening one, oldest first.
    async fn entries(&self, account: &str) -> Vec<Transaction> {
        let filter = EntryFilter::for_accounts(vec![account.into()]);
        let page = self.store.read(move |tx| tx.entries(&filter, &ListWindow::first_page(10_000))).await.unwrap();
        page.items.into_iter().rev().filter(|it| !it.id.as_str().starts_with("open-")).collect()
    }

    async fn list<T: crate::storage::ArrangementVariant>(&self, account: &str) -> Vec<T> {
        let accounts = vec![BankAccountId::from(account)];
        let page = self
            .store
            .read(move |tx| tx.arrangements(T::KIND, &accounts, &ListWindow::first_page(1_000)))
            .await
            .unwrap();
        page.items.into_iter().filter_map(T::from_arrangement).collect()
    }

    async fn set_status(&self, account: &str, status: AccountStatus) {
        let id = BankAccountId::from(account);
        let change = move |tx: &mut dyn Tables| {
            let mut record = tx.bank_accounts(std::slice::from_ref(&id))?.remove(0);
            record.account.status = status;
            tx.bank_account_update(&record)
        };
        self.store.write::<_, StoreError, _>(change).await.unwrap();
    }

    /// Checks that every journal balances and that entries agree with the ledger.
    async fn is_sound(&self) {
        let totals = self.store.read(|tx| tx.ledger_totals()).await.unwrap();
        assert!(totals.iter().all(|(_, sums)| *sums == LedgerSums::default()), "{totals:?}");
        for (id, ..) in ACCOUNTS {
            let (sums, entries) = (self.moved(id).await, self.entries(id).await);
            let of = |status| entries.iter().filter(|it| it.status == status).map(|it| it.sum.minor()).sum::<i64>();
            assert_eq!((of(EntryStatus::Booked), of(EntryStatus::Pending)), sums, "{id}");
            let last = entries.iter().rev().find(|it| it.status == EntryStatus::Booked);
            if let Some(after) = last.and_then(|it| it.balance) {
                assert_eq!(after.sum.minor(), sums.0 + OPENING, "the last running balance is the booked one");
            }
        }
    }
}

fn payment(what: OrderUpdate) -> Option<PaymentUpdate> {
    if let OrderUpdate::PaymentChanged(update) = what { Some(update) } else { None }
}

/// The reason for which the whole order was rejected.
fn refusal(updates: &[StatusUpdate]) -> Option<RejectionReason> {
    updates.iter().find_map(|it| if let OrderUpdate::Refused(why) = it.change { Some(why) } else { None })
}

/// The status, amount and text of each entry.
fn told(entries: &[Transaction]) -> Vec<(EntryStatus, i64, &str)> {
    entries.iter().map(|it| (it.status, it.sum.minor(), it.information.as_deref().unwrap_or_default())).collect()
}
