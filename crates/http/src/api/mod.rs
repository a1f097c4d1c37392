//! The handlers of the Read/Write API: read the question, call the use-case, write the answer.

pub(crate) mod accounts;
pub(crate) mod consents;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod funds;
pub(crate) mod payments;
#[cfg(test)]
mod tests;
pub(crate) mod vrp;
