//! A setting as declared, and its name in the file and in the environment.

use std::ops::RangeInclusive;

/// What every variable of ours begins with.
pub(super) const PREFIX: &str = "LOMBARD__";

/// A setting's place: section (empty for the top level) and key.
pub(super) type SettingKey = (String, String);

/// How a place is written in a file.
pub(super) fn dotted(section: &str, key: &str) -> String {
    if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") }
}

/// How a place is written as a variable.
pub(super) fn variable(section: &str, key: &str) -> String {
    let section = if section.is_empty() { String::new() } else { format!("{}__", section.to_uppercase()) };
    format!("{PREFIX}{section}{}", key.to_uppercase())
}

/// A section as declared.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) doc: &'static [&'static str],
    pub(super) settings: fn() -> Vec<Setting>,
}

/// A setting as declared.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) section: &'static str,
    pub(super) key: &'static str,
    pub(super) kind: &'static str,
    pub(super) doc: &'static [&'static str],
    pub(super) default: Option<String>,
    pub(super) range: Option<RangeInclusive<u64>>,
}
