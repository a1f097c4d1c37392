//! Reads settings from the file and the environment one by one, and collects all faults.

use super::declaration::{PREFIX, Setting, SettingKey, dotted, variable};
use super::problem::Problem;
use super::value::SettingValue;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

#[derive(Debug)]
pub(super) struct SettingReader {
    file: BTreeMap<SettingKey, toml::Value>,
    environment: BTreeMap<String, String>,
    given: BTreeSet<SettingKey>,
    problems: Vec<Problem>,
}

impl SettingReader {
    pub(super) fn new(text: &str, environment: &[(String, String)]) -> Self {
        let ours = environment.iter().filter(|(name, _)| name.starts_with(PREFIX)).cloned().collect();
        let mut reader =
            Self { file: BTreeMap::new(), environment: ours, given: BTreeSet::new(), problems: Vec::new() };
        match text.parse::<toml::Table>() {
            Ok(table) => reader.flatten(table),
            Err(error) => reader.problems.push(Problem::new("the file", syntax(text, &error))),
        }
        reader
    }

    fn flatten(&mut self, table: toml::Table) {
        for (name, value) in table {
            match value {
                toml::Value::Table(section) => {
                    let keys = section.into_iter().map(|(key, value)| ((name.clone(), key), value));
                    self.file.extend(keys);
                }
                value => {
                    self.file.insert((String::new(), name), value);
                }
            }
        }
    }

    /// Reads one setting; an environment variable overrides the file. If the value cannot be parsed, the fault is recorded and the default
    /// is used.
    pub(super) fn take<V: SettingValue>(
        &mut self,
        section: &str,
        key: &str,
        default: V,
        range: Option<RangeInclusive<u64>>,
    ) -> V {
        let place = (section.to_owned(), key.to_owned());
        let name = variable(section, key);
        let in_file = self.file.remove(&place);
        let (at, read) = match (self.environment.remove(&name), in_file) {
            (Some(text), _) => (name, V::from_text(&text)),
            (None, Some(value)) => (dotted(section, key), V::from_toml(&value)),
            (None, None) => return default,
        };
        self.given.insert(place);
        let Some(value) = read else {
            self.problems.push(Problem::new(at, format!("must be {}", V::KIND)));
            return default;
        };
        match (value.number(), range) {
            (Some(number), Some(range)) if !range.contains(&number) => {
                let message = format!("must be between {} and {}", range.start(), range.end());
                self.problems.push(Problem::new(at, message));
                default
            }
            _ => value,
        }
    }

    /// Returns the settings that were given, and the faults. A key that was not read is an unknown setting; its fault names the most
    /// similar declared setting.
    pub(super) fn finish(mut self, declared: &[Setting]) -> (BTreeSet<SettingKey>, Vec<Problem>) {
        for (section, key) in self.file.keys() {
            let written = dotted(section, key);
            let message = unknown(&written, declared.iter().map(|setting| dotted(setting.section, setting.key)));
            self.problems.push(Problem::new(written, message));
        }
        for name in self.environment.keys() {
            let message = unknown(name, declared.iter().map(|setting| variable(setting.section, setting.key)));
            self.problems.push(Problem::new(name, message));
        }
        (self.given, self.problems)
    }
}

/// Returns the line number and the syntax error. The text of the line is omitted, because it may contain a secret.
fn syntax(text: &str, error: &toml::de::Error) -> String {
    let upto = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = upto.matches('\n').count() + 1;
    format!("is not TOML at line {line}: {}", error.message())
}

fn unknown(written: &str, known: impl Iterator<Item = String>) -> String {
    match nearest(written, known) {
        Some(name) => format!("is not a setting; did you mean {name}?"),
        None => "is not a setting; docs/reference/configuration.md lists them".to_owned(),
    }
}

/// The name that was probably meant.
pub(super) fn nearest(written: &str, known: impl Iterator<Item = String>) -> Option<String> {
    let nearest = known.map(|name| (distance(written, &name), name)).min();
    nearest.filter(|(distance, _)| *distance <= written.len().div_ceil(3)).map(|(_, name)| name)
}

/// The number of edits between two names (Levenshtein distance).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for (to, pair) in b.iter().zip(row.windows(2)) {
            let &[diagonal, above] = pair else { continue };
            let left = next.last().copied().unwrap_or(i);
            next.push((diagonal + usize::from(from != *to)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
