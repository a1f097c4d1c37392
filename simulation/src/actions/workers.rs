//! What the workers of nodes do.

use super::{ActionResult, RunningAction};
use crate::world::Node;
use lombard_service::Failure;
use lombard_service::payments::{execution, expiry, files};

/// What a worker of a node does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WorkerKind {
    /// Orders are given to the bank.
    Submit,
    /// The bank's news are heard.
    ApplyUpdates,
    /// The bank does what is due.
    RunDue,
    /// Undecided consents are rejected.
    Reject,
    /// Orders nobody agrees to in time are ended.
    LapseOrders,
    /// Files that nobody took are removed.
    RemoveUploads,
    /// The node hears where the bank's clock was moved to.
    Follow,
}

impl WorkerKind {
    /// All of it.
    pub(crate) const ALL: [Self; 7] = [
        Self::Follow,
        Self::Submit,
        Self::ApplyUpdates,
        Self::RunDue,
        Self::Reject,
        Self::LapseOrders,
        Self::RemoveUploads,
    ];

    /// One activation. Returns how much was done.
    ///
    /// # Errors
    /// Whatever failed.
    pub(crate) async fn activate(self, node: &Node) -> Result<usize, Failure> {
        match self {
            Self::Submit => execution::submit_orders(&node.context).await,
            Self::ApplyUpdates => execution::apply_status_updates(&node.context).await,
            Self::RunDue => {
                Ok(node.scheduler.run_due().await.map(|done| usize::try_from(done).unwrap_or(usize::MAX))?)
            }
            Self::Reject => expiry::reject_undecided_consents(&node.context).await,
            Self::LapseOrders => expiry::lapse_orders(&node.context).await,
            Self::RemoveUploads => Ok(files::remove_abandoned_uploads(&node.context)
                .await
                .map(|gone| usize::try_from(gone).unwrap_or(usize::MAX))?),
            Self::Follow => Ok(node.clock.adopt_stored_offset().await.map(|()| 0)?),
        }
    }
}

/// A worker is activated.
pub(crate) fn work(node: &Node, work: WorkerKind) -> RunningAction {
    let node = node.clone();
    Box::pin(async move { ActionResult::Ended(work.activate(&node).await.map(drop)) })
}
