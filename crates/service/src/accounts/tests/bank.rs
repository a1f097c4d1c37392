//! A bank of a few accounts, held in memory.

use super::samples::full_account;
use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountIdentification, AccountParty, AccountProduct, Balance, BalanceType, Beneficiary, DirectDebit,
    Offer, Party, ScheduledPayment, StandingOrder, Statement, Transaction,
};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId, StatementId};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::page::{Direction, ListWindow, Page, Position};
use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::payment::order::PaymentConsentRequest;
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_ports::bank::{
    Bank, BankError, CallContext, EntryFilter, ListAnswer, ListKind, ListRecord, ListedRecords, Payer, PaymentBank,
    PaymentOrder, StatementFilter, StatementFormat, StatusUpdate, StubBank, SubmittedOrder, TimeRange,
};

/// A bank of a few accounts, held in memory.
#[derive(Debug, Default, Clone)]
pub(crate) struct SmallBank {
    pub(crate) accounts: Vec<Account>,
    /// Entries, newest first.
    pub(crate) entries: Vec<Transaction>,
    pub(crate) records: Records,
}

/// The arrangements of the holders of the accounts.
#[derive(Debug, Default, Clone)]
pub(crate) struct Records {
    pub(crate) beneficiaries: Vec<Beneficiary>,
    pub(crate) direct_debits: Vec<DirectDebit>,
    pub(crate) standing_orders: Vec<StandingOrder>,
    pub(crate) scheduled_payments: Vec<ScheduledPayment>,
    pub(crate) products: Vec<AccountProduct>,
    pub(crate) offers: Vec<Offer>,
    pub(crate) parties: Vec<AccountParty>,
    pub(crate) party: Option<Party>,
    pub(crate) statements: Vec<Statement>,
}

impl SmallBank {
    pub(crate) fn with(accounts: &[&str], entries: Vec<Transaction>) -> Self {
        let accounts = accounts.iter().map(|id| full_account(id)).collect();
        let mut bank = Self { accounts, entries, records: Records::default() };
        bank.entries.sort_by_key(order);
        bank
    }

    fn is_open(&self, ids: &[BankAccountId]) -> bool {
        self.accounts.iter().any(|account| ids.contains(&account.id))
    }

