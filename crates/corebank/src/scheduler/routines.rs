//! Scheduled routines of the bank and of third parties: salaries, collections, fees, and the end of a period.

use super::super::booking::{self, JournalLine};
use super::super::channel::Channel;
use super::super::routine_plan::{RegularPayment, RoutinePlan};
use super::super::{entry, names};
use super::{closing, payments};
use crate::account_availability::enabled_account;
use crate::storage::{BankAccountRecord, BankTransaction as Tables, ScheduledRoutine};
use jiff::Timestamp;
use lombard_domain::account::{Account, OtherParty};
use lombard_domain::ids::{BankAccountId, RecordId, TransactionId};
use lombard_domain::money::SignedAmount;
use lombard_ports::store::StoreError;

/// Executes a routine and sets its next due time. If the account is not enabled, the routine ends.
///
/// # Errors
/// [`StoreError`].
pub(super) fn execute_routine(tx: &mut dyn Tables, routine: ScheduledRoutine, at: Timestamp) -> Result<(), StoreError> {
    let (mut plan, account) = (RoutinePlan::parse(&routine)?, enabled_account(tx, &routine.account)?);
    let due_at = match (account, &mut plan) {
        (None, _) => None,
        (Some(account), RoutinePlan::Regular(regular)) => {
            post_routine(tx, &account.account, regular, &routine_cause(&routine, at), at)?;
            regular.recurrence.advance(at)
        }
        (Some(account), RoutinePlan::PayCard { rhythm, card, mandate }) => {
            pay_card(tx, &account.account, card, mandate, &routine_cause(&routine, at), at)?;
            rhythm.advance(at)
        }
        (Some(account), RoutinePlan::Close(terms)) => Some(closing::close(tx, &account, terms, at)?),
    };
    tx.arrangements_put(&[ScheduledRoutine { due_at, plan: plan.write(), ..routine }.into()])
}

fn routine_cause(routine: &ScheduledRoutine, at: Timestamp) -> String {
    format!("routine/{}/{}/{at}", routine.account, routine.id)
}

fn post_routine(
    tx: &mut dyn Tables,
    account: &Account,
    regular: &RegularPayment,
    cause: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    if let Some(mandate) = &regular.mandate
        && !payments::is_collectable(tx, &account.id, mandate)?
    {
        return Ok(());
    }
    let booked = tx.ledger_sums(std::slice::from_ref(&account.id))?.first().map_or(0, |it| it.booked);
    let minor = match regular.keep {
        Some(keep) => keep.saturating_sub(booked),
        None => names::derive_number(cause, regular.amount_range.0, regular.amount_range.1),
    };
    if (regular.overdrawn_only && booked >= 0) || (regular.keep.is_some() && minor >= 0) {
        return Ok(());
    }
    let sum = SignedAmount::from_minor(minor, account.currency);
    let mut seen =
        entry::new(&account.id, names::derive_id(&format!("entry/{cause}"), at).into(), at, sum, regular.channel);
    let digits = format!("{:05}", names::derive_number(&format!("digits/{cause}"), 0, 99_999));
    let text = regular.text.replace('#', &digits);
    match &regular.party {
        Some(party) => {
            seen.information = Some(format!("{} {text}", party.name));
            seen.reference = Some(text);
            seen.other_party = Some(party.other_party());
        }
        None => seen.information = Some(text),
    }
    // The bank collects its own fees without a check of the funds.
    let is_asked = minor < 0 && regular.channel != Channel::Fee;
    if is_asked && !booking::has_available_funds(tx, &account.id, minor.saturating_neg())? {
        let whom = regular.party.as_ref().map_or("", |party| party.name.as_str());
        seen.information = Some(format!("Not paid to {whom}: insufficient funds"));
        return booking::record_refused_entry(tx, seen);
    }
    let theirs = JournalLine::without_entry(regular.counterparty.clone(), minor.saturating_neg(), account.currency);
    let booked = booking::book(tx, cause.to_owned(), at, vec![JournalLine::with_entry(seen), theirs])?;
    match (booked, &regular.mandate) {
        (Some(at), Some(mandate)) => payments::record_collection(tx, &account.id, mandate, at, sum.amount()),
        _ => Ok(()),
    }
}

/// Collects the whole balance of a card from the paying account.
fn pay_card(
    tx: &mut dyn Tables,
    account: &Account,
    card: &BankAccountId,
    mandate: &RecordId,
    cause: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    const TEXT: &str = "CREDIT CARD PAYMENT";
    let Some(BankAccountRecord { account: card, .. }) = enabled_account(tx, card)? else { return Ok(()) };
    let debt = tx.ledger_sums(std::slice::from_ref(&card.id))?.first().map_or(0, |it| it.booked.saturating_neg());
    if debt <= 0 || !payments::is_collectable(tx, &account.id, mandate)? {
        return Ok(());
    }
    let side = |own: &Account, other: &Account, way: &str, minor| {
        let id: TransactionId = names::derive_id(&format!("entry/{way}/{cause}"), at).into();
        let mut seen = entry::new(&own.id, id, at, SignedAmount::from_minor(minor, own.currency), Channel::DirectDebit);
        seen.reference = Some(TEXT.to_owned());
        seen.information = Some(format!("{TEXT} {way} {}", other.nickname.as_deref().unwrap_or_default()));
        seen.other_party =
            Some(OtherParty { agent: Some(names::own_agent()), account: other.identifications.first().cloned() });
        seen
    };
    let mut out = side(account, &card, "to", debt.saturating_neg());
    if !booking::has_available_funds(tx, &account.id, debt)? {
        out.information = Some(format!("{TEXT} not made: insufficient funds"));
        return booking::record_refused_entry(tx, out);
    }
    let into = side(&card, account, "from", debt);
    let amount = into.sum.amount();
    let lines = vec![JournalLine::with_entry(out), JournalLine::with_entry(into)];
    match booking::book(tx, cause.to_owned(), at, lines)? {
        Some(at) => payments::record_collection(tx, &account.id, mandate, at, amount),
        None => Ok(()),
    }
}
