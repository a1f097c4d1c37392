//! The due work of the server, by kind. A sandbox uses this module to run all due work at once and to list the rest.
//!
//! The workers do this work as well, each on its own period. Running it here at the same time is safe, as it is on two nodes.

use crate::payments::{SUBMISSION_JOB_KIND, execution, expiry, submission};
use crate::{Context, Failure, consents, events};
use jiff::{SignedDuration, Timestamp};
use lombard_ports::store::{JobsLeft, ServerTransaction};

/// Work that is due within this time counts as due now. The time is shorter than the wait before failed work is retried.
const SHORTLY: SignedDuration = SignedDuration::from_millis(500);

/// A kind of due work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueWork {
    /// The submission of orders to the bank.
    OrderSubmissions,
    /// The application of the bank's status updates of orders.
    StatusUpdates,
    /// The application of the bank's changes of accounts.
    AccountChanges,
    /// Events about expired consents, and reports of changed consents to the bank.
    ConsentChanges,
    /// The rejection of payment consents that were left undecided too long.
    UndecidedConsents,
    /// The rejection of orders that were not approved in time.
    LapsedOrders,
}

/// The remaining work of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemainingWork {
    /// No work remains.
    Nothing,
    /// Work remains that can be done now, or is being done.
    Due,
    /// Work remains that failed and is retried later.
    Deferred,
}

impl DueWork {
    /// Every kind, in the order in which one kind causes another.
    pub const ALL: [Self; 6] = [
        Self::UndecidedConsents,
        Self::LapsedOrders,
        Self::OrderSubmissions,
        Self::StatusUpdates,
        Self::AccountChanges,
        Self::ConsentChanges,
    ];

    /// The name of the kind, as logged and shown.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OrderSubmissions => "order-submissions",
            Self::StatusUpdates => "status-updates",
            Self::AccountChanges => "account-changes",
            Self::ConsentChanges => "consent-changes",
            Self::UndecidedConsents => "undecided-consents",
            Self::LapsedOrders => "lapsed-orders",
        }
    }

    /// Runs a batch of this kind of work. Returns the number of items done; zero means that nothing can be done now.
    ///
    /// # Errors
    /// The bank's failure, or storage's.
    pub async fn run(self, context: &Context) -> Result<usize, Failure> {
        match self {
            Self::OrderSubmissions => submission::submit_orders(context).await,
            Self::StatusUpdates => execution::apply_status_updates(context).await,
            Self::AccountChanges => events::apply_account_changes(context).await,
            Self::ConsentChanges => consents::report_consent_changes(context).await,
            Self::UndecidedConsents => expiry::reject_undecided_consents(context).await,
            Self::LapsedOrders => expiry::reject_lapsed_orders(context).await,
        }
    }

    /// The remaining work of this kind. Quarantined work is not counted, because only an operator can retry it.
    ///
    /// # Errors
    /// The bank's failure, or storage's.
    pub async fn remaining(self, context: &Context) -> Result<RemainingWork, Failure> {
        let wall = context.clocks.wall_now();
        match self {
            Self::OrderSubmissions => {
                // The next payments of a large file are due a moment later.
                let shortly = wall.saturating_add(SHORTLY).unwrap_or(wall);
                jobs_left(context, SUBMISSION_JOB_KIND, shortly).await
            }
            Self::StatusUpdates => {
                let waiting = context.bank.fetch_status_updates(&context.call, 1).await?;
                Ok(due_if(!waiting.is_empty()))
            }
            Self::AccountChanges => {
                let waiting = context.bank.fetch_account_changes(&context.call, 1).await?;
                if !waiting.is_empty() {
                    return Ok(RemainingWork::Due);
                }
                jobs_left(context, events::ACCOUNT_CHANGE_JOB_KIND, wall).await
            }
            Self::ConsentChanges => {
                let changes = if context.bank.takes_consent_changes() {
                    jobs_left(context, consents::CHANGE_JOB_KIND, wall).await?
                } else {
                    RemainingWork::Nothing
                };
                let ends = jobs_left(context, consents::EXPIRY_JOB_KIND, context.clocks.bank_now()).await?;
                Ok(if changes == RemainingWork::Nothing { ends } else { changes })
            }
            Self::UndecidedConsents => {
                let found = context.store.read(expiry::undecided_consents(context, 1)).await?;
                Ok(due_if(!found.is_empty()))
            }
            Self::LapsedOrders => {
                let found = context.store.read(expiry::lapsed_orders(context, 1)).await?;
                Ok(due_if(!found.is_empty()))
            }
        }
    }
}

const fn due_if(is_due: bool) -> RemainingWork {
    if is_due { RemainingWork::Due } else { RemainingWork::Nothing }
}

async fn jobs_left(context: &Context, kind: &'static str, now: Timestamp) -> Result<RemainingWork, Failure> {
    let look = move |tx: &mut dyn ServerTransaction| Ok::<_, Failure>(tx.jobs_left(kind, now)?);
    Ok(match context.store.read(look).await? {
        JobsLeft { due: 0, deferred: 0 } => RemainingWork::Nothing,
        JobsLeft { due: 0, .. } => RemainingWork::Deferred,
        JobsLeft { .. } => RemainingWork::Due,
    })
}
