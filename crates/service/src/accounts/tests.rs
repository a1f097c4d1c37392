//! The use-cases over a real store and a small bank.

mod lists;
mod statements;

use super::*;
use crate::events::Outbox;
use crate::{Context, Failure, consents};
use jiff::SignedDuration;
use lombard_domain::account::{
    Account, AccountParty, AccountScheme, AccountStatus, AccountSubType, AccountType, Agent, ArrangementStatus,
    Balance, BalanceType, Beneficiary, BeneficiaryType, CardInstrument, CardScheme, DirectDebit, EntryBalance,
    EntryStatus, Identification, Instalment, Merchant, Mutability, Offer, OtherParty, Party, PartyType, Product,
    ScheduledPayment, ScheduledType, StandingOrder, Statement, StatementAmountType, StatementType, Transaction,
};
use lombard_domain::consent::{AccountAccess, Consent, ConsentDraft, RevokedBy, Submitted, Terms};
use lombard_domain::event::{Places, ResourceType};
use lombard_domain::frequency::Frequency;
use lombard_domain::ids::{ClientId, PsuId, StatementId};
use lombard_domain::money::{Amount, CreditDebit, Currency, Signed};
use lombard_domain::page::{Direction, Page, Position};
use lombard_domain::refusal::{FaultCode, Place, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::bank::{EntryFilter, StatementFilter, StatementFormat};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::{Entropy, Ids};
use lombard_ports::store::StoreError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A bank of a few accounts, held in memory.
#[derive(Debug, Default, Clone)]
pub(crate) struct SmallBank {
    accounts: Vec<Account>,
    /// Newest first.
    entries: Vec<Transaction>,
    pub(crate) records: Records,
}

/// What the holders of a small bank's accounts have arranged.
#[derive(Debug, Default, Clone)]
pub(crate) struct Records {
    pub(crate) beneficiaries: Vec<Beneficiary>,
    pub(crate) direct_debits: Vec<DirectDebit>,
    pub(crate) standing_orders: Vec<StandingOrder>,
    pub(crate) scheduled_payments: Vec<ScheduledPayment>,
    pub(crate) products: Vec<Product>,
    pub(crate) offers: Vec<Offer>,
    pub(crate) parties: Vec<AccountParty>,
    pub(crate) party: Option<Party>,
    pub(crate) statements: Vec<Statement>,
}

impl SmallBank {
    fn with(accounts: &[&str], entries: Vec<Transaction>) -> Self {
        let accounts = accounts.iter().map(|id| full_account(id)).collect();
        let mut bank = Self { accounts, entries, records: Records::default() };
        bank.entries.sort_by_key(order);
        bank
    }

    fn is_open(&self, ids: &[BankAccountId]) -> bool {
        self.accounts.iter().any(|account| ids.contains(&account.id))
    }

    /// A page of what was found, without that of accounts that are not open.
    fn answer<T: Clone>(
        &self,
        ids: &[BankAccountId],
        window: &Window,
        found: Vec<T>,
        place: impl Fn(&T) -> Position,
    ) -> Answer<T> {
        if !self.is_open(ids) {
            return Answer::empty(false);
        }
        let at = found.iter().map(&place).collect::<Vec<_>>();
        let bound = |position: &Position| at.iter().position(|it| it == position).unwrap();
        let (start, end) = match &window.from {
            None => (0, window.size),
            Some((Direction::Next, from)) => (bound(from) + 1, bound(from) + 1 + window.size),
            Some((Direction::Prev, from)) => (bound(from).saturating_sub(window.size), bound(from)),
        };
        let end = end.min(found.len());
        let page = Page {
            prev: (start > 0).then(|| at[start].clone()),
            next: (end < found.len()).then(|| at[end - 1].clone()),
            items: found[start..end].to_vec(),
            as_of: 0,
        };
        Answer { page, available: None, open: true }
    }

    fn list<T: Clone>(
        &self,
        ids: &[BankAccountId],
        window: &Window,
        records: &[T],
        place: impl Fn(&T) -> (&BankAccountId, &str),
    ) -> Answer<T> {
        let asked = |it: &&T| ids.contains(place(it).0) && self.is_open(std::slice::from_ref(place(it).0));
        let mut found: Vec<T> = records.iter().filter(asked).cloned().collect();
        found.sort_by(|a, b| place(a).cmp(&place(b)));
        self.answer(ids, window, found, |it| {
            let (account, id) = place(it);
            Position { at: Timestamp::UNIX_EPOCH, id: format!("{account}/{id}") }
        })
    }

    /// Whether an entry appears on a statement: it carries its reference.
    fn is_on(&self, entry: &Transaction, id: &StatementId) -> bool {
        let statement = self.records.statements.iter().find(|it| it.id == *id);
        statement.and_then(|it| it.reference.as_ref()).is_some_and(|it| entry.statement_references.contains(it))
    }

    fn matching(&self, filter: &EntryFilter) -> Vec<Transaction> {
        let inside = |entry: &&Transaction| {
            filter.accounts.contains(&entry.account)
                && self.is_open(std::slice::from_ref(&entry.account))
                && filter.from.is_none_or(|from| from <= entry.booked_at)
                && filter.to.is_none_or(|to| entry.booked_at <= to)
                && filter.direction.is_none_or(|direction| direction == entry.sum.direction())
                && filter.statement.as_ref().is_none_or(|id| self.is_on(entry, id))
        };
        self.entries.iter().filter(inside).cloned().collect()
    }
}

/// Newest first, the id as tie-break.
fn order(entry: &Transaction) -> (std::cmp::Reverse<Timestamp>, String) {
    (std::cmp::Reverse(entry.booked_at), entry.id.as_str().to_owned())
}

#[async_trait::async_trait]
impl Bank for SmallBank {
    async fn accounts(&self, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        Ok(ids.iter().filter_map(|id| self.accounts.iter().find(|account| account.id == *id)).cloned().collect())
    }

    async fn eligible_accounts(&self, _: &PsuId) -> Result<Vec<Account>, BankError> {
        Ok(self.accounts.clone())
    }

    async fn balances(&self, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError> {
        let balance = |account: &Account, kind| Balance {
            account: account.id.clone(),
            kind,
            at: Timestamp::UNIX_EPOCH,
            sum: Signed::from_minor(1, Currency::GBP),
            credit_lines: Vec::new(),
        };
        let open = self.accounts(ids).await?;
        Ok(open
            .iter()
            .flat_map(|account| {
                [BalanceType::InterimBooked, BalanceType::InterimAvailable].map(|k| balance(account, k))
            })
            .collect())
    }

    async fn transactions(
        &self,
        covered: &EntryFilter,
        asked: Period,
        window: &Window,
    ) -> Result<Answer<Transaction>, BankError> {
        let all = self.matching(covered);
        let asked_for = all.iter().filter(|entry| asked.contains(entry.booked_at)).cloned().collect();
        let answer = self.answer(&covered.accounts, window, asked_for, |entry| Position {
            at: entry.booked_at,
            id: entry.id.as_str().to_owned(),
        });
        let available = all.last().zip(all.first()).map(|(oldest, newest)| (oldest.booked_at, newest.booked_at));
        Ok(Answer { available: available.filter(|_| answer.open), ..answer })
    }

    async fn beneficiaries(&self, ids: &[BankAccountId], window: &Window) -> Result<Answer<Beneficiary>, BankError> {
        Ok(self.list(ids, window, &self.records.beneficiaries, |it| (&it.account, it.id.as_str())))
    }

    async fn direct_debits(&self, ids: &[BankAccountId], window: &Window) -> Result<Answer<DirectDebit>, BankError> {
        Ok(self.list(ids, window, &self.records.direct_debits, |it| (&it.account, it.id.as_str())))
    }

    async fn standing_orders(
        &self,
        ids: &[BankAccountId],
        window: &Window,
    ) -> Result<Answer<StandingOrder>, BankError> {
        Ok(self.list(ids, window, &self.records.standing_orders, |it| (&it.account, it.id.as_str())))
    }

    async fn scheduled_payments(
        &self,
        ids: &[BankAccountId],
        window: &Window,
    ) -> Result<Answer<ScheduledPayment>, BankError> {
        Ok(self.list(ids, window, &self.records.scheduled_payments, |it| (&it.account, it.id.as_str())))
    }

    async fn products(&self, ids: &[BankAccountId], window: &Window) -> Result<Answer<Product>, BankError> {
        Ok(self.list(ids, window, &self.records.products, |it| (&it.account, it.id.as_str())))
    }

    async fn offers(&self, ids: &[BankAccountId], window: &Window) -> Result<Answer<Offer>, BankError> {
        Ok(self.list(ids, window, &self.records.offers, |it| (&it.account, it.id.as_str())))
    }

    async fn parties(&self, ids: &[BankAccountId], window: &Window) -> Result<Answer<AccountParty>, BankError> {
        Ok(self.list(ids, window, &self.records.parties, |it| (&it.account, it.party.id.as_str())))
    }

    async fn party_of(&self, _: &PsuId) -> Result<Option<Party>, BankError> {
        Ok(self.records.party.clone())
    }

    async fn statements(
        &self,
        covered: &StatementFilter,
        asked: Period,
        window: &Window,
    ) -> Result<Answer<Statement>, BankError> {
        let inside = |period: Period, it: &Statement| period.contains(it.starts_at) && period.contains(it.ends_at);
        let of_account = |it: &&Statement| covered.accounts.contains(&it.account) && inside(covered.period(), it);
        let mut all: Vec<_> = self.records.statements.iter().filter(of_account).cloned().collect();
        all.sort_by(|a, b| (b.ends_at, &b.id).cmp(&(a.ends_at, &a.id)));
        let available = all.iter().map(|it| it.starts_at).min().zip(all.iter().map(|it| it.ends_at).max());
        let asked_for = all.iter().filter(|it| inside(asked, it)).cloned().collect();
        let answer = self.answer(&covered.accounts, window, asked_for, |it| Position {
            at: it.ends_at,
            id: it.id.as_str().to_owned(),
        });
        Ok(Answer { available: available.filter(|_| answer.open), ..answer })
    }

    async fn statement(&self, account: &BankAccountId, id: &StatementId) -> Result<Option<Statement>, BankError> {
        let found = self.records.statements.iter().find(|it| it.id == *id && it.account == *account);
        Ok(found.filter(|_| self.is_open(std::slice::from_ref(account))).cloned())
    }

    async fn statement_file(
        &self,
        account: &BankAccountId,
        id: &StatementId,
        format: StatementFormat,
    ) -> Result<Option<Vec<u8>>, BankError> {
        Ok(self.statement(account, id).await?.map(|it| format!("{format:?} {}", it.id).into_bytes()))
    }
}

/// Counts up: ids differ and repeat from run to run.
#[derive(Debug, Default)]
struct Counting(AtomicU64);

impl Entropy for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        let bytes = self.0.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        buffer.iter_mut().rev().zip(bytes.iter().rev()).for_each(|(to, from)| *to = *from);
    }
}

