//! Activates the workers of nodes.

use super::{ActionResult, RunningAction};
use crate::world::Node;
use lombard_ports::controls::ControlError;
use lombard_service::Failure;
use lombard_service::payments::{execution, expiry, files, submission};

/// The kinds of workers of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WorkerKind {
    /// Submits orders to the bank.
    Submit,
    /// Applies the bank's status updates.
    ApplyUpdates,
    /// Runs the bank's scheduler.
    RunDue,
    /// Rejects expired consents.
    Reject,
    /// Rejects orders that were not approved in time.
    LapseOrders,
    /// Removes abandoned uploads.
    RemoveUploads,
    /// Adopts the bank's clock offset.
    Follow,
}

impl WorkerKind {
    /// All kinds.
    pub(crate) const ALL: [Self; 7] = [
        Self::Follow,
        Self::Submit,
        Self::ApplyUpdates,
        Self::RunDue,
        Self::Reject,
        Self::LapseOrders,
        Self::RemoveUploads,
    ];

    /// Runs one activation of the worker. Returns the number of processed items.
    ///
    /// # Errors
    /// The failure of the worker.
    pub(crate) async fn activate(self, node: &Node) -> Result<usize, Failure> {
        match self {
            Self::Submit => submission::submit_orders(&node.context).await,
            Self::ApplyUpdates => execution::apply_status_updates(&node.context).await,
            Self::RunDue => {
                Ok(node.scheduler.run_due().await.map(|done| usize::try_from(done).unwrap_or(usize::MAX))?)
            }
            Self::Reject => expiry::reject_undecided_consents(&node.context).await,
            Self::LapseOrders => expiry::reject_lapsed_orders(&node.context).await,
            Self::RemoveUploads => Ok(files::remove_abandoned_uploads(&node.context)
                .await
                .map(|gone| usize::try_from(gone).unwrap_or(usize::MAX))?),
            Self::Follow => node.clock.adopt_stored_offset().await.map(|_| 0).map_err(not_followed),
        }
    }
}

/// Starts an activation of a worker as an action.
pub(crate) fn work(node: &Node, work: WorkerKind) -> RunningAction {
    let node = node.clone();
    Box::pin(async move { ActionResult::Ended(work.activate(&node).await.map(drop)) })
}

/// Maps a failure to adopt the bank's clock.
fn not_followed(error: ControlError) -> Failure {
    match error {
        ControlError::Unavailable(cause) => Failure::Unavailable(cause),
        other => Failure::Broken(other.into()),
    }
}
