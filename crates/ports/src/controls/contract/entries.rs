//! Promises about money that a tester moves, and about due work.

use super::promise::{ControlsContractViolation, ensure};
use crate::controls::{AccountView, ClockMove, ControlError, NewEntry, SandboxControls};
use jiff::SignedDuration;
use lombard_domain::account::{AccountStatus, EntryStatus};
use lombard_domain::ids::PsuId;
use lombard_domain::money::Currency;
use std::time::Duration;

fn entry(account: &AccountView, minor: i64, is_pending: bool) -> NewEntry {
    let (id, currency) = (String::new().into(), account.currency);
    NewEntry { id, minor, currency, is_pending, counterparty: None, reference: Some("R".to_owned()) }
}

/// The first open account of this customer.
pub(super) async fn open_account(controls: &dyn SandboxControls, psu: &PsuId) -> Result<AccountView, ControlError> {
    let customers = controls.customer_views().await?.into_iter().filter(|customer| customer.psu == *psu);
    let open = customers.flat_map(|it| it.accounts).find(|it| it.status == AccountStatus::Enabled);
    open.ok_or(ControlError::not_found("the customer has no open account"))
}

/// A booked entry changes the booked balance at once. A pending debit changes the pending balance; a pending credit changes no
/// balance before it is booked. An invalid entry is refused and changes nothing.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn an_entry_moves_money_on_an_open_account(
    controls: &dyn SandboxControls,
    psu: &PsuId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "an entry moves money on an open account";
    let before = open_account(controls, psu).await?;
    let sums = |view: &AccountView| (view.booked, view.pending);
    let added = controls.entry_add(&before.id, entry(&before, 150, false)).await?;
    let after = open_account(controls, psu).await?;
    ensure(sums(&after) == (before.booked + 150, before.pending), PROMISE, (sums(&before), sums(&after)))?;
    let told = (added.status, added.minor, added.balance_minor);
    ensure(told == (EntryStatus::Booked, 150, Some(after.booked)), PROMISE, &added)?;
    for (minor, pending) in [(-50, -50), (70, 0)] {
        let before = open_account(controls, psu).await?;
        let added = controls.entry_add(&before.id, entry(&before, minor, true)).await?;
        let after = open_account(controls, psu).await?;
        let expected = (before.booked, before.pending + pending);
        ensure(sums(&after) == expected && added.status == EntryStatus::Pending, PROMISE, (added, sums(&after)))?;
    }
    let before = open_account(controls, psu).await?;
    let other = if before.currency == Currency::GBP { Currency::USD } else { Currency::GBP };
    let foreign = NewEntry { currency: other, ..entry(&before, 1, false) };
    let refused = controls.entry_add(&before.id, foreign).await;
    ensure(matches!(refused, Err(ControlError::Refused(_))), PROMISE, refused)?;
    for is_pending in [false, true] {
        let refused = controls.entry_add(&before.id, entry(&before, -1_000_000_000_000, is_pending)).await;
        ensure(matches!(refused, Err(ControlError::Conflict(_))), PROMISE, refused)?;
    }
    let refused = controls.entry_add(&"no such account".into(), entry(&before, 1, false)).await;
    ensure(matches!(refused, Err(ControlError::NotFound(_))), PROMISE, refused)?;
    let after = open_account(controls, psu).await?;
    ensure(sums(&after) == sums(&before), PROMISE, sums(&after))
}

/// After a move of the clock all due work is done, for example a pending debit is booked. The clock is moved back afterwards.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn what_is_due_is_carried_out(
    controls: &dyn SandboxControls,
    psu: &PsuId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "what is due is carried out";
    let start = controls.clock().await?;
    let before = open_account(controls, psu).await?;
    controls.entry_add(&before.id, entry(&before, -30, true)).await?;
    controls.clock_move(ClockMove::By(SignedDuration::from_hours(25))).await?;
    let left = controls.due_work_run_all(Duration::from_secs(60)).await?;
    ensure(left.is_empty(), PROMISE, left)?;
    let left = controls.due_work_list().await?;
    ensure(left.is_empty(), PROMISE, left)?;
    let after = open_account(controls, psu).await?;
    ensure(after.pending >= before.pending, PROMISE, (before.pending, after.pending))?;
    controls.clock_move(ClockMove::To(start)).await?;
    Ok(())
}
