//! Finds the tasks of `cargo xtask` that a text names.

/// The words before the name of a task.
const COMMAND: &str = "cargo xtask ";

/// Returns one fault for each task in a text that does not exist.
pub(super) fn unknown_tasks(text: &str, known: &[String]) -> Vec<String> {
    let after = text.split(COMMAND).skip(1);
    let words =
        after.filter_map(|rest| rest.split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-')).next());
    let unknown = words.filter(|word| !word.is_empty() && known.iter().all(|task| task != word));
    unknown.map(|word| format!("names {COMMAND}{word}, which does not exist")).collect()
}
