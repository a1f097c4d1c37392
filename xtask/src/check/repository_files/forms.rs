//! Checks the issue forms.

use super::yaml::{document, list, member, text};
use std::collections::BTreeSet;
use yaml_rust2::Yaml;

/// The file that configures the choice between the forms.
const CHOOSER: &str = "config.yml";
/// The type of an element that only shows text.
const SHOWN: &str = "markdown";
/// The types of elements that users fill in.
const FILLED_IN: [&str; 4] = ["textarea", "input", "dropdown", "checkboxes"];

/// Returns the faults of a form.
pub(super) fn check(path: &str, form: &str) -> Vec<String> {
    match document(form) {
        Ok(form) if path.ends_with(CHOOSER) => check_chooser(&form),
        Ok(form) => check_form(&form),
        Err(fault) => vec![fault],
    }
}

fn check_chooser(chooser: &Yaml) -> Vec<String> {
    let mut found = Vec::new();
    if member(chooser, "blank_issues_enabled").and_then(Yaml::as_bool).is_none() {
        found.push("has no blank_issues_enabled".to_owned());
    }
    for link in list(chooser, "contact_links") {
        let lacking = ["name", "url", "about"].into_iter().filter(|name| text(link, name).is_none());
        found.extend(lacking.map(|name| format!("a link has no {name}")));
    }
    found
}

fn check_form(form: &Yaml) -> Vec<String> {
    let lacking = ["name", "description"].into_iter().filter(|name| text(form, name).is_none());
    let mut found: Vec<_> = lacking.map(|name| format!("has no {name}")).collect();
    let mut ids = BTreeSet::new();
    let mut questions = 0_usize;
    for element in list(form, "body") {
        let kind = text(element, "type").unwrap_or_default();
        let attributes = member(element, "attributes");
        if FILLED_IN.contains(&kind) {
            questions = questions.saturating_add(1);
            if !text(element, "id").is_some_and(|id| ids.insert(id)) {
                found.push(format!("an element of the type \"{kind}\" has no id of its own"));
            }
            if attributes.and_then(|it| text(it, "label")).is_none() {
                found.push(format!("an element of the type \"{kind}\" has no label"));
            }
        } else if kind != SHOWN {
            found.push(format!("there is no element of the type \"{kind}\""));
        }
    }
    if questions == 0 {
        found.push("asks nothing".to_owned());
    }
    found
}
