//! Checks the rows of the crates (docs/architecture.md): a crate may depend only on crates in rows below its own.

use cargo_metadata::{DependencyKind, Metadata};

/// The row of each crate. A crate may depend on crates in lower rows, or along [`SAME_ROW_DEPENDENCIES`].
const ROWS: [(&str, u8); 26] = [
    ("lombard-domain", 0),
    ("lombard-traces", 0),
    ("lombard-ports", 1),
    ("lombard-jose", 1),
    ("lombard-files", 1),
    ("lombard-wire", 2),
    ("lombard-service", 2),
    ("lombard-database", 2),
    ("lombard-pkcs11", 2),
    ("lombard-core-api", 3),
    ("lombard-auth", 3),
    ("lombard-store", 3),
    ("lombard-corebank", 3),
    ("lombard-edge", 4),
    ("lombard-connector", 4),
    ("lombard-sandbox", 4),
    ("lombard-oidc", 4),
    ("lombard-tpp", 4),
    ("lombard-api", 5),
    ("lombard-oauth", 5),
    ("lombard-openapi", 5),
    ("lombard-ops", 5),
    ("lombard-pages", 6),
    ("lombard-portal", 6),
    ("lombard-http", 7),
    ("lombard", 8),
];

/// The allowed dependencies between crates of the same row.
const SAME_ROW_DEPENDENCIES: [(&str, &str); 4] = [
    ("lombard-oauth", "lombard-api"),
    ("lombard-openapi", "lombard-oauth"),
    ("lombard-openapi", "lombard-api"),
    ("lombard-portal", "lombard-pages"),
];

/// Dependencies that only the listed crates may have.
const RESTRICTED_DEPENDENCIES: [(&str, &[&str]); 5] = [
    (
        "axum",
        &[
            "lombard-edge",
            "lombard-api",
            "lombard-oauth",
            "lombard-ops",
            "lombard-pages",
            "lombard-portal",
            "lombard-http",
        ],
    ),
    ("rusqlite", &["lombard-database"]),
    ("tokio-postgres", &["lombard-database"]),
    ("deadpool-postgres", &["lombard-database"]),
    ("cryptoki", &["lombard-pkcs11"]),
];

/// The crates that belong to no row.
const OUTSIDE: [&str; 4] = ["lombard-tests", "lombard-bench", "lombard-simulation", "xtask"];

/// Whether a crate belongs to no row, because it is not part of the program.
pub(super) fn is_outside(name: &str) -> bool {
    OUTSIDE.contains(&name)
}

fn row(name: &str) -> Option<u8> {
    ROWS.iter().find(|(room, _)| *room == name).map(|(_, row)| *row)
}

/// Returns the faults of the dependencies between crates.
pub(super) fn check(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        if is_outside(name) {
            continue;
        }
        let Some(own) = row(name) else {
            found.push(format!("{name}: has no row; give it one in xtask/src/check/rows.rs"));
            continue;
        };
        for dependency in
            package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development)
        {
            let other = dependency.name.as_str();
            let is_below = row(other).is_none_or(|other| other < own);
            if !is_below && !SAME_ROW_DEPENDENCIES.contains(&(name, other)) {
                found.push(format!("{name} depends on {other}, which is neither on a row below nor along an arrow"));
            }
            if RESTRICTED_DEPENDENCIES.iter().any(|(kept, keepers)| *kept == other && !keepers.contains(&name)) {
                found.push(format!("{name} depends on {other}, which other rooms keep"));
            }
        }
    }
    found
}
