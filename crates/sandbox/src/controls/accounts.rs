//! Controls that change accounts, and that close, switch or block them.

use super::customers;
use lombard_corebank::is_shareable;
use lombard_corebank::storage::{BankAccountRecord, BankTransaction};
use lombard_domain::account::{AccountStatus, SwitchStatus};
use lombard_domain::event::AccountReason;
use lombard_domain::ids::{BankAccountId, FapiInteractionId};
use lombard_ports::clock::Clocks;
use lombard_ports::controls::{AccountClosure, AccountEdit, AccountView, BankControls, ClosedAccount, ControlError};
use lombard_service::Context;
use lombard_service::events::apply_account_changes;

/// The largest number of batches of changes that are applied before the control responds. The affected TPPs are then already informed.
const BATCHES_MAX: usize = 64;

/// Ends an account in the bank's tables, and stores the change for the server. Source: AIS-082.
pub(super) fn end_account_in(
    bank: &mut dyn BankTransaction,
    clocks: &Clocks,
    id: &BankAccountId,
    end: AccountClosure,
    interaction_id: Option<&FapiInteractionId>,
) -> Result<ClosedAccount, ControlError> {
    let now = clocks.read_bank_time(bank)?;
    let mut record = open_account(bank, id)?;
    record.account.status = match end {
        AccountClosure::Closed | AccountClosure::Switched => AccountStatus::Deleted,
        AccountClosure::Blocked => AccountStatus::Disabled,
    };
    record.account.status_changed_at = now;
    if end == AccountClosure::Switched {
        record.account.switch_status = Some(SwitchStatus::SwitchCompleted);
    }
    bank.bank_account_update(&record)?;
    bank.account_change_append(id, now, reason(end), interaction_id)?;
    Ok(ClosedAccount { id: record.account.id, status: record.account.status })
}

/// Changes an account's details in the bank's tables.
pub(super) fn change_account_in(
    bank: &mut dyn BankTransaction,
    id: &BankAccountId,
    change: &AccountEdit,
) -> Result<AccountView, ControlError> {
    let mut record = open_account(bank, id)?;
    if let Some(limit) = change.credit_limit {
        if record.account.currency != limit.currency {
            let code = record.account.currency.code();
            return Err(ControlError::Refused(format!("currency: the account is kept in {code}").into()));
        }
        record.credit_limit = i64::try_from(limit.minor).unwrap_or(i64::MAX);
    }
    if let Some(holder) = &change.holder {
        for identification in &mut record.account.identifications {
            identification.name = Some(holder.clone());
        }
    }
    bank.bank_account_update(&record)?;
    Ok(customers::view(bank, record)?)
}

/// The account with this id, locked until the transaction ends.
pub(super) fn locked_account(
    bank: &mut dyn BankTransaction,
    id: &BankAccountId,
) -> Result<BankAccountRecord, ControlError> {
    bank.bank_account_for_update(id)?.ok_or(ControlError::not_found(
        "there is no account with this id; GET /sandbox/psus lists them under the ids the bank knows",
    ))
}

/// The open account with this id, locked until the transaction ends.
fn open_account(bank: &mut dyn BankTransaction, id: &BankAccountId) -> Result<BankAccountRecord, ControlError> {
    let record = locked_account(bank, id)?;
    if is_shareable(record.account.status, true) {
        Ok(record)
    } else {
        Err(ControlError::conflict("the account is not open"))
    }
}

/// The reason that the server reports to TPPs. Source: SET-032.
const fn reason(end: AccountClosure) -> Option<AccountReason> {
    match end {
        AccountClosure::Closed => Some(AccountReason::Closure),
        AccountClosure::Switched => Some(AccountReason::Cass),
        // The standard has no reason code for a blocked account (SET-040).
        AccountClosure::Blocked => None,
    }
}

/// Ends an account at the bank, and makes the server inform the affected TPPs. Source: AIS-082, SET-032.
pub(super) async fn end_account(
    context: &Context,
    bank: &dyn BankControls,
    id: &BankAccountId,
    end: AccountClosure,
) -> Result<ClosedAccount, ControlError> {
    let ended = bank.account_end(id, end, context.outbox.interaction_id()).await?;
    apply_pending_changes(context).await;
    Ok(ended)
}

/// Applies the bank's changes of accounts at once, as the worker does. If that fails, the worker applies them later; the account has
/// ended nevertheless.
async fn apply_pending_changes(context: &Context) {
    for _ in 0..BATCHES_MAX {
        match apply_account_changes(context).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(failure) => {
                let error = &failure as &dyn std::error::Error;
                return tracing::warn!(error, "the TPPs of an account that has ended are not told yet");
            }
        }
    }
}
