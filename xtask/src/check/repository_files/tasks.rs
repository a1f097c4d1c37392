//! The tasks of `cargo xtask` that a text names.

/// What precedes the name of a task.
const COMMAND: &str = "cargo xtask ";

/// The tasks in a text that do not exist, one fault each.
pub(super) fn unknown_tasks(text: &str, known: &[String]) -> Vec<String> {
    let after = text.split(COMMAND).skip(1);
    let words =
        after.filter_map(|rest| rest.split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-')).next());
    let unknown = words.filter(|word| !word.is_empty() && known.iter().all(|task| task != word));
    unknown.map(|word| format!("names {COMMAND}{word}, which does not exist")).collect()
}