pub(crate) fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

/// A bank whose consents and accounts can be read in both versions.
pub(crate) fn places() -> Places {
    let readable = [ResourceType::AccountAccessConsent, ResourceType::Account]
        .into_iter()
        .flat_map(|kind| [(kind, Version::V3_1), (kind, Version::V4_0)]);
    let places = Places::new("https://bank.example", "https://mtls.bank.example/open-banking");
    Places { readable: readable.collect(), ..places }
}

pub(crate) async fn context(bank: SmallBank) -> (Context, ManualClock) {
    let clock = ManualClock::at(now());
    let clocks = Clocks::new(Arc::new(clock.clone()));
    let ids = Ids::new(Arc::new(Counting::default()), clocks.clone());
    let context = Context {
        store: lombard_store::open_temporary().await.unwrap(),
        bank: Arc::new(bank),
        outbox: Outbox::new(places(), ids.clone(), clocks.clone()),
        ids,
        clocks,
        alias_key: Arc::from(*b"a key of the tests"),
    };
    (context, clock)
}

pub(crate) fn full_account(id: &str) -> Account {
    let identification = |scheme, number: &str| Identification {
        scheme,
        number: number.into(),
        name: Some("Amelia".into()),
        secondary: None,
    };
    Account {
        id: id.into(),
        status: AccountStatus::Enabled,
        status_changed_at: Timestamp::UNIX_EPOCH,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CreditCard,
        description: Some("Card".into()),
        nickname: Some("Plastic".into()),
        opened_on: None,
        matures_on: None,
        switch_status: None,
        identifications: vec![
            identification(AccountScheme::SortCodeAccountNumber, "80200110203345"),
            identification(AccountScheme::Pan, "4444333322221111"),
        ],
        servicer: Some(Agent { bic: Some("LOMBGB2L".into()), name: None, address: None }),
    }
}

