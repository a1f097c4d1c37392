//! The bank's staff at the ops listener: who calls, what each role may do, and the pages of the login.
//!
//! [`permissions`] is the table of what each role may do. [`gate`] identifies the caller of every route and looks the route up: a route that
//! is not in the table is refused. Handlers get the act by [`StaffAct`](lombard_domain::staff::StaffAct) extractors of [`act`].

pub(crate) mod act;
mod door;
mod gate;
mod pages;
mod permissions;
#[cfg(test)]
pub(crate) mod tests;
mod visit;

pub use act::{Act, ReasonGiven, Staff};
pub use door::{StaffDoor, StaffListener, StaffMethod};
pub(crate) use gate::admit;
pub use pages::CALLBACK_PATH;
pub(crate) use pages::routes;
pub(crate) use permissions::permission_of;
pub use permissions::{Access, FoundPermission, StaffPermission, find_permission};
pub use visit::StaffVisit;
