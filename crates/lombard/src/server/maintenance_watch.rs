//! Follows the notices of maintenance on a node, and acts when maintenance begins and ends.

use lombard_edge::App;
use lombard_ports::store::StoreError;
use lombard_service::maintenance::{Downtime, MaintenanceState};
use std::sync::Arc;
use tokio::sync::Mutex;

const IN_FORCE: &str = "lombard_maintenance";

/// Follows the notices of all nodes on this node. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct MaintenanceWatch {
    app: App,
    /// What was in force when the node looked last. Looks wait for each other, so that none adopts notices that are older than
    /// those of another.
    last: Arc<Mutex<Option<Downtime>>>,
}

impl MaintenanceWatch {
    pub(super) fn new(app: App) -> Self {
        Self { app, last: Arc::default() }
    }

    /// What the node knows.
    pub(super) fn state(&self) -> &MaintenanceState {
        &self.app.maintenance
    }

    /// Reads the notices from storage, and acts on a start or an end since the last look: log line, metric, and held polls, which are
    /// answered when maintenance begins.
    ///
    /// # Errors
    /// [`StoreError`]; the node then follows the notices that it knows.
    pub(super) async fn look(&self) -> Result<(), StoreError> {
        let mut last = self.last.lock().await;
        let now = self.app.context.clocks.wall_now();
        let read = self.state().refresh(&self.app.context.store, now).await;
        let found = self.state().in_force(now);
        self.note(std::mem::replace(&mut *last, found), found);
        read
    }

    /// Looks after an act of this node's operator, which the node follows at once. The act is stored, so a node that cannot read
    /// it now reads it later.
    pub(super) async fn follow_act(&self) {
        if let Err(error) = self.look().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "the notices of maintenance were not read");
        }
    }

    fn note(&self, before: Option<Downtime>, found: Option<Downtime>) {
        let is_in_force = |planned: bool| found.is_some_and(|downtime| downtime.is_planned == planned);
        for (kind, planned) in [("planned", true), ("unplanned", false)] {
            metrics::gauge!(IN_FORCE, "kind" => kind).set(if is_in_force(planned) { 1.0 } else { 0.0 });
        }
        if found.is_some() {
            // Also at later looks: a poll may have passed the check just before.
            self.app.event_polling.release_held_polls();
        }
        match (before, found) {
            (None, Some(Downtime { until, is_planned, .. })) => {
                let until = until.map(tracing::field::display);
                tracing::info!(maintenance.planned = is_planned, maintenance.until = until, "maintenance has begun");
            }
            (Some(_), None) => tracing::info!("maintenance has ended"),
            (Some(Downtime { is_planned: true, .. }), Some(Downtime { is_planned: false, .. })) => {
                tracing::warn!("maintenance goes on past its announced end; `lombard maintenance end` ends it");
            }
            _ => {}
        }
    }
}
