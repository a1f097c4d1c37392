//! What the bank and others do on accounts by themselves: salaries, collections, fees, and the end of a period.

use super::super::booking::{self, Line};
use super::super::channel::Channel;
use super::super::plan::{Plan, Regular};
use super::super::{entry, names};
use super::{account_in_use, closing, payments};
use crate::storage::{BankAccountRecord, BankTransaction as Tables, Routine};
use jiff::Timestamp;
use lombard_domain::account::{Account, OtherParty};
use lombard_domain::ids::{BankAccountId, RecordId, TransactionId};
use lombard_domain::money::Signed;
use lombard_ports::store::StoreError;

/// Carries out a routine and says when it is due next. On an account that is not in use it is over.
///
/// # Errors
/// [`StoreError`].
pub(super) fn routine(tx: &mut dyn Tables, routine: Routine, at: Timestamp) -> Result<(), StoreError> {
    let (mut plan, account) = (Plan::of(&routine)?, account_in_use(tx, &routine.account)?);
    let due_at = match (account, &mut plan) {
        (None, _) => None,
        (Some(account), Plan::Regular(regular)) => {
            happen(tx, &account.account, regular, &cause(&routine, at), at)?;
            regular.rhythm.move_on(at)
        }
        (Some(account), Plan::PayCard { rhythm, card, mandate }) => {
            pay_card(tx, &account.account, card, mandate, &cause(&routine, at), at)?;
            rhythm.move_on(at)
        }
        (Some(account), Plan::Close(terms)) => Some(closing::close(tx, &account, terms, at)?),
    };
    tx.arrangements_put(&[Routine { due_at, plan: plan.write(), ..routine }.into()])
}

fn cause(routine: &Routine, at: Timestamp) -> String {
    format!("routine/{}/{}/{at}", routine.account, routine.id)
}

fn happen(
    tx: &mut dyn Tables,
    account: &Account,
    regular: &Regular,
    cause: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let booked = tx.ledger_sums(std::slice::from_ref(&account.id))?.first().map_or(0, |it| it.booked);
    let minor = match regular.keep {
        Some(keep) => keep.saturating_sub(booked),
        None => names::drawn(cause, regular.between.0, regular.between.1),
    };
    if (regular.overdrawn_only && booked >= 0) || (regular.keep.is_some() && minor >= 0) {
        return Ok(());
    }
    let sum = Signed::from_minor(minor, account.currency);
    let mut seen =
        entry::new(&account.id, names::derived(&format!("entry/{cause}"), at).into(), at, sum, regular.channel);
    let digits = format!("{:05}", names::drawn(&format!("digits/{cause}"), 0, 99_999));
    let text = regular.text.replace('#', &digits);
    match &regular.party {
        Some(party) => {
            seen.information = Some(format!("{} {text}", party.name));
            seen.reference = Some(text);
            seen.other_party = Some(party.other_party());
        }
        None => seen.information = Some(text),
    }
    // The bank takes its own charges whether the money is there or not.
    let is_asked = minor < 0 && regular.channel != Channel::Fee;
    if is_asked && !booking::reaches(tx, &account.id, minor.saturating_neg())? {
        let whom = regular.party.as_ref().map_or("", |party| party.name.as_str());
        seen.information = Some(format!("Not paid to {whom}: insufficient funds"));
        return booking::refuse(tx, seen);
    }
    let theirs = Line::unseen(regular.counterparty.clone(), minor.saturating_neg(), account.currency);
    let booked = booking::book(tx, cause.to_owned(), at, vec![Line::seen(seen), theirs])?;
    match (booked, &regular.mandate) {
        (Some(at), Some(mandate)) => payments::collected(tx, &account.id, mandate, at, sum.amount()),
        _ => Ok(()),
    }
}

/// Collects the whole debt of a card from the account that pays it.
fn pay_card(
    tx: &mut dyn Tables,
    account: &Account,
    card: &BankAccountId,
    mandate: &RecordId,
    cause: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    const TEXT: &str = "CREDIT CARD PAYMENT";
    let Some(BankAccountRecord { account: card, .. }) = account_in_use(tx, card)? else { return Ok(()) };
    let debt = tx.ledger_sums(std::slice::from_ref(&card.id))?.first().map_or(0, |it| it.booked.saturating_neg());
    if debt <= 0 {
        return Ok(());
    }
    let side = |own: &Account, other: &Account, way: &str, minor| {
        let id: TransactionId = names::derived(&format!("entry/{way}/{cause}"), at).into();
        let mut seen = entry::new(&own.id, id, at, Signed::from_minor(minor, own.currency), Channel::DirectDebit);
        seen.reference = Some(TEXT.to_owned());
        seen.information = Some(format!("{TEXT} {way} {}", other.nickname.as_deref().unwrap_or_default()));
        seen.other_party =
            Some(OtherParty { agent: Some(names::own_agent()), account: other.identifications.first().cloned() });
        seen
    };
    let mut out = side(account, &card, "to", debt.saturating_neg());
    if !booking::reaches(tx, &account.id, debt)? {
        out.information = Some(format!("{TEXT} not made: insufficient funds"));
        return booking::refuse(tx, out);
    }
    let into = side(&card, account, "from", debt);
    let amount = into.sum.amount();
    let lines = vec![Line::seen(out), Line::seen(into)];
    match booking::book(tx, cause.to_owned(), at, lines)? {
        Some(at) => payments::collected(tx, &account.id, mandate, at, amount),
        None => Ok(()),
    }
}
