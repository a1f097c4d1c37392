//! Closes a statement period: books interest and cashback at its last second, then creates the statement.

use super::super::account_terms::AccountTerms;
use super::super::booking::{self, JournalLine};
use super::super::channel::Channel;
use super::super::statement::{self, StatementPeriod};
use super::super::{entry, names};
use crate::storage::{BankAccountRecord, BankTransaction as Tables};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use lombard_domain::account::Account;
use lombard_domain::money::SignedAmount;
use lombard_ports::store::StoreError;

/// Closes the period that ends at this time, opens the next one, and returns the end of the next one.
///
/// # Errors
/// [`StoreError`].
pub(super) fn close(
    tx: &mut dyn Tables,
    record: &BankAccountRecord,
    terms: &mut AccountTerms,
    ends_at: Timestamp,
) -> Result<Timestamp, StoreError> {
    let account = &record.account;
    // The account is locked, so that the statement contains exactly the entries that its totals include.
    tx.account_sums_for_update(&account.id)?;
    let entries = tx.entries_on_no_statement(&account.id, ends_at)?;
    let earned = statement::cashback(statement::spent_with_card(&entries), terms.cashback_per_10k);
    with_bank(tx, account, ends_at, earned, Channel::Cashback, "Cashback on card purchases")?;
    let booked = tx.ledger_sums(std::slice::from_ref(&account.id))?.first().map_or(0, |sums| sums.booked);
    let (per_10k, text) = if booked < 0 {
        (terms.debit_interest_per_10k, "Interest charged")
    } else {
        (terms.credit_interest_per_10k, "Interest earned")
    };
    // A card whose last statement was paid in full owes no interest on later purchases.
    let is_free = terms.collected_on.is_some() && statement::paid_off(terms.opening, &entries);
    let per_10k = if is_free { 0 } else { per_10k };
    with_bank(tx, account, ends_at, statement::month_of_interest(booked, per_10k), Channel::Interest, text)?;
    let entries = tx.entries_on_no_statement(&account.id, ends_at)?;
    let period = StatementPeriod { account, credit_limit: record.credit_limit, terms, ends_at, entries: &entries };
    let closing = period.closing_balance();
    tx.statement_close(&period.build_statement())?;
    let starts_at = statement::next_period_start(ends_at);
    terms.open_next(starts_at, closing);
    Ok(statement::end_of_month(starts_at.to_zoned(TimeZone::UTC).date()))
}

/// Books an amount between the account and the bank, unless the amount is zero.
fn with_bank(
    tx: &mut dyn Tables,
    account: &Account,
    at: Timestamp,
    minor: i64,
    channel: Channel,
    text: &str,
) -> Result<(), StoreError> {
    if minor == 0 {
        return Ok(());
    }
    let cause = format!("period/{}/{at}/{}", account.id, channel.own_code().code);
    let id = names::derive_id(&format!("entry/{cause}"), at).into();
    let mut seen = entry::new(&account.id, id, at, SignedAmount::from_minor(minor, account.currency), channel);
    seen.information = Some(text.to_owned());
    let bank = JournalLine::external_party("bank:interest", minor.saturating_neg(), account.currency);
    booking::book(tx, cause, at, vec![JournalLine::with_entry(seen), bank]).map(drop)
}
