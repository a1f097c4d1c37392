//! The types of setting declarations, and the names of settings in the file and in the environment.

use super::value::{Mode, SettingValue};
use std::ops::RangeInclusive;

/// The prefix of the environment variables.
pub(super) const PREFIX: &str = "LOMBARD__";

/// The section (empty for the top level) and the key of a setting.
pub(super) type SettingKey = (String, String);

/// The name of a setting in a configuration file.
pub(super) fn dotted(section: &str, key: &str) -> String {
    if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") }
}

/// The name of the environment variable for a setting.
pub(super) fn variable(section: &str, key: &str) -> String {
    let section = if section.is_empty() { String::new() } else { format!("{}__", section.to_uppercase()) };
    format!("{PREFIX}{section}{}", key.to_uppercase())
}

/// The environment variable for a setting that is given by its name in a configuration file.
pub(crate) fn variable_of(setting: &str) -> String {
    let (section, key) = setting.rsplit_once('.').unwrap_or(("", setting));
    variable(section, key)
}

/// The declaration of a section.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) doc: &'static [&'static str],
    pub(super) settings: fn() -> Vec<Setting>,
}

/// The declaration of a setting.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) section: &'static str,
    pub(super) key: &'static str,
    pub(super) kind: &'static str,
    pub(super) doc: &'static [&'static str],
    pub(super) default: Option<String>,
    pub(super) range: Option<RangeInclusive<u64>>,
}

/// The mode of an installation without the setting `mode`.
pub(super) const DEFAULT_MODE: Mode = Mode::Sandbox;

/// The declaration of the setting `mode`, which belongs to no section.
pub(super) fn mode_reference() -> Vec<Setting> {
    vec![Setting {
        section: "",
        key: "mode",
        kind: Mode::KIND,
        doc: &["A sandbox makes everything it needs; production refuses to start with anything a sandbox made."],
        default: DEFAULT_MODE.show(),
        range: None,
    }]
}
