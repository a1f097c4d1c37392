//! Reads and writes of the ledger and of due work through a batch.

use super::BatchTransaction;
use super::steps::name;
use crate::storage::{
    AccountAvailability, AccountSums, Arrangement, BankAccountRecord, BankOrderStore, BankSize, Customer, EntryList,
    LedgerStore, OrderAtBank, PostResult, ScheduleStore, StepRows, StepRowsRead,
};
use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, EntryStatus, Transaction};
use lombard_domain::ids::{BankAccountId, ConsentId, OrderId, PsuId, TransactionId};
use lombard_domain::ledger::{BalanceLayer, Journal, LedgerSums, Posting};
use lombard_domain::money::Currency;
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::{EntryFilter, StatusUpdate};
use lombard_ports::controls::OrderPlan;
use lombard_ports::store::{DueRows, StoreError};

impl BatchTransaction<'_, '_> {
    /// Posts a journal in memory.
    fn note_journal(&mut self, journal: &Journal) -> Result<PostResult, StoreError> {
        let corrupt = |table, id: &str, source| StoreError::Corrupt { table, id: id.to_owned(), source };
        journal.check_balanced().map_err(|unbalanced| corrupt("journals", journal.id.as_str(), unbalanced.into()))?;
        if !self.known.causes.insert(journal.cause.clone()) {
            return Ok(PostResult::AlreadyPosted);
        }
        for posting in &journal.postings {
            let known = self.known.sums.get_mut(&posting.account);
            // A posting in another currency makes the write of the journal fail later.
            if let Some(known) = known.filter(|known| known.currency == posting.currency) {
                let sum = match posting.layer {
                    BalanceLayer::Booked => &mut known.sums.booked,
                    BalanceLayer::Pending => &mut known.sums.pending,
                };
                *sum = sum.checked_add(posting.minor).ok_or_else(|| {
                    corrupt("ledger_accounts", posting.account.as_str(), "a sum is out of range".into())
                })?;
            }
            if let (BalanceLayer::Pending, Some(entry)) = (posting.layer, &posting.entry) {
                self.known.reserved.insert(entry.clone(), journal.postings.clone());
            }
            self.pending.touched.insert(posting.account.clone());
        }
        self.pending.journals.push(journal.clone());
        Ok(PostResult::Posted)
    }

    /// Records in memory that an entry was added or reached its final state.
    fn note_entry(&mut self, entry: &Transaction) {
        if entry.status == EntryStatus::Booked
            && let Some(latest) = self.known.latest.get_mut(&entry.account)
        {
            *latest = (*latest).max(Some(entry.booked_at));
        }
        self.pending.touched.insert(entry.account.clone());
    }
}

impl LedgerStore for BatchTransaction<'_, '_> {
    fn customers_insert(&mut self, customers: &[Customer]) -> Result<(), StoreError> {
        self.tx.customers_insert(customers)
    }

    fn customers(&mut self) -> Result<Vec<Customer>, StoreError> {
        self.tx.customers()
    }

    fn customer(&mut self, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
        self.tx.customer(psu)
    }

    fn customer_for_update(&mut self, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
        self.tx.customer_for_update(psu)
    }

    fn customer_update(&mut self, customer: &Customer) -> Result<(), StoreError> {
        self.tx.customer_update(customer)
    }

    fn ledger_accounts_open(&mut self, accounts: &[(BankAccountId, Currency)]) -> Result<(), StoreError> {
        for (account, currency) in accounts {
            if self.known.opened.insert(account.clone()) {
                self.pending.opened.push((account.clone(), *currency));
            }
        }
        Ok(())
    }

    fn bank_account_insert(&mut self, account: &BankAccountRecord) -> Result<(), StoreError> {
        (self.known.records, self.known.numbers) = Default::default();
        self.tx.bank_account_insert(account)
    }

    fn bank_account_for_update(&mut self, id: &BankAccountId) -> Result<Option<BankAccountRecord>, StoreError> {
        // A batch writes account records at once, so the row in storage is current.
        let found = self.tx.bank_account_for_update(id)?;
        self.known.records.insert(id.clone(), found.clone());
        Ok(found)
    }

    fn bank_account_update(&mut self, account: &BankAccountRecord) -> Result<(), StoreError> {
        (self.known.records, self.known.numbers) = Default::default();
        self.write_pending()?;
        // The row that holds the sums also holds the account's status and credit limit.
        (self.known.sums, self.known.latest) = Default::default();
        self.tx.bank_account_update(account)
    }

