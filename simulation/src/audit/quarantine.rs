//! Checks that the quarantine contains exactly the planted work.

use crate::fault_injection::block_on;
use crate::planted::expected;
use crate::promise::{InvariantViolation, ensure};
use crate::world::World;
use lombard_ports::store::WorkKind;
use std::collections::BTreeSet;

/// Checks that exactly the planted work is quarantined.
///
/// # Errors
/// The unexpected work and the missing work.
pub(crate) fn is_all_in_quarantine(world: &World) -> Result<(), InvariantViolation> {
    let mut found = block_on(world.store.read(|tx| tx.quarantined(0, 10_000)))?;
    found.extend(block_on(world.bank.read(|tx| tx.quarantined(0, 10_000)))?);
    let causes: Vec<_> = found.iter().map(|it| format!("{:?}", it.work)).collect();
    let found: BTreeSet<_> = found.into_iter().map(|it| (it.work.kind, it.work.subject)).collect();
    let expected = expected();
    let missing = |one: &BTreeSet<_>, other: &BTreeSet<_>| {
        one.difference(other).map(|it: &(WorkKind, String)| format!("{it:?}")).collect::<Vec<_>>()
    };
    let more = missing(&found, &expected);
    let less = missing(&expected, &found);
    ensure(more.is_empty() && less.is_empty(), || {
        format!("{more:?} is in quarantine for nothing, and {less:?} is not; {causes:?}")
    })
}
