//! Inserts rows for the benchmarks in a stopped server's database, through the storage port.

use crate::database;
use crate::database::Stores;
use crate::process::Lombard;
use crate::result::BenchResult;
use indicatif::{ProgressBar, ProgressStyle};
use jiff::{SignedDuration, Timestamp};
use lombard_corebank::storage::{Arrangement, BankAccountRecord, BankStore, BankTransaction};
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, AccountStatus, AccountSubType, AccountType, ArrangementStatus,
    BalanceType, BankTransactionCode, Beneficiary, DirectDebit, DirectDebitFrequency, EntryBalance, EntryStatus,
    Mutability, Offer, OfferType, ScheduledPayment, ScheduledType, StandingOrder, Statement, StatementAmountType,
    StatementDateType, StatementType, Transaction,
};
use lombard_domain::consent::{AccountAccess, ConsentDraft, ConsentRequest, Permission};
use lombard_domain::frequency::Frequency;
use lombard_domain::ids::{BankAccountId, ClientId, OrderId, RecordId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::{Owned, ServerTransaction as Writing, Store, StoreError, Tables};
use std::ops::Range;
use std::path::Path;
use tokio::task::JoinSet;

/// The number of rows in a transaction.
const BATCH: u32 = 10_000;
/// The number of concurrent transactions. PostgreSQL runs them in parallel, and each of them mostly waits for responses. SQLite runs them
/// one after another, while the rows of the next ones are built.
const WRITERS: usize = 4;

/// Creates a data folder by a first start, and opens its database, which may be shared by all servers of this run.
pub(crate) async fn first_start(program: &Path, data: &Path) -> BenchResult<Stores> {
    Lombard::start(program, data).await?.process.stop().await?;
    let own = || format!("sqlite://{}", data.join("lombard.db").display());
    Stores::open(std::env::var(database::SETTING).unwrap_or_else(|_| own())).await
}

/// Inserts numbered rows, one batch in each transaction. `write` builds the rows of a batch and returns the closure that inserts them.
async fn batches<T, W>(store: &Store<T>, what: String, rows: u32, write: impl Fn(Range<u32>) -> W) -> BenchResult<()>
where
    T: Tables,
    W: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<(), StoreError> + Send + 'static,
{
    let progress = ProgressBar::new(u64::from(rows)).with_message(what).with_style(style()?);
    let mut running = JoinSet::new();
    for first in (0..rows).step_by(usize::try_from(BATCH)?) {
        if running.len() == WRITERS {
            one_written(&mut running, &progress).await?;
        }
        let numbers = first..rows.min(first.saturating_add(BATCH));
        let count = u64::from(numbers.end.saturating_sub(numbers.start));
        let store = store.clone();
        let batch = write(numbers);
        running.spawn(async move { store.write(batch).await.map(|()| count) });
    }
    while !running.is_empty() {
        one_written(&mut running, &progress).await?;
    }
    progress.finish_and_clear();
    Ok(())
}

async fn one_written(running: &mut JoinSet<Result<u64, StoreError>>, progress: &ProgressBar) -> BenchResult<()> {
    if let Some(written) = running.join_next().await {
        progress.inc(written??);
    }
    Ok(())
}

fn style() -> BenchResult<ProgressStyle> {
    Ok(ProgressStyle::with_template("{msg}  {bar:40}  {percent:>3} %")?)
}

/// Adds an account with this nickname to amelia, with this many entries, one minute apart.
pub(crate) async fn account(store: &BankStore, nickname: &str, entries: u32) -> BenchResult<()> {
    let record = record(nickname, Timestamp::UNIX_EPOCH);
    let account = record.account.id.clone();
    store.write(move |tx| tx.bank_account_insert(&record)).await.map_err(|error: StoreError| error)?;
    let newest: Timestamp = "2026-01-01T00:00:00Z".parse()?;
    batches(store, format!("transactions of {nickname}"), entries, |numbers| {
        let batch: Vec<_> = numbers.map(|number| entry(&account, number, newest)).collect();
        move |tx: &mut dyn BankTransaction| tx.entries_insert(&batch)
    })
    .await
}

/// Adds this many statements of one hour each to the account with this nickname.
pub(crate) async fn statements(store: &BankStore, nickname: &str, statements: u32) -> BenchResult<()> {
    let account = account_id(nickname);
    // The statements are added before any entry, so that closing a statement has no entries to assign.
    let newest: Timestamp = "2020-01-01T00:00:00Z".parse()?;
    batches(store, format!("statements of {nickname}"), statements, |numbers| {
        let batch: Vec<_> = numbers.map(|number| statement(&account, number, newest)).collect();
        move |tx: &mut dyn BankTransaction| {
            batch.iter().try_for_each(|statement| tx.statement_close(statement).map(drop))
        }
    })
    .await
}

fn account_id(nickname: &str) -> BankAccountId {
    BankAccountId::new(format!("bench-{nickname}"))
}

fn statement(account: &BankAccountId, number: u32, newest: Timestamp) -> Statement {
    let back = |hours: i64| newest.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(newest);
    let end = back(i64::from(number));
    let sum = SignedAmount::from_minor(12_345, Currency::GBP);
    Statement {
        id: format!("{account}-{number:08}").into(),
        account: account.clone(),
        reference: Some(format!("{number:08}")),
        kind: StatementType::RegularPeriodic,
        starts_at: back(i64::from(number).saturating_add(1)),
        ends_at: end.saturating_sub(SignedDuration::from_secs(1)).unwrap_or(end),
        created_at: end,
        descriptions: Vec::new(),
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        amounts: vec![(StatementAmountType::StartingBalance, sum), (StatementAmountType::ClosingBalance, sum)],
        dates: vec![(StatementDateType::StatementAvailable, end)],
        rates: Vec::new(),
        values: Vec::new(),
        total: None,
    }
}

/// Adds this many undecided consents to a client.
pub(crate) async fn consents(store: &Store, client: &ClientId, rows: u32) -> BenchResult<()> {
    let now: Timestamp = "2026-01-01T00:00:00Z".parse()?;
    batches(store, "consents".to_owned(), rows, |numbers| {
        let batch: Vec<_> =
            numbers.map(|number| draft().into_consent(consent_id(number).into(), client.clone(), now)).collect();
        move |tx: &mut dyn Writing| batch.iter().try_for_each(|consent| tx.consent_insert(consent))
    })
    .await
}

/// Adds this many records of each kind of arrangement that can grow to the account with this nickname: payees, mandates, standing orders,
/// scheduled payments and offers. None of them is due.
pub(crate) async fn arrangements(store: &BankStore, nickname: &str, records: u32) -> BenchResult<()> {
    for kind in ARRANGEMENTS {
        // The sample is parsed once from JSON, and then gets its id and account.
        let sample = kind.sample()?;
        let account = account_id(nickname);
        batches(store, format!("{} of {nickname}", kind.list()), records, |numbers| {
            let batch: Vec<_> = numbers.map(|number| numbered(sample.clone(), &account, number)).collect();
            move |tx: &mut dyn BankTransaction| tx.arrangements_put(&batch)
        })
        .await?;
    }
    Ok(())
}

/// A kind of arrangement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ArrangementList {
    Beneficiaries,
    DirectDebits,
    StandingOrders,
    ScheduledPayments,
    Offers,
}