    fn bank_accounts(&mut self, ids: &[BankAccountId]) -> Result<Vec<BankAccountRecord>, StoreError> {
        let unknown: Vec<_> = ids.iter().filter(|id| !self.known.records.contains_key(*id)).cloned().collect();
        if !unknown.is_empty() {
            let found = self.tx.bank_accounts(&unknown)?;
            self.known.records.extend(unknown.into_iter().map(|id| (id, None)));
            self.known.records.extend(found.into_iter().map(|it| (it.account.id.clone(), Some(it))));
        }
        let mut given = Vec::with_capacity(ids.len());
        for (place, id) in ids.iter().enumerate() {
            // An id that is requested twice is returned once.
            if let Some(Some(record)) = self.known.records.get(id)
                && ids.iter().position(|it| it == id) == Some(place)
            {
                given.push(record.clone());
            }
        }
        Ok(given)
    }

    fn bank_accounts_of(&mut self, psu: &PsuId) -> Result<Vec<BankAccountRecord>, StoreError> {
        self.tx.bank_accounts_of(psu)
    }

    fn bank_accounts_of_any(&mut self, psus: &[PsuId]) -> Result<Vec<BankAccountRecord>, StoreError> {
        self.tx.bank_accounts_of_any(psus)
    }

    fn bank_size(&mut self) -> Result<BankSize, StoreError> {
        self.tx.bank_size()
    }

    fn has_entries(&mut self, account: &BankAccountId, count: u32) -> Result<bool, StoreError> {
        self.write_pending()?;
        self.tx.has_entries(account, count)
    }

