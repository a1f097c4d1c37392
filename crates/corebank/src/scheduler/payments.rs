//! Standing orders and scheduled payments of account holders. Source: AIS-171, AIS-173.

use super::super::booking::{self, JournalLine};
use super::super::channel::Channel;
use super::super::{entry, names};
use crate::account_availability::enabled_account;
use crate::storage::{ArrangementKind, BankTransaction as Tables};
use jiff::Timestamp;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use lombard_domain::account::{
    Account, AccountIdentification, ArrangementStatus, BankIdentification, Instalment, OtherParty, ScheduledPayment,
    StandingOrder,
};
use lombard_domain::calendar::{is_working_day, working_day_from};
use lombard_domain::ids::RecordId;
use lombard_domain::money::{Amount, SignedAmount};
use lombard_ports::store::StoreError;

/// A payment that is due now.
#[derive(Debug)]
struct DuePayment<'a> {
    cause: String,
    at: Timestamp,
    amount: Amount,
    channel: Channel,
    /// The reference for the payee.
    reference: Option<&'a str>,
    /// The reference for the payer, if it differs.
    own_reference: Option<&'a str>,
    agent: Option<&'a BankIdentification>,
    payee: &'a AccountIdentification,
}

/// Makes the payments of a standing order that fall on its due working day, and sets its next due date.
///
/// # Errors
/// [`StoreError`].
pub(super) fn standing_order(tx: &mut dyn Tables, mut order: StandingOrder, at: Timestamp) -> Result<(), StoreError> {
    let (Some(account), Some(next)) = (enabled_account(tx, &order.account)?, order.next) else {
        return end(tx, order, ArrangementStatus::Inactive);
    };
    let day = day_of(at);
    let anchor = day_of(order.first.map_or(at, |first| first.at));
    let mut is_over = false;
    for nominal in days_paid_on(&order, anchor, day) {
        is_over = is_last(&order, anchor, nominal);
        let amount = order.end.filter(|_| is_over).map_or(next.amount, |end| end.amount);
        let payment = DuePayment {
            cause: format!("standing-order/{}/{}/{nominal}", order.account, order.id),
            at,
            amount,
            channel: Channel::StandingOrder,
            reference: order.reference.as_deref(),
            own_reference: None,
            agent: order.agent.as_ref(),
            payee: &order.payee,
        };
        if payment.make(tx, &account.account)? {
            order.last = Some(Instalment { at, amount });
        }
        if is_over {
            break;
        }
    }
    let following = order.frequency.next_after(anchor, day).filter(|_| !is_over).map(working_day_from);
    let Some(following) = following.and_then(midnight) else {
        return end(tx, order, ArrangementStatus::Expired);
    };
    order.next = Some(Instalment { at: following, amount: next.amount });
    tx.arrangements_put(&[order.into()])
}

/// Makes a scheduled payment, or adds a rejected entry. The scheduled payment is removed in both cases.
///
/// # Errors
/// [`StoreError`].
pub(super) fn execute_scheduled_payment(tx: &mut dyn Tables, payment: &ScheduledPayment) -> Result<(), StoreError> {
    if let Some(account) = enabled_account(tx, &payment.account)? {
        let made = DuePayment {
            cause: format!("scheduled-payment/{}/{}", payment.account, payment.id),
            at: payment.at,
            amount: payment.amount,
            channel: Channel::FasterPayment,
            reference: payment.reference.as_deref(),
            own_reference: payment.debtor_reference.as_deref(),
            agent: payment.agent.as_ref(),
            payee: &payment.payee,
        };
        made.make(tx, &account.account)?;
    }
    tx.arrangement_remove(ArrangementKind::ScheduledPayment, &payment.account, &payment.id).map(drop)
}