/// An entry with every part that a permission may hide.
pub(crate) fn full_transaction(account: &str, id: &str, hour: i64, minor: i64) -> Transaction {
    Transaction {
        account: account.into(),
        id: id.into(),
        reference: Some("REF".into()),
        statement_references: vec!["S1".into()],
        sum: Signed::from_minor(minor, Currency::GBP),
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at: at(hour),
        value_at: None,
        information: Some("Coffee".into()),
        address_line: Some("High Street".into()),
        charge: None,
        exchange: None,
        bank_code: None,
        proprietary_code: None,
        balance: Some(EntryBalance { kind: BalanceType::InterimBooked, sum: Signed::from_minor(5, Currency::GBP) }),
        merchant: Some(Merchant { name: "Café".into(), category: None }),
        other_party: Some(OtherParty {
            agent: None,
            account: Some(Identification {
                scheme: AccountScheme::Pan,
                number: "5555444433332222".into(),
                name: None,
                secondary: None,
            }),
        }),
        card: Some(CardInstrument {
            scheme: CardScheme::Visa,
            authorisation: None,
            name: None,
            number: Some("4444333322221111".into()),
        }),
    }
}

/// The other side of an arrangement, by card.
fn full_payee() -> (Option<Agent>, Identification) {
    let name = Some("Mr Bates".to_owned());
    let payee = Identification { scheme: AccountScheme::Pan, number: "4444333322221111".into(), name, secondary: None };
    (Some(Agent { bic: Some("LOMBGB2L".into()), name: None, address: None }), payee)
}

