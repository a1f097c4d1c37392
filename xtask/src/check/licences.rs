//! Checks that every dependency's licence allows distribution under Apache-2.0. The licences come from Cargo's metadata, so the crates of
//! all platforms must have been fetched before.

use super::findings::fail_on;
use crate::command::workspace;
use crate::error::TaskError;
use cargo_metadata::MetadataCommand;

/// Licences that only require their text to be kept.
pub(super) const ALLOWED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Zlib",
];

pub(super) fn check() -> Result<(), TaskError> {
    let options = ["--offline", "--locked"].map(str::to_owned).to_vec();
    let metadata = MetadataCommand::new().current_dir(workspace()).other_options(options).exec()?;
    let mut found = Vec::new();
    for package in &metadata.packages {
        let licence = package.license.as_deref().unwrap_or("no licence");
        if !is_allowed(licence) {
            found.push(format!("{} {}: {licence}", package.name, package.version));
        }
    }
    fail_on("licences that are not on the list", &found)
}

/// Whether an SPDX expression can be satisfied with licences from the list.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    either(&mut rest) == Some(true) && rest.is_empty()
}

fn either(rest: &mut &[&str]) -> Option<bool> {
    let mut allowed = both(rest)?;
    while take(rest, "OR") {
        allowed |= both(rest)?;
    }
    Some(allowed)
}

fn both(rest: &mut &[&str]) -> Option<bool> {
    let mut allowed = one(rest)?;
    while take(rest, "AND") {
        allowed &= one(rest)?;
    }
    Some(allowed)
}

fn one(rest: &mut &[&str]) -> Option<bool> {
    let (word, after) = rest.split_first()?;
    *rest = after;
    if *word == "(" {
        let inside = either(rest)?;
        return take(rest, ")").then_some(inside);
    }
    // A licence exception only grants more rights.
    if take(rest, "WITH") {
        *rest = rest.split_first()?.1;
    }
    Some(ALLOWED.contains(word))
}

fn take(rest: &mut &[&str], word: &str) -> bool {
    match rest.split_first() {
        Some((first, after)) if *first == word => {
            *rest = after;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn an_expression_is_allowed_if_one_choice_is() {
        for (expression, allowed) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("GPL-3.0-only AND MIT", false),
            ("(MIT OR GPL-3.0-only) AND Unicode-3.0", true),
            ("MIT OR Apache-2.0 AND GPL-3.0-only", true),
            ("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only", true),
            ("no licence", false),
            ("(MIT", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression), allowed, "{expression}");
        }
    }
}
