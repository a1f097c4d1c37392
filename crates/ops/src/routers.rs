//! The routers of the ops listener and of the built-in bank's process.

use crate::core_api::CoreApi;
use crate::guard::AllowedHosts;
use crate::operations::Operations;
use crate::sandbox::SandboxTools;
use crate::staff::StaffDoor;
use crate::{LIVENESS_PATH, bank_controls, core_api, health, routes};
use axum::Router;
use lombard_edge::layers::{LayerContext, apply_layers};
use lombard_edge::start_barrier::{StartBarrier, wait_for_barrier_except};
use lombard_ports::controls::BankControls;
use std::sync::Arc;

/// The router of the ops listener: health, metrics, operations and, in a sandbox, its controls. All routes except the liveness check wait
/// until the start barrier opens; without a response to that check, a command would assume that the server is not running.
pub fn ops_router(
    operations: Arc<dyn Operations>,
    sandbox: SandboxTools,
    door: StaffDoor,
    hosts: AllowedHosts,
    around: LayerContext,
    barrier: Option<&StartBarrier>,
) -> Router {
    apply_layers(wait_for_barrier_except(routes(operations, sandbox, door, hosts), barrier, &[LIVENESS_PATH]), around)
}

/// Health and metrics alone, for balancers, orchestrators and monitoring: the name in `Host` does not matter, and HTTP/1.0 without
/// one is answered. All of it but the liveness check waits behind the barrier.
pub fn health_router(operations: Arc<dyn Operations>, around: LayerContext, barrier: Option<&StartBarrier>) -> Router {
    let routes = health::routes().with_state(operations).into_router();
    apply_layers(wait_for_barrier_except(routes, barrier, &[LIVENESS_PATH]), around)
}

/// The core API, and the bank's side of the sandbox's controls, of the built-in bank in a process of its own. The listener asks
/// for a certificate of the bank's own authority.
pub fn bank_process_router(core: CoreApi, controls: Arc<dyn BankControls>, around: LayerContext) -> Router {
    apply_layers(core_api::routes(core).merge(bank_controls::routes(controls)), around)
}
