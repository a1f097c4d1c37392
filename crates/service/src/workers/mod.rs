//! Work nobody waits for. An activation takes no input, does a bounded batch, and is safe to run twice and on two nodes.

mod purge;
mod quarantine;

pub use purge::purge;
pub(crate) use quarantine::is_lasting;
pub use quarantine::{QuarantineContents, Quarantines, quarantine};
