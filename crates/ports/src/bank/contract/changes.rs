//! The contract of changes that the server and the bank report to each other outside requests: changes of accounts and of
//! consents.

use super::facts::{BankFacts, PaymentFacts};
use super::promise::{BankContractViolation, Proceed, Promise, ensure, promises};
use crate::bank::{Bank, CallContext, ConsentChange, ConsentChangeKind};
use lombard_domain::consent::ConsentKind;
use lombard_domain::ids::ConsentId;

/// The number of changes asked for at a time.
const CHANGES: u32 = 1_000;

/// The promises about changes that are read.
pub(super) const READING: &[Promise] = promises! {
    Accounts, Reads:
    "account changes are numbered", "Changes of accounts come by number without gaps, and come again until they are acknowledged."
        => account_changes_are_numbered;
};

/// The promises about changes that are reported to the bank.
pub(super) const WRITING: &[Promise] = promises! {
    Payments, Writes:
    "account changes come until they are acknowledged", "A change of an account is answered until it is acknowledged, and not after it; the others keep their numbers."
        => account_changes_come_until_they_are_acknowledged;
    "a late consent change is ignored", "A change with a lower number than one that was taken has no effect."
        => a_late_consent_change_is_ignored;
};

/// Changes of accounts are numbered without gaps, and are returned until they are acknowledged.
///
/// # Errors
/// [`BankContractViolation`].
async fn account_changes_are_numbered(bank: &dyn Bank, _: &BankFacts) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "account changes are numbered";
    let changes = bank.fetch_account_changes(&CallContext::default(), CHANGES).await?;
    let numbers = || changes.iter().map(|it| it.number);
    let first = numbers().next().unwrap_or(1);
    ensure(first >= 1 && numbers().eq((first..).take(changes.len())), PROMISE, &changes)?;
    let again = bank.fetch_account_changes(&CallContext::default(), CHANGES).await?;
    ensure(again.starts_with(&changes), PROMISE, (&changes, &again))
}

/// An acknowledgement ends the delivery of the changes up to its number and of no others, also if it is repeated.
///
/// # Errors
/// [`BankContractViolation`].
async fn account_changes_come_until_they_are_acknowledged(
    bank: &dyn Bank,
    _: (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "account changes come until they are acknowledged";
    let call = CallContext::default();
    let changes = bank.fetch_account_changes(&call, CHANGES).await?;
    let Some((first, others)) = changes.split_first() else { return Ok(()) };
    for upto in [first.number, first.number, first.number.saturating_sub(1)] {
        bank.acknowledge_account_changes(&call, upto).await?;
        let left = bank.fetch_account_changes(&call, CHANGES).await?;
        ensure(left.starts_with(others) && !left.contains(first), PROMISE, (&changes, &left))?;
    }
    Ok(())
}

/// A late change of a consent sets no state; a repeated change sets the same state again.
///
/// # Errors
/// [`BankContractViolation`].
async fn a_late_consent_change_is_ignored(
    bank: &dyn Bank,
    (facts, _): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "a late consent change is ignored";
    if !bank.takes_consent_changes() {
        return Ok(());
    }
    let change = |number, change| ConsentChange {
        consent: ConsentId::from(format!("{}-consent", facts.order.id.as_str())),
        kind: ConsentKind::AccountAccess,
        number,
        at: facts.order.created_at,
        change,
        psu: Some(facts.psu.clone()),
        accounts: vec![facts.order.debtor.clone()],
        limits: None,
        expires_at: None,
    };
    let call = CallContext::default();
    bank.report_consent_change(&call, &change(2, ConsentChangeKind::Authorised)).await?;
    let revoked = change(6, ConsentChangeKind::Revoked);
    let state = bank.report_consent_change(&call, &revoked).await?;
    let again = bank.report_consent_change(&call, &revoked).await?;
    ensure(again == state, "a repeated consent change is answered alike", (&state, &again))?;
    let late = bank.report_consent_change(&call, &change(4, ConsentChangeKind::Changed)).await?;
    ensure(late.is_none() || late == state, PROMISE, (&state, &late))
}