/// The kinds of arrangements that can grow.
pub(crate) const ARRANGEMENTS: [ArrangementList; 5] = [
    ArrangementList::Beneficiaries,
    ArrangementList::DirectDebits,
    ArrangementList::StandingOrders,
    ArrangementList::ScheduledPayments,
    ArrangementList::Offers,
];

impl ArrangementList {
    /// The name of the list in paths.
    pub(crate) const fn list(self) -> &'static str {
        match self {
            Self::Beneficiaries => "beneficiaries",
            Self::DirectDebits => "direct-debits",
            Self::StandingOrders => "standing-orders",
            Self::ScheduledPayments => "scheduled-payments",
            Self::Offers => "offers",
        }
    }

    /// A sample record without id and account.
    fn sample(self) -> BenchResult<Arrangement> {
        let payee = AccountIdentification {
            scheme: AccountScheme::SortCodeAccountNumber,
            number: "20000319825731".to_owned(),
            name: Some("Tea and Scones".to_owned()),
            secondary: None,
            proxy: None,
        };
        let id = RecordId::from("");
        let account = BankAccountId::new("");
        let amount = Amount::from_minor(1_000, Currency::GBP);
        Ok(match self {
            Self::Beneficiaries => {
                Beneficiary { id, account, kind: None, reference: Some("Rent".to_owned()), agent: None, payee }.into()
            }
            Self::DirectDebits => DirectDebit {
                id,
                account,
                mandate: "MANDATE-1".to_owned(),
                status: ArrangementStatus::Active,
                name: "Water and Light".to_owned(),
                frequency: DirectDebitFrequency::Monthly,
                previous: None,
                terms: None,
            }
            .into(),
            Self::StandingOrders => StandingOrder {
                id,
                account,
                frequency: Frequency::EveryDay,
                reference: Some("Savings".to_owned()),
                first: None,
                next: None,
                last: None,
                end: None,
                payments: None,
                status: ArrangementStatus::Inactive,
                terms: None,
                agent: None,
                payee,
            }
            .into(),
            Self::ScheduledPayments => ScheduledPayment {
                id,
                account,
                at: "2900-01-01T00:00:00Z".parse()?,
                kind: ScheduledType::Execution,
                reference: Some("Holiday".to_owned()),
                debtor_reference: None,
                amount,
                agent: None,
                payee,
            }
            .into(),
            Self::Offers => Offer {
                id,
                account,
                kind: OfferType::LimitIncrease,
                description: Some("A higher limit".to_owned()),
                from: None,
                until: None,
                rate: None,
                value: None,
                term: None,
                url: None,
                amount: Some(amount),
                fee: None,
            }
            .into(),
        })
    }
}