    fn account_availability(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountAvailability>, StoreError> {
        self.tx.account_availability(ids)
    }

    fn entry_versions(&mut self, ids: &[BankAccountId]) -> Result<Vec<(AccountAvailability, i64)>, StoreError> {
        self.write_pending()?;
        self.tx.entry_versions(ids)
    }

    fn account_sums(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountSums>, StoreError> {
        self.write_pending()?;
        self.tx.account_sums(ids)
    }

    fn journals_post(&mut self, journals: &[Journal]) -> Result<Vec<PostResult>, StoreError> {
        journals.iter().map(|journal| self.note_journal(journal)).collect()
    }

    fn ledger_sums(&mut self, accounts: &[BankAccountId]) -> Result<Vec<LedgerSums>, StoreError> {
        let known: Option<Vec<_>> = accounts.iter().map(|id| self.known.sums.get(id).map(|known| known.sums)).collect();
        match known {
            Some(known) => Ok(known),
            None => {
                self.write_pending()?;
                self.tx.ledger_sums(accounts)
            }
        }
    }

    fn ledger_totals(&mut self) -> Result<Vec<(Currency, LedgerSums)>, StoreError> {
        self.write_pending()?;
        self.tx.ledger_totals()
    }

    fn entries_insert(&mut self, entries: &[Transaction]) -> Result<(), StoreError> {
        entries.iter().for_each(|entry| self.note_entry(entry));
        self.pending.entries.extend_from_slice(entries);
        Ok(())
    }

    fn entries_known(&mut self, ids: &[TransactionId]) -> Result<Vec<TransactionId>, StoreError> {
        self.write_pending()?;
        self.tx.entries_known(ids)
    }

    fn entries(&mut self, filter: &EntryFilter, window: &ListWindow) -> Result<Page<Transaction>, StoreError> {
        self.write_pending()?;
        self.tx.entries(filter, window)
    }

    fn entry_list(
        &mut self,
        covered: &EntryFilter,
        asked: Option<&EntryFilter>,
        window: &ListWindow,
    ) -> Result<EntryList, StoreError> {
        self.write_pending()?;
        self.tx.entry_list(covered, asked, window)
    }

    fn entry_span(&mut self, filter: &EntryFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError> {
        self.write_pending()?;
        self.tx.entry_span(filter)
    }
}

impl ScheduleStore for BatchTransaction<'_, '_> {
    fn arrangements_due(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<Arrangement>, StoreError> {
        self.tx.arrangements_due(until, limit)
    }

    fn entries_pending(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<Transaction>, StoreError> {
        self.write_pending()?;
        self.tx.entries_pending(until, limit)
    }

    fn entries_on_no_statement(
        &mut self,
        account: &BankAccountId,
        until: Timestamp,
    ) -> Result<Vec<Transaction>, StoreError> {
        self.write_pending()?;
        self.tx.entries_on_no_statement(account, until)
    }

    fn entry_latest_booking(&mut self, account: &BankAccountId) -> Result<Option<Timestamp>, StoreError> {
        if let Some(latest) = self.known.latest.get(account) {
            return Ok(*latest);
        }
        if !self.pending.is_untouched(account) {
            self.write_pending()?;
        }
        let latest = self.tx.entry_latest_booking(account)?;
        // No other transaction books on a locked account.
        if self.known.sums.contains_key(account) {
            self.known.latest.insert(account.clone(), latest);
        }
        Ok(latest)
    }

    fn entries_settle(&mut self, entries: &[Transaction]) -> Result<(), StoreError> {
        entries.iter().for_each(|entry| self.note_entry(entry));
        self.pending.settled.extend_from_slice(entries);
        Ok(())
    }

    fn reserved_postings(&mut self, entry: &TransactionId) -> Result<Vec<Posting>, StoreError> {
        if let Some(known) = self.known.reserved.get(entry) {
            return Ok(known.clone());
        }
        // Reservations of this transaction are in memory; any other reservation was stored by an earlier transaction.
        self.tx.reserved_postings(entry)
    }

    fn reservation_cause(&mut self, entry: &TransactionId) -> Result<Option<String>, StoreError> {
        self.write_pending()?;
        self.tx.reservation_cause(entry)
    }

    fn account_sums_for_update(&mut self, id: &BankAccountId) -> Result<Option<AccountSums>, StoreError> {
        if let Some(known) = self.known.sums.get(id) {
            return Ok(Some(known.clone()));
        }
        if !self.pending.is_untouched(id) {
            self.write_pending()?;
        }
        let found = self.tx.account_sums_for_update(id)?;
        if let Some(sums) = &found {
            self.known.sums.insert(id.clone(), sums.clone());
        }
        Ok(found)
    }

    fn bank_account_by_number(&mut self, number: &AccountIdentification) -> Result<Option<BankAccountId>, StoreError> {
        let name = name(number);
        if let Some(known) = self.known.numbers.get(&name) {
            return Ok(known.clone());
        }
        let found = self.tx.bank_account_by_number(number)?;
        self.known.numbers.insert(name, found.clone());
        Ok(found)
    }

    fn bank_accounts_by_numbers(
        &mut self,
        numbers: &[AccountIdentification],
    ) -> Result<Vec<Option<BankAccountId>>, StoreError> {
        self.tx.bank_accounts_by_numbers(numbers)
    }

    fn step_rows(&mut self, wanted: &StepRows) -> Result<StepRowsRead, StoreError> {
        self.write_pending()?;
        self.tx.step_rows(wanted)
    }

    fn confirm_writes(&mut self) -> Result<(), StoreError> {
        self.write_pending()?;
        self.tx.confirm_writes()
    }
}

impl BankOrderStore for BatchTransaction<'_, '_> {
    fn bank_orders_insert(&mut self, orders: &[OrderAtBank]) -> Result<Vec<bool>, StoreError> {
        self.write_pending()?;
        self.tx.bank_orders_insert(orders)
    }

    fn bank_order_for_update(&mut self, id: &OrderId) -> Result<Option<OrderAtBank>, StoreError> {
        self.write_pending()?;
        self.tx.bank_order_for_update(id)
    }

    fn bank_orders(&mut self, ids: &[OrderId]) -> Result<Vec<OrderAtBank>, StoreError> {
        self.write_pending()?;
        self.tx.bank_orders(ids)
    }

    fn bank_orders_received(
        &mut self,
        from: Timestamp,
        after: &str,
        limit: u32,
    ) -> Result<Vec<OrderAtBank>, StoreError> {
        self.write_pending()?;
        self.tx.bank_orders_received(from, after, limit)
    }

    fn bank_updates_waiting(&mut self, ids: &[OrderId]) -> Result<Vec<(OrderId, u32)>, StoreError> {
        self.write_pending()?;
        self.tx.bank_updates_waiting(ids)
    }

    fn bank_orders_update(&mut self, orders: &[OrderAtBank]) -> Result<(), StoreError> {
        self.pending.orders.extend(orders.iter().map(|order| (order.id.clone(), order.clone())));
        Ok(())
    }

    fn bank_orders_due(&mut self, until: Timestamp, limit: u32) -> Result<DueRows<OrderAtBank>, StoreError> {
        self.write_pending()?;
        self.tx.bank_orders_due(until, limit)
    }

    fn bank_updates_append(&mut self, updates: &[StatusUpdate]) -> Result<(), StoreError> {
        self.pending.updates.extend_from_slice(updates);
        Ok(())
    }

    fn bank_updates(&mut self, limit: u32) -> Result<DueRows<StatusUpdate>, StoreError> {
        self.write_pending()?;
        self.tx.bank_updates(limit)
    }

    fn order_plan_put(&mut self, consent: &ConsentId, plan: OrderPlan) -> Result<(), StoreError> {
        self.tx.order_plan_put(consent, plan)
    }

    fn order_plans(&mut self, consents: &[&ConsentId]) -> Result<Vec<(ConsentId, OrderPlan)>, StoreError> {
        self.tx.order_plans(consents)
    }

    fn bank_updates_drop(&mut self, acknowledged: &[(OrderId, u32)]) -> Result<(), StoreError> {
        self.write_pending()?;
        self.tx.bank_updates_drop(acknowledged)
    }
}