    /// A page of the found records, without those of accounts that are not open.
    fn answer<T: Clone>(
        &self,
        ids: &[BankAccountId],
        window: &ListWindow,
        found: Vec<T>,
        place: impl Fn(&T) -> Position,
    ) -> ListAnswer<T> {
        if !self.is_open(ids) {
            return ListAnswer::empty(false);
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
        ListAnswer { page, ..ListAnswer::empty(true) }
    }

    fn list<T: Clone>(
        &self,
        ids: &[BankAccountId],
        window: &ListWindow,
        records: &[T],
        place: impl Fn(&T) -> (&BankAccountId, &str),
    ) -> ListAnswer<T> {
        let asked = |it: &&T| ids.contains(place(it).0) && self.is_open(std::slice::from_ref(place(it).0));
        let mut found: Vec<T> = records.iter().filter(asked).cloned().collect();
        found.sort_by(|a, b| place(a).cmp(&place(b)));
        self.answer(ids, window, found, |it| {
            let (account, id) = place(it);
            Position { at: Timestamp::UNIX_EPOCH, id: format!("{account}/{id}") }
        })
    }

    /// Whether an entry appears on a statement, by the statement's reference in the entry.
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

/// The sort key for newest first, with the id as tie-break.
fn order(entry: &Transaction) -> (std::cmp::Reverse<Timestamp>, String) {
    (std::cmp::Reverse(entry.booked_at), entry.id.as_str().to_owned())
}

/// This bank has no payments.
#[async_trait::async_trait]
impl PaymentBank for SmallBank {
    async fn quote_conditions(
        &self,
        call: &CallContext,
        terms: &PaymentConsentRequest,
    ) -> Result<PaymentConditions, BankError> {
        StubBank::default().quote_conditions(call, terms).await
    }

    async fn list_payers(&self, call: &CallContext, psu: &PsuId) -> Result<Vec<Payer>, BankError> {
        StubBank::default().list_payers(call, psu).await
    }

    async fn find_payer(&self, call: &CallContext, account: &BankAccountId) -> Result<Option<Payer>, BankError> {
        StubBank::default().find_payer(call, account).await
    }

    async fn find_payer_by_number(
        &self,
        call: &CallContext,
        number: &AccountIdentification,
    ) -> Result<Option<Payer>, BankError> {
        StubBank::default().find_payer_by_number(call, number).await
    }

    async fn quote_rate(
        &self,
        call: &CallContext,
        rate_request: &ExchangeRateRequest,
        transfer: Currency,
    ) -> Result<Option<Quote>, BankError> {
        StubBank::default().quote_rate(call, rate_request, transfer).await
    }

    async fn has_agreed_rate(&self, call: &CallContext, psu: &PsuId, deal: &AgreedRate) -> Result<bool, BankError> {
        StubBank::default().has_agreed_rate(call, psu, deal).await
    }

    async fn quote_exchange_price(
        &self,
        call: &CallContext,
        pair: CurrencyPair,
    ) -> Result<Option<ConversionRate>, BankError> {
        StubBank::default().quote_exchange_price(call, pair).await
    }

    async fn submit_orders(
        &self,
        call: &CallContext,
        orders: &[PaymentOrder],
    ) -> Result<Vec<SubmittedOrder>, BankError> {
        StubBank::default().submit_orders(call, orders).await
    }

    async fn quarantine_updates(
        &self,
        call: &CallContext,
        work: Vec<lombard_ports::store::FailedWork>,
    ) -> Result<usize, BankError> {
        StubBank::default().quarantine_updates(call, work).await
    }

    async fn fetch_status_updates(&self, call: &CallContext, limit: u32) -> Result<Vec<StatusUpdate>, BankError> {
        StubBank::default().fetch_status_updates(call, limit).await
    }

    async fn acknowledge_updates(&self, call: &CallContext, acknowledged: &[(OrderId, u32)]) -> Result<(), BankError> {
        StubBank::default().acknowledge_updates(call, acknowledged).await
    }
}

#[async_trait::async_trait]
impl Bank for SmallBank {
    async fn list_accounts(&self, _: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        Ok(ids.iter().filter_map(|id| self.accounts.iter().find(|account| account.id == *id)).cloned().collect())
    }

    async fn eligible_accounts(&self, _: &CallContext, _: &PsuId) -> Result<Vec<Account>, BankError> {
        Ok(self.accounts.clone())
    }

    async fn list_balances(&self, call: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError> {
        let balance = |account: &Account, kind| Balance {
            account: account.id.clone(),
            kind,
            at: Timestamp::UNIX_EPOCH,
            sum: SignedAmount::from_minor(1, Currency::GBP),
            local: None,
            credit_lines: Vec::new(),
        };
        let open = self.list_accounts(call, ids).await?;
        Ok(open
            .iter()
            .flat_map(|account| {
                [BalanceType::InterimBooked, BalanceType::InterimAvailable].map(|k| balance(account, k))
            })
            .collect())
    }

    async fn list_transactions(
        &self,
        _: &CallContext,
        covered: &EntryFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Transaction>, BankError> {
        let all = self.matching(covered);
        let asked_for = all.iter().filter(|entry| asked.contains(entry.booked_at)).cloned().collect();
        let answer = self.answer(&covered.accounts, window, asked_for, |entry| Position {
            at: entry.booked_at,
            id: entry.id.as_str().to_owned(),
        });
        let available = all.last().zip(all.first()).map(|(oldest, newest)| (oldest.booked_at, newest.booked_at));
        Ok(ListAnswer { available: available.filter(|_| answer.has_open_account), ..answer })
    }

    async fn list_records(
        &self,
        _: &CallContext,
        kind: ListKind,
        ids: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<ListedRecords, BankError> {
        let records = &self.records;
        Ok(match kind {
            ListKind::Beneficiaries => ListRecord::into_listed(
                self.list(ids, window, &records.beneficiaries, |it| (&it.account, it.id.as_str())),
            ),
            ListKind::DirectDebits => ListRecord::into_listed(
                self.list(ids, window, &records.direct_debits, |it| (&it.account, it.id.as_str())),
            ),
            ListKind::StandingOrders => {
                ListRecord::into_listed(
                    self.list(ids, window, &records.standing_orders, |it| (&it.account, it.id.as_str())),
                )
            }
            ListKind::ScheduledPayments => {
                ListRecord::into_listed(
                    self.list(ids, window, &records.scheduled_payments, |it| (&it.account, it.id.as_str())),
                )
            }
            ListKind::Products => {
                ListRecord::into_listed(self.list(ids, window, &records.products, |it| (&it.account, it.id.as_str())))
            }
            ListKind::Offers => {
                ListRecord::into_listed(self.list(ids, window, &records.offers, |it| (&it.account, it.id.as_str())))
            }
            ListKind::Parties => ListRecord::into_listed(
                self.list(ids, window, &records.parties, |it| (&it.account, it.party.id.as_str())),
            ),
        })
    }

    async fn find_party(&self, _: &CallContext, _: &PsuId) -> Result<Option<Party>, BankError> {
        Ok(self.records.party.clone())
    }

    async fn list_statements(
        &self,
        _: &CallContext,
        covered: &StatementFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Statement>, BankError> {
        let inside = |period: TimeRange, it: &Statement| period.contains(it.starts_at) && period.contains(it.ends_at);
        let of_account = |it: &&Statement| covered.accounts.contains(&it.account) && inside(covered.period(), it);
        let mut all: Vec<_> = self.records.statements.iter().filter(of_account).cloned().collect();
        all.sort_by(|a, b| (b.ends_at, &b.id).cmp(&(a.ends_at, &a.id)));
        let available = all.iter().map(|it| it.starts_at).min().zip(all.iter().map(|it| it.ends_at).max());
        let asked_for = all.iter().filter(|it| inside(asked, it)).cloned().collect();
        let answer = self.answer(&covered.accounts, window, asked_for, |it| Position {
            at: it.ends_at,
            id: it.id.as_str().to_owned(),
        });
        Ok(ListAnswer { available: available.filter(|_| answer.has_open_account), ..answer })
    }

    async fn find_statement(
        &self,
        _: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
    ) -> Result<Option<Statement>, BankError> {
        let found = self.records.statements.iter().find(|it| it.id == *id && it.account == *account);
        Ok(found.filter(|_| self.is_open(std::slice::from_ref(account))).cloned())
    }

    async fn read_statement_file(
        &self,
        call: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
        format: StatementFormat,
    ) -> Result<Option<Vec<u8>>, BankError> {
        Ok(self.find_statement(call, account, id).await?.map(|it| format!("{format:?} {}", it.id).into_bytes()))
    }
}
