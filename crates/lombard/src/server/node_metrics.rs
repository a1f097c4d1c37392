//! The metrics of a running server: those that the process counts, and those that are read when they are asked for.

use crate::telemetry::{SampledValues, write_sampled_metrics};
use lombard_database::Database;
use lombard_edge::layers::TppRequestCounts;
use metrics_exporter_prometheus::PrometheusHandle;
use std::sync::Arc;

/// The metrics of a server. Clones share them.
#[derive(Clone)]
pub(super) struct NodeMetrics {
    pub(super) counted: PrometheusHandle,
    /// The requests of the busiest TPPs.
    pub(super) tpps: Arc<TppRequestCounts>,
    pub(super) database: Database,
}

impl NodeMetrics {
    /// Renders all metrics in Prometheus' text format.
    pub(super) fn render(&self, is_ready: bool) -> String {
        let mut text = self.counted.render();
        let sampled = SampledValues { is_ready, tpps: self.tpps.counts(), pool: self.database.pool_use() };
        write_sampled_metrics(&mut text, &sampled);
        text
    }
}
