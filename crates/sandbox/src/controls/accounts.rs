//! Closing, switching and blocking accounts.

use crate::joint::JointStore;
use lombard_corebank::is_open;
use lombard_corebank::storage::BankTransaction;
use lombard_domain::account::{AccountStatus, SwitchStatus};
use lombard_domain::event::AccountReason;
use lombard_domain::ids::BankAccountId;
use lombard_ports::clock::Clocks;
use lombard_ports::controls::{AccountClosure, BankControls, ControlError, EndedAccount};
use lombard_service::Context;
use lombard_service::events::raise_account_changed;

/// Ends an account in the bank's tables. Source: AIS-082.
pub(super) fn end_account_in(
    bank: &mut dyn BankTransaction,
    clocks: &Clocks,
    id: &BankAccountId,
    end: AccountClosure,
) -> Result<EndedAccount, ControlError> {
    let now = clocks.read_bank_time(bank)?;
    let found = bank.bank_accounts(std::slice::from_ref(id))?.pop();
    let mut record = found.ok_or(ControlError::not_found(
        "there is no account with this id; GET /sandbox/psus lists them under the ids the bank knows",
    ))?;
    if !is_open(record.account.status, true) {
        return Err(ControlError::conflict("the account is not open"));
    }
    record.account.status = match end {
        AccountClosure::Closed | AccountClosure::Switched => AccountStatus::Deleted,
        AccountClosure::Blocked => AccountStatus::Disabled,
    };
    record.account.status_changed_at = now;
    if end == AccountClosure::Switched {
        record.account.switch_status = Some(SwitchStatus::SwitchCompleted);
    }
    bank.bank_account_update(&record)?;
    Ok(EndedAccount { id: record.account.id, status: record.account.status })
}

/// The reason that TPPs are told. Source: SET-032.
const fn reason(end: AccountClosure) -> Option<AccountReason> {
    match end {
        AccountClosure::Closed => Some(AccountReason::Closure),
        AccountClosure::Switched => Some(AccountReason::Cass),
        // The standard has no reason code for it (SET-040).
        AccountClosure::Blocked => None,
    }
}

/// Ends an account and raises an event for every TPP with which it is shared, in one transaction. Source: AIS-082, SET-032.
pub(super) async fn end_account_jointly(
    context: &Context,
    joint: &JointStore,
    id: &BankAccountId,
    end: AccountClosure,
) -> Result<EndedAccount, ControlError> {
    let (id, outbox, clocks) = (id.clone(), context.outbox.clone(), context.clocks.clone());
    joint
        .write(move |tx| {
            let now = clocks.read_bank_time(&mut *tx.bank())?;
            let ended = end_account_in(&mut *tx.bank(), &clocks, &id, end)?;
            raise_account_changed(&mut *tx.server(), &outbox, &id, reason(end), now)?;
            Ok(ended)
        })
        .await
}

/// Ends an account at the bank, then raises the events at the server.
pub(super) async fn end_account_at(
    context: &Context,
    bank: &dyn BankControls,
    id: &BankAccountId,
    end: AccountClosure,
) -> Result<EndedAccount, ControlError> {
    let ended = bank.account_end(id, end).await?;
    let (id, outbox, clocks) = (id.clone(), context.outbox.clone(), context.clocks.clone());
    context
        .store
        .write(move |tx| {
            let now = clocks.read_bank_time(tx)?;
            raise_account_changed(tx, &outbox, &id, reason(end), now)
        })
        .await?;
    Ok(ended)
}
