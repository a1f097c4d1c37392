//! Closing, switching and blocking accounts.

use crate::joint::JointStore;
use lombard_corebank::is_open;
use lombard_domain::account::{Account, AccountStatus, SwitchStatus};
use lombard_domain::event::AccountReason;
use lombard_domain::ids::BankAccountId;
use lombard_ports::controls::{AccountClosure, ControlError};
use lombard_service::Context;
use lombard_service::events::raise_account_changed;

/// Ends an account and raises an event for every TPP with which it is shared, in one transaction. Source: AIS-082, SET-032.
pub(super) async fn end(
    context: &Context,
    joint: &JointStore,
    id: &BankAccountId,
    end: AccountClosure,
) -> Result<Account, ControlError> {
    let (id, outbox, clocks) = (id.clone(), context.outbox.clone(), context.clocks.clone());
    joint
        .write(move |tx| {
            let now = clocks.read_bank_time(&mut *tx.bank())?;
            let found = tx.bank().bank_accounts(std::slice::from_ref(&id))?.pop();
            let mut record = found.ok_or(ControlError::NotFound(
                "there is no account with this id; GET /sandbox/psus lists them under the ids the bank knows",
            ))?;
            if !is_open(record.account.status, true) {
                return Err(ControlError::Conflict("the account is not open"));
            }
            let (status, reason) = match end {
                AccountClosure::Closed => (AccountStatus::Deleted, Some(AccountReason::Closure)),
                AccountClosure::Switched => (AccountStatus::Deleted, Some(AccountReason::Cass)),
                // The standard has no reason code for it (SET-040).
                AccountClosure::Blocked => (AccountStatus::Disabled, None),
            };
            record.account.status = status;
            record.account.status_changed_at = now;
            if end == AccountClosure::Switched {
                record.account.switch_status = Some(SwitchStatus::SwitchCompleted);
            }
            tx.bank().bank_account_update(&record)?;
            raise_account_changed(&mut *tx.server(), &outbox, &id, reason, now)?;
            Ok(record.account)
        })
        .await
}