impl DuePayment<'_> {
    /// Moves the money if funds are sufficient; otherwise adds a rejected entry. Returns whether the money was moved.
    fn make(&self, tx: &mut dyn Tables, from: &Account) -> Result<bool, StoreError> {
        let minor = i64::try_from(self.amount.minor()).unwrap_or(i64::MAX);
        let mut out = entry::new(
            &from.id,
            self.entry_id("out"),
            self.at,
            SignedAmount::from_minor(minor.saturating_neg(), from.currency),
            self.channel,
        );
        let name = self.payee.name.as_deref().unwrap_or_default();
        let says = self.own_reference.or(self.reference).unwrap_or_default();
        out.reference = self.reference.map(str::to_owned);
        out.information = Some(format!("{name} {says}").trim().to_owned());
        out.other_party = Some(OtherParty { agent: self.agent.cloned(), account: Some(self.payee.clone()) });
        let affordable = self.amount.currency() == from.currency && booking::has_available_funds(tx, &from.id, minor)?;
        if !affordable {
            out.information = Some(format!("Not paid to {name}: insufficient funds"));
            booking::record_refused_entry(tx, out)?;
            return Ok(false);
        }
        let theirs = self.other_side(tx, from, minor)?;
        Ok(booking::book(tx, self.cause.clone(), self.at, vec![JournalLine::with_entry(out), theirs])?.is_some())
    }

    /// The payee's journal line. It has an entry if the account is at this bank; otherwise it is on an external ledger account.
    fn other_side(&self, tx: &mut dyn Tables, from: &Account, minor: i64) -> Result<JournalLine, StoreError> {
        let here = match tx.bank_account_by_number(self.payee)? {
            Some(id) => enabled_account(tx, &id)?,
            None => None,
        };
        let Some(to) = here.map(|it| it.account).filter(|it| it.currency == from.currency && it.id != from.id) else {
            return Ok(JournalLine::without_entry(
                names::other_bank_account(self.payee, from.currency),
                minor,
                from.currency,
            ));
        };
        let sum = SignedAmount::from_minor(minor, to.currency);
        let mut into = entry::new(&to.id, self.entry_id("in"), self.at, sum, self.channel);
        into.reference = self.reference.map(str::to_owned);
        let payer = from.identifications.first();
        let name = payer.and_then(|it| it.name.as_deref()).unwrap_or_default();
        into.information = Some(format!("{name} {}", self.reference.unwrap_or_default()).trim().to_owned());
        into.other_party = Some(OtherParty { agent: Some(names::own_agent()), account: payer.cloned() });
        Ok(JournalLine::with_entry(into))
    }

    fn entry_id(&self, side: &str) -> lombard_domain::ids::TransactionId {
        names::derive_id(&format!("entry/{side}/{}", self.cause), self.at).into()
    }
}

/// Ends a standing order, so that it makes no further payments.
///
/// # Errors
/// [`StoreError`].
pub(super) fn end(tx: &mut dyn Tables, mut order: StandingOrder, status: ArrangementStatus) -> Result<(), StoreError> {
    order.status = status;
    order.next = None;
    tx.arrangements_put(&[order.into()])
}

/// The scheduled days whose payments are made on the given working day. These are the day itself, and earlier days that rolled forward to
/// it, so that no payment is skipped and dates do not drift (SO-020).
fn days_paid_on(order: &StandingOrder, anchor: Date, day: Date) -> Vec<Date> {
    let rolled = |earlier: &Date| working_day_from(*earlier) == day;
    let mut days: Vec<_> = std::iter::successors(Some(day), |it| it.yesterday().ok()).take_while(rolled).collect();
    if !is_working_day(day) {
        // The order gives this day explicitly.
        days = vec![day];
    }
    days.reverse();
    let in_schedule = |it: &Date| {
        let before = it.saturating_sub(1.day());
        *it == anchor || (*it > anchor && order.frequency.next_after(anchor, before) == Some(*it))
    };
    let days: Vec<_> = days.into_iter().filter(in_schedule).collect();
    if days.is_empty() { vec![day] } else { days }
}

/// Whether the payment of a day is the last one, by the number of payments or by the final date.
fn is_last(order: &StandingOrder, anchor: Date, nominal: Date) -> bool {
    let by_number = order.payments.is_some_and(|count| {
        let following = order.frequency.days_after(anchor).take_while(|day| *day <= nominal).count();
        following.saturating_add(1) >= usize::try_from(count).unwrap_or(usize::MAX)
    });
    by_number || order.end.is_some_and(|end| nominal >= day_of(end.at))
}

fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

fn midnight(day: Date) -> Option<Timestamp> {
    day.to_zoned(TimeZone::UTC).ok().map(|midnight| midnight.timestamp())
}

/// Whether a routine may collect under its mandate. A mandate that is suspended, expired, cancelled or missing allows no collection.
/// Source: AIS-170.
///
/// # Errors
/// [`StoreError`].
pub(super) fn is_collectable(
    tx: &mut dyn Tables,
    account: &lombard_domain::ids::BankAccountId,
    mandate: &RecordId,
) -> Result<bool, StoreError> {
    use crate::storage::Arrangement;
    let found = tx.arrangement(ArrangementKind::DirectDebit, account, mandate)?;
    let Some(Arrangement::DirectDebit(debit)) = found else { return Ok(false) };
    Ok(debit.status == ArrangementStatus::Active)
}

/// Records the last collection in the mandate.
///
/// # Errors
/// [`StoreError`].
pub(super) fn record_collection(
    tx: &mut dyn Tables,
    account: &lombard_domain::ids::BankAccountId,
    mandate: &RecordId,
    at: Timestamp,
    amount: Amount,
) -> Result<(), StoreError> {
    use crate::storage::Arrangement;
    let Some(Arrangement::DirectDebit(mut debit)) = tx.arrangement(ArrangementKind::DirectDebit, account, mandate)?
    else {
        return Ok(());
    };
    debit.previous = Some((at, amount));
    tx.arrangements_put(&[debit.into()])
}
