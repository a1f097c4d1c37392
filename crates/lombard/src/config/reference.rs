//! Writes the reference of all settings from their declarations.

use super::declaration::{Setting, dotted, variable};
use super::settings::SECTIONS;
use std::fmt::Write;

/// The declarations of all settings.
pub(super) fn all_settings() -> Vec<Setting> {
    SECTIONS.iter().flat_map(|section| (section.settings)()).collect()
}

/// Writes `docs/reference/configuration.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Configuration\n\n<!-- Written by `cargo xtask docs` from crates/lombard/src/config/settings.rs. -->\n\n\
         One TOML file (`lombard serve --config FILE`); every setting can be overridden by the variable beside it.\n\
         A list in a variable is written with commas (`a.example, b.example`) or as a JSON array (`[\"a.example\", \"b.example\"]`).\n\
         `lombard config check` names everything that is wrong at once, `lombard config show` prints what is in force.\n",
    );
    for section in SECTIONS {
        let title = if section.name.is_empty() { "Top level".to_owned() } else { format!("`[{}]`", section.name) };
        let _ = write!(page, "\n## {title}\n\n{}\n\n", prose(section.doc));
        page.push_str("| Setting | Value | Default | What it does |\n|---|---|---|---|\n");
        for setting in (section.settings)() {
            page.push_str(&row(&setting));
        }
    }
    page
}

/// Writes `docs/reference/limits.md`, which lists every setting with bounds.
pub fn limits_markdown() -> String {
    let mut page = String::from(
        "# Limits\n\n<!-- Written by `cargo xtask docs` from crates/lombard/src/config/settings.rs. -->\n\n\
         Every limit that can be set, its default, and the bounds it can be set within.\n\n\
         | Setting | Default | Least | Most | What it limits |\n|---|---|---|---|---|\n",
    );
    for setting in all_settings() {
        if let Some(range) = &setting.range {
            page.push_str(&format!(
                "| `{}` | {} | {} | {} | {} |\n",
                dotted(setting.section, setting.key),
                setting.default.as_deref().unwrap_or_default(),
                range.start(),
                range.end(),
                prose(setting.doc),
            ));
        }
    }
    page
}

fn row(setting: &Setting) -> String {
    let kind = match &setting.range {
        // A range of its own says more than the range of the type, as in "a whole number from 0 to 65535".
        Some(range) => {
            let plain = setting.kind.split_once(" from ").map_or(setting.kind, |(plain, _)| plain);
            format!("{plain}, {} to {}", range.start(), range.end())
        }
        None => setting.kind.to_owned(),
    };
    let default = setting.default.as_ref().map_or_else(|| "not set".to_owned(), |default| format!("`{default}`"));
    format!(
        "| `{}`<br>`{}` | {kind} | {default} | {} |\n",
        dotted(setting.section, setting.key),
        variable(setting.section, setting.key),
        prose(setting.doc).replace('|', "\\|"),
    )
}

fn prose(doc: &[&str]) -> String {
    let lines: Vec<_> = doc.iter().map(|line| line.trim()).collect();
    lines.join(" ")
}