/// Sets the id and the account of a record.
fn numbered(mut record: Arrangement, of: &BankAccountId, number: u32) -> Arrangement {
    let of_number = RecordId::from(format!("{of}-{number:08}"));
    match &mut record {
        Arrangement::Beneficiary(Beneficiary { id, account, .. })
        | Arrangement::DirectDebit(DirectDebit { id, account, .. })
        | Arrangement::StandingOrder(StandingOrder { id, account, .. })
        | Arrangement::ScheduledPayment(ScheduledPayment { id, account, .. })
        | Arrangement::Offer(Offer { id, account, .. }) => (*id, *account) = (of_number, of.clone()),
        Arrangement::Product(_) | Arrangement::Party(_) | Arrangement::Routine(_) => {}
    }
    record
}

/// Copies an order of a client this many times. Each copy refers to its own copy of the consent.
pub(crate) async fn orders(store: &Store, client: &ClientId, order: &OrderId, rows: u32) -> BenchResult<()> {
    let client = client.clone();
    let order = order.clone();
    let found = store.read(move |tx| {
        let Owned::Mine(order) = tx.order(&client, &order)? else { return Ok(None) };
        let Owned::Mine(consent) = tx.consent(&client, &order.consent)? else { return Ok(None) };
        Ok::<_, StoreError>(Some((order, consent)))
    });
    let (order, consent) = found.await?.ok_or("the order is not there")?;
    batches(store, "orders".to_owned(), rows, |numbers| {
        let copy = |number| {
            let mut order = order.clone();
            let mut consent = consent.clone();
            consent.id = consent_id(number).into();
            (order.id, order.consent) = (order_id(number).into(), consent.id.clone());
            (order, consent)
        };
        let batch: Vec<_> = numbers.map(copy).collect();
        move |tx: &mut dyn Writing| {
            batch.iter().try_for_each(|(order, consent)| {
                tx.consent_insert(consent)?;
                tx.order_insert(order)
            })
        }
    })
    .await
}

/// The id of a generated order.
pub(crate) fn order_id(number: u32) -> String {
    format!("bench-order-{number:08}")
}

/// The id of a generated consent.
pub(crate) fn consent_id(number: u32) -> String {
    format!("bench-{number:08}")
}

fn draft() -> ConsentDraft {
    let access = AccountAccess {
        permissions: [Permission::ReadAccountsBasic].into_iter().collect(),
        transactions_from: None,
        transactions_to: None,
    };
    let submitted = Submitted { version: Version::V3_1, json: r#"{"Permissions":["ReadAccountsBasic"]}"#.to_owned() };
    ConsentDraft { request: ConsentRequest::AccountAccess(access), expires_at: None, submitted }
}

fn record(nickname: &str, at: Timestamp) -> BankAccountRecord {
    let number = AccountIdentification {
        name: Some("Amelia".to_owned()),
        ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "40000010000000")
    };
    let account = Account {
        id: account_id(nickname),
        status: AccountStatus::Enabled,
        status_changed_at: at,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CurrentAccount,
        description: None,
        nickname: Some(nickname.to_owned()),
        opened_on: None,
        matures_on: None,
        switch_status: None,
        identifications: vec![number],
        servicer: None,
        lei: None,
        statement_delivery: Vec::new(),
        core_state: None,
    };
    BankAccountRecord { account, holders: vec!["amelia".into()], eligible: true, credit_limit: 0, authorisers: 1 }
}

fn entry(account: &BankAccountId, number: u32, newest: Timestamp) -> Transaction {
    let sum = SignedAmount::from_minor(if number.is_multiple_of(3) { 12_345 } else { -2_345 }, Currency::GBP);
    let booked_at = newest.saturating_sub(SignedDuration::from_mins(i64::from(number))).unwrap_or(newest);
    Transaction {
        account: account.clone(),
        id: format!("{account}-{number:08}").into(),
        reference: Some("A reference".to_owned()),
        statement_references: Vec::new(),
        sum,
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at,
        value_at: Some(booked_at),
        information: Some("Card payment to a shop around the corner".to_owned()),
        address_line: None,
        charge: None,
        exchange: None,
        bank_code: Some(BankTransactionCode {
            code: "CustomerCardTransactions".to_owned(),
            sub_code: "PointOfSaleDebitCard".to_owned(),
        }),
        proprietary_code: None,
        balance: Some(EntryBalance { kind: BalanceType::InterimBooked, sum }),
        merchant: None,
        other_party: None,
        card: None,
        payment: None,
    }
}
