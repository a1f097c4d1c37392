//! Error messages that name what a request lacks. They disclose only the TPP's own token and consent.

use lombard_domain::scope::{Scope, Scopes};

/// The message for a token without the scope of the resource. Source: RW-105.
pub(super) fn scope_missing_message(needed: &[Scope], held: Scopes) -> String {
    let needed = one_of(needed.iter().map(|scope| scope.name()));
    let held = if held.is_empty() { "none".to_owned() } else { held.to_string() };
    format!("The token does not have the scope for this resource: it needs {needed} and has {held}.")
}

/// The message for a consent without a permission of the resource. Source: RW-106.
pub(super) fn permission_missing_message(lacking: &[&'static str]) -> String {
    let message = "The consent does not hold the permission for this resource";
    match lacking {
        [] => format!("{message}."),
        lacking => format!("{message}: it needs {}.", one_of(lacking.iter().copied())),
    }
}

fn one_of(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(" or ")
}