pub(crate) fn full_beneficiary(account: &str) -> Beneficiary {
    let (agent, payee) = full_payee();
    let reference = Some("Towbar Club".into());
    Beneficiary {
        id: "r-1".into(),
        account: account.into(),
        kind: Some(BeneficiaryType::Trusted),
        reference,
        agent,
        payee,
    }
}

pub(crate) fn full_standing_order(account: &str) -> StandingOrder {
    let (agent, payee) = full_payee();
    let instalment = Some(Instalment { at: at(1), amount: Amount::from_minor(100, Currency::GBP) });
    StandingOrder {
        id: "r-1".into(),
        account: account.into(),
        frequency: Frequency::EveryDay,
        reference: Some("Rent".into()),
        first: instalment,
        next: instalment,
        last: instalment,
        end: instalment,
        payments: Some(2),
        status: ArrangementStatus::Active,
        agent,
        payee,
    }
}

pub(crate) fn full_scheduled_payment(account: &str) -> ScheduledPayment {
    let (agent, payee) = full_payee();
    ScheduledPayment {
        id: "r-1".into(),
        account: account.into(),
        at: at(1),
        kind: ScheduledType::Execution,
        reference: Some("Deposit".into()),
        debtor_reference: Some("Flat".into()),
        amount: Amount::from_minor(100, Currency::GBP),
        agent,
        payee,
    }
}

pub(crate) fn account_party(account: &str, id: &str, kind: PartyType) -> AccountParty {
    let party = Party {
        id: id.into(),
        number: None,
        name: Some(id.to_owned()),
        full_legal_name: None,
        legal_structure: None,
        email: None,
        phone: None,
        mobile: None,
        addresses: Vec::new(),
    };
    AccountParty { account: account.into(), kind, role: None, beneficial_owner: None, party }
}

/// A statement from hour to hour; what is on it says its id.
pub(crate) fn full_statement(account: &str, id: &str, from: i64, to: i64) -> Statement {
    let sum = Signed::from_minor(100, Currency::GBP);
    Statement {
        id: id.into(),
        account: account.into(),
        reference: Some(id.into()),
        kind: StatementType::RegularPeriodic,
        starts_at: at(from),
        ends_at: at(to),
        created_at: at(to),
        descriptions: vec!["Rates change".into()],
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        amounts: vec![(StatementAmountType::ClosingBalance, sum)],
        dates: Vec::new(),
        rates: Vec::new(),
        values: Vec::new(),
        total: Some(sum.amount()),
    }
}

fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(hour * 3600).unwrap()
}

