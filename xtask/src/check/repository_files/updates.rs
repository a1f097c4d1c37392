//! Checks the settings for automatic dependency updates.

use serde::Deserialize;

/// The package managers whose dependencies are updated.
const MANAGERS: [&str; 2] = ["cargo", "github-actions"];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Updates {
    extends: Vec<String>,
    enabled_managers: Vec<String>,
    lock_file_maintenance: LockFileMaintenance,
    package_rules: Vec<PackageRule>,
}

#[derive(Debug, Deserialize)]
struct LockFileMaintenance {
    enabled: bool,
    schedule: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PackageRule {
    match_managers: Vec<String>,
    group_name: String,
}

/// Returns the faults of the settings.
pub(super) fn check(settings: &str) -> Vec<String> {
    let Updates { extends, enabled_managers, lock_file_maintenance, package_rules } =
        match serde_json::from_str(settings) {
            Ok(settings) => settings,
            Err(error) => return vec![error.to_string()],
        };
    let mut found = Vec::new();
    if extends.is_empty() {
        found.push("extends no preset".to_owned());
    }
    if enabled_managers != MANAGERS {
        found.push(format!("enabledManagers are {enabled_managers:?}; expected are {MANAGERS:?}"));
    }
    for manager in MANAGERS {
        let is_grouped = |rule: &PackageRule| rule.match_managers.iter().any(|it| it == manager);
        if !package_rules.iter().any(|rule| is_grouped(rule) && !rule.group_name.is_empty()) {
            found.push(format!("the updates of {manager} are in no group"));
        }
    }
    if !lock_file_maintenance.enabled || lock_file_maintenance.schedule.is_empty() {
        found.push("the lock file is not maintained by a schedule".to_owned());
    }
    found
}
