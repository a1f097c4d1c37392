//! The handlers of the Read/Write API: parse the request, call the use-case, render the response.

pub(crate) mod accounts;
pub(crate) mod consents;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod funds;
pub(crate) mod payments;
pub(crate) mod vrp;
