//! Checks that the policy of cargo-deny agrees with the checks of this program.

use crate::check::bans::BANNED;
use crate::check::licences::ALLOWED;
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Debug, Deserialize)]
struct Policy {
    licenses: Licences,
    bans: Bans,
    sources: Sources,
}

#[derive(Debug, Deserialize)]
struct Licences {
    allow: BTreeSet<String>,
}

#[derive(Debug, Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    unknown_registry: String,
    unknown_git: String,
}

/// Returns the faults of the policy.
pub(super) fn check(policy: &str) -> Vec<String> {
    let Policy { licenses, bans, sources } = match toml::from_str(policy) {
        Ok(policy) => policy,
        Err(error) => return vec![error.to_string()],
    };
    let mut found = differences("the allowed licences", &licenses.allow, &ALLOWED.map(str::to_owned).into());
    let stated = bans.deny.into_iter().map(|ban| format!("{}: {}", ban.name, ban.reason)).collect();
    let banned = BANNED.map(|(name, reason)| format!("{name}: {reason}")).into();
    found.extend(differences("the banned crates", &stated, &banned));
    if [sources.unknown_registry, sources.unknown_git].iter().any(|it| it != "deny") {
        found.push("does not deny unknown sources".to_owned());
    }
    found
}

/// The elements that only one of two lists contains.
fn differences(what: &str, stated: &BTreeSet<String>, checked: &BTreeSet<String>) -> Vec<String> {
    let added =
        stated.difference(checked).map(|it| format!("{what} have \"{it}\", which xtask/src/check does not have"));
    let lacking = checked.difference(stated).map(|it| format!("{what} lack \"{it}\", which xtask/src/check has"));
    added.chain(lacking).collect()
}
