//! The server's work that is due on its clocks, kind by kind: for whoever wants all of it done now, or to know what is left.
//!
//! The workers do this work anyway, each on its own period. Doing it here as well is safe, as it is on two nodes.

use crate::payments::{SUBMISSION_JOB_KIND, execution, expiry, submission};
use crate::{Context, Failure, consents, events};
use jiff::{SignedDuration, Timestamp};
use lombard_ports::store::{JobsLeft, ServerTransaction};

/// What is due so soon is due now: shorter than the wait before failed work is tried again.
const SHORTLY: SignedDuration = SignedDuration::from_millis(500);

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueWork {
    /// Orders that are submitted to the bank.
    OrderSubmissions,
    /// The bank's status updates of orders.
    StatusUpdates,
    /// The bank's changes of accounts.
    AccountChanges,
    /// Expiries of consents that TPPs are told of, and changes of consents that the bank is told of.
    ConsentChanges,
    /// Payment consents that were left undecided too long.
    UndecidedConsents,
    /// Orders that were not approved in time.
    LapsedOrders,
}

/// What is left of a kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkLeft {
    /// Nothing.
    Nothing,
    /// Work that can be done now, or is being done.
    Due,
    /// Work that failed and is tried again later.
    Deferred,
}

impl DueWork {
    /// All of it, in the order in which one kind causes another.
    pub const ALL: [Self; 6] = [
        Self::UndecidedConsents,
        Self::LapsedOrders,
        Self::OrderSubmissions,
        Self::StatusUpdates,
        Self::AccountChanges,
        Self::ConsentChanges,
    ];

    /// Its name.
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

    /// Does a batch of it. Returns how much was done; zero means that none can be done now.
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

    /// What is left of it. Work in quarantine is not counted: an operator has it tried again.
    ///
    /// # Errors
    /// The bank's failure, or storage's.
    pub async fn look(self, context: &Context) -> Result<WorkLeft, Failure> {
        let wall = context.clocks.wall_now();
        match self {
            Self::OrderSubmissions => {
                // The next payments of a large file are held back for a moment.
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
                    return Ok(WorkLeft::Due);
                }
                jobs_left(context, events::ACCOUNT_CHANGE_JOB_KIND, wall).await
            }
            Self::ConsentChanges => {
                let changes = if context.bank.takes_consent_changes() {
                    jobs_left(context, consents::CHANGE_JOB_KIND, wall).await?
                } else {
                    WorkLeft::Nothing
                };
                let ends = jobs_left(context, consents::EXPIRY_JOB_KIND, context.clocks.bank_now()).await?;
                Ok(if changes == WorkLeft::Nothing { ends } else { changes })
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

const fn due_if(is_due: bool) -> WorkLeft {
    if is_due { WorkLeft::Due } else { WorkLeft::Nothing }
}

async fn jobs_left(context: &Context, kind: &'static str, now: Timestamp) -> Result<WorkLeft, Failure> {
    let look = move |tx: &mut dyn ServerTransaction| Ok::<_, Failure>(tx.jobs_left(kind, now)?);
    Ok(match context.store.read(look).await? {
        JobsLeft { due: 0, deferred: 0 } => WorkLeft::Nothing,
        JobsLeft { due: 0, .. } => WorkLeft::Deferred,
        JobsLeft { .. } => WorkLeft::Due,
    })
}
