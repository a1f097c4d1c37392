//! What the pages of the console work with.

use crate::index::OpsRoute;
use crate::operations::Ops;
use crate::staff::StaffDoor;
use std::sync::Arc;

/// What the pages work with. Clones share it.
#[derive(Clone)]
pub(crate) struct Console {
    pub(super) door: StaffDoor,
    pub(super) operations: Ops,
    /// The routes that the page of the role lists.
    pub(super) listed: Arc<[OpsRoute]>,
}