fn terms(permissions: &[Permission]) -> AccountAccess {
    AccountAccess {
        permissions: permissions.iter().copied().chain([Permission::ReadAccountsBasic]).collect(),
        transactions_from: None,
        transactions_to: None,
    }
}

pub(crate) fn draft(access: AccountAccess, expires_at: Option<Timestamp>) -> ConsentDraft {
    let submitted = Submitted { version: Version::V3_1, json: r#"{"Permissions":[]}"#.into() };
    ConsentDraft { terms: Terms::AccountAccess(access), expires_at, submitted }
}

/// A consent of `acme`, authorised by amelia for these accounts.
pub(crate) async fn authorised(context: &Context, client: &str, access: AccountAccess, accounts: &[&str]) -> Consent {
    let expires_at = Some(now() + SignedDuration::from_hours(1));
    let consent = consents::create(context, &ClientId::from(client), draft(access, expires_at)).await.unwrap();
    let accounts: Vec<_> = accounts.iter().copied().map(BankAccountId::from).collect();
    let inside = context.clone();
    let authorise = move |tx: &mut dyn lombard_ports::store::Transaction| {
        consents::authorise_in(tx, &inside, &consent, &PsuId::from("amelia"), &accounts)
            .map_err(|_| StoreError::Contended)
    };
    context.store.write(authorise).await.unwrap()
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Failure>) -> RefusalKind {
    match result {
        Err(Failure::Refused(refusal)) => refusal.kind,
        other => panic!("not refused: {other:?}"),
    }
}

fn ids(listing: &Listing<Transaction>) -> Vec<&str> {
    listing.items.iter().map(|shown| shown.record.id.as_str()).collect()
}

const EVERY_ENTRY: [Permission; 3] =
    [Permission::ReadTransactionsBasic, Permission::ReadTransactionsCredits, Permission::ReadTransactionsDebits];

#[tokio::test]
async fn ais_081_and_ais_087_accounts_are_shown_under_the_ids_of_the_tpp() {
    let (context, _) = context(SmallBank::with(&["b-1", "b-2", "b-3"], Vec::new())).await;
    let consent = authorised(&context, "acme", terms(&[]), &["b-1", "b-3"]).await;
    let listing = across::<Accounts>(&context, &consent, &Query::first(100)).await.unwrap();
    let mut shown: Vec<_> = listing.items.iter().map(|shown| shown.record.id.as_str()).collect();
    shown.sort_unstable();
    assert_eq!(shown, ["b-1", "b-3"]);
    assert!(listing.items.is_sorted_by_key(|shown| shown.alias.clone()), "RW-277");
    assert!(listing.items.iter().all(|shown| shown.record.identifications.is_empty()), "AIS-050");
    let one = by_account::<Accounts>(&context, &consent, &listing.items[1].alias, &Query::first(100)).await.unwrap();
    assert_eq!(one.items, [listing.items[1].clone()]);
    let again = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    assert!(listing.items.iter().any(|shown| shown.alias == again.accounts[0].alias), "stable over consents");
}

#[tokio::test]
async fn ais_088_rw_104_and_rw_107_tell_unknown_foreign_and_unselected_apart() {
    let (context, _) = context(SmallBank::with(&["b-1", "b-2"], Vec::new())).await;
    let wide = authorised(&context, "acme", terms(&[]), &["b-1", "b-2"]).await;
    let narrow = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    let rival = authorised(&context, "rival", terms(&[]), &["b-2"]).await;
    let unselected = wide.accounts.iter().find(|selected| selected.account.as_str() == "b-2").unwrap();
    for (alias, kind) in [
        (&unselected.alias, RefusalKind::AccountNotSelected),
        (&rival.accounts[0].alias, RefusalKind::ForeignOwner),
        (&AccountId::from("b-1"), RefusalKind::NotFound),
    ] {
        let answer = by_account::<Accounts>(&context, &narrow, alias, &Query::first(100)).await;
        assert_eq!(refusal(answer), kind, "{alias}");
    }
}

#[tokio::test]
async fn rw_025_the_permission_is_checked_before_the_id_and_the_page_before_both() {
    let (context, _) = context(SmallBank::with(&["b-1"], Vec::new())).await;
    let consent = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    let unknown = AccountId::from("nobody");
    let asked = by_account::<Balances>(&context, &consent, &unknown, &Query::first(100)).await;
    assert_eq!(refusal(asked), RefusalKind::PermissionMissing, "AIS-040");
    let asked = across::<Transactions>(&context, &consent, &Query::first(100)).await;
    assert_eq!(refusal(asked), RefusalKind::PermissionMissing);
    let query = Query { page: Some("nonsense".into()), ..Query::first(100) };
    match by_account::<Balances>(&context, &consent, &unknown, &query).await {
        Err(Failure::Refused(refusal)) => {
            assert_eq!(refusal.faults[0].code, FaultCode::FieldInvalid);
            assert_eq!(refusal.faults[0].at, Some(Place::Query("pg")));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn ais_082_and_ais_084_a_closed_account_drops_out_alone() {
    let entries = vec![full_transaction("b-1", "t-1", 1, 1), full_transaction("b-2", "t-2", 2, 1)];
    let (mut context, _) = context(SmallBank::with(&["b-1", "b-2"], entries.clone())).await;
    let access = terms(&[EVERY_ENTRY.as_slice(), &[Permission::ReadBalances]].concat());
    let consent = authorised(&context, "acme", access, &["b-1", "b-2"]).await;
    let alias =
        |id: &str| consent.accounts.iter().find(|selected| selected.account.as_str() == id).unwrap().alias.clone();
    let query = Query::first(100);
    context.bank = Arc::new(SmallBank::with(&["b-1"], entries.clone()));
    assert_eq!(across::<Accounts>(&context, &consent, &query).await.unwrap().items.len(), 1);
    assert_eq!(across::<Balances>(&context, &consent, &query).await.unwrap().items.len(), 2);
    assert_eq!(ids(&across::<Transactions>(&context, &consent, &query).await.unwrap()), ["t-1"]);
    let closed = alias("b-2");
    assert_eq!(
        refusal(by_account::<Accounts>(&context, &consent, &closed, &query).await),
        RefusalKind::AccountNotSelected
    );
    assert_eq!(
        refusal(by_account::<Balances>(&context, &consent, &closed, &query).await),
        RefusalKind::AccountNotSelected
    );
    assert_eq!(
        refusal(by_account::<Transactions>(&context, &consent, &closed, &query).await),
        RefusalKind::AccountNotSelected
    );
    assert!(by_account::<Balances>(&context, &consent, &alias("b-1"), &query).await.is_ok());
    context.bank = Arc::new(SmallBank::with(&[], entries));
    assert!(across::<Accounts>(&context, &consent, &query).await.unwrap().items.is_empty());
    assert!(across::<Transactions>(&context, &consent, &query).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn ais_041_credits_and_debits_filter_rows() {
    let entries = vec![full_transaction("b-1", "in", 2, 500), full_transaction("b-1", "out", 1, -500)];
    let (context, _) = context(SmallBank::with(&["b-1"], entries)).await;
    let basic = Permission::ReadTransactionsBasic;
    for (permissions, expected) in [
        (vec![basic, Permission::ReadTransactionsCredits], vec!["in"]),
        (vec![basic, Permission::ReadTransactionsDebits], vec!["out"]),
        (EVERY_ENTRY.to_vec(), vec!["in", "out"]),
    ] {
        let consent = authorised(&context, "acme", terms(&permissions), &["b-1"]).await;
        let listing = across::<Transactions>(&context, &consent, &Query::first(100)).await.unwrap();
        assert_eq!(ids(&listing), expected);
        let directions = |direction| listing.items.iter().all(|shown| shown.record.sum.direction() == direction);
        assert_eq!(directions(CreditDebit::Credit), expected == ["in"]);
    }
}

#[tokio::test]
async fn ais_090_to_ais_096_period_and_filter_are_intersected() {
    let entries = (1..=9).map(|hour| full_transaction("b-1", &format!("t-{hour}"), hour, 1)).collect();
    let (context, _) = context(SmallBank::with(&["b-1"], entries)).await;
    let access = AccountAccess { transactions_from: Some(at(3)), transactions_to: Some(at(7)), ..terms(&EVERY_ENTRY) };
    let consent = authorised(&context, "acme", access, &["b-1"]).await;
    let alias = consent.accounts[0].alias.clone();
    for (from, to, expected) in [
        (None, None, vec!["t-7", "t-6", "t-5", "t-4", "t-3"]),
        (Some(at(6)), None, vec!["t-7", "t-6"]),
        (None, Some(at(4)), vec!["t-4", "t-3"]),
        (Some(at(1)), Some(at(3)), vec!["t-3"]),
        (Some(at(8)), Some(at(9)), vec![]),
        (Some(at(9)), None, vec![]),
    ] {
        let query = Query { from, to, ..Query::first(100) };
        let listing = by_account::<Transactions>(&context, &consent, &alias, &query).await.unwrap();
        assert_eq!(ids(&listing), expected, "{from:?} {to:?}");
        assert_eq!(listing.available, Some((at(3), at(7))), "AIS-096: before filtering");
    }
}

#[tokio::test]
async fn ais_078_a_consent_that_ended_gives_nothing() {
    let (context, clock) = context(SmallBank::with(&["b-1"], Vec::new())).await;
    let consent = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    let mut revoked = consent.clone();
    revoked.revoke(RevokedBy::Psu, now());
    let asked = across::<Accounts>(&context, &revoked, &Query::first(100)).await;
    assert_eq!(refusal(asked), RefusalKind::AccessEnded, "AIS-071");
    assert!(across::<Accounts>(&context, &consent, &Query::first(100)).await.is_ok());
    clock.advance(SignedDuration::from_hours(1));
    let asked = across::<Accounts>(&context, &consent, &Query::first(100)).await;
    assert_eq!(refusal(asked), RefusalKind::AccessEnded, "the boundary instant counts as expired");
}

/// The resource across the accounts of a consent.
async fn across<R: AccountResource>(
    context: &Context,
    consent: &Consent,
    query: &Query,
) -> Result<Listing<R::Seen>, Failure> {
    read::<R>(context, consent, &Within::Consent, query).await
}

/// The resource of one account.
async fn by_account<R: AccountResource>(
    context: &Context,
    consent: &Consent,
    account: &AccountId,
    query: &Query,
) -> Result<Listing<R::Seen>, Failure> {
    read::<R>(context, consent, &Within::Account(account.clone()), query).await
}

/// Walks `next` to the end, then `prev` to the start; returns the pages of the way there.
async fn walk<R: AccountResource>(context: &Context, consent: &Consent, size: usize) -> Vec<Listing<R::Seen>>
where
    R::Seen: Clone + PartialEq + std::fmt::Debug,
{
    let mut pages: Vec<Listing<R::Seen>> = Vec::new();
    let mut query = Query::first(size);
    loop {
        let page = across::<R>(context, consent, &query).await.unwrap();
        assert_eq!(page.prev.is_some(), !pages.is_empty(), "RW-272");
        query.page = page.next.clone();
        pages.push(page);
        if query.page.is_none() {
            break;
        }
    }
    for (earlier, later) in pages.iter().zip(&pages[1..]) {
        query.page = later.prev.clone();
        let back = across::<R>(context, consent, &query).await.unwrap();
        assert_eq!(back.items, earlier.items);
    }
    pages
}

#[tokio::test]
async fn rw_278_every_list_pages_by_its_own_records() {
    let accounts = ["b-1", "b-2", "b-3", "b-4", "b-5"];
    // Three entries at each instant, so that pages end within a tie.
    let entries = (0..30).map(|n| full_transaction(accounts[n % 5], &format!("t-{n:02}"), n as i64 / 3, 1)).collect();
    let (context, _) = context(SmallBank::with(&accounts, entries)).await;
    let access = terms(&[EVERY_ENTRY.as_slice(), &[Permission::ReadBalances]].concat());
    let consent = authorised(&context, "acme", access, &accounts).await;
    for size in [1, 2, 3, 7, 10, 30] {
        let pages = walk::<Transactions>(&context, &consent, size).await;
        assert_eq!(pages.len(), 30_usize.div_ceil(size));
        let met: Vec<_> = pages.iter().flat_map(ids).collect();
        let distinct: std::collections::HashSet<_> = met.iter().collect();
        assert_eq!((met.len(), distinct.len()), (30, 30), "size {size}");
        let balances = walk::<Balances>(&context, &consent, size).await;
        assert_eq!(balances.iter().map(|page| page.items.len()).sum::<usize>(), 10);
        let listed = walk::<Accounts>(&context, &consent, size).await;
        assert_eq!(listed.iter().map(|page| page.items.len()).sum::<usize>(), 5);
    }
}
