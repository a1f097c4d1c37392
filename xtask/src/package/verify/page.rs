//! The commands that the page for operators prints.

use crate::error::TaskError;
use crate::package::repository::repository_text;

/// The page.
pub(super) const PAGE: &str = "docs/operating/install.md";

/// The commands in the first block of a section that is to be run.
pub(super) fn commands(section: &str) -> Result<String, TaskError> {
    let page = repository_text(PAGE)?;
    first_block(&page, section).ok_or_else(|| format!("{PAGE} has no commands under \"{section}\"").into())
}

fn first_block(page: &str, section: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("\n## {section}\n"))?;
    let rest = rest.split("\n## ").next()?;
    let (_, block) = rest.split_once("```sh\n")?;
    Some(block.split("```").next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_those_of_the_named_section() {
        let page = "# A\n\n## One\n\nText.\n\n## Two\n\n```sh\necho 2\n```\n\n```sh\necho 3\n```\n";
        assert_eq!(first_block(page, "Two").unwrap(), "echo 2\n");
        assert_eq!(first_block(page, "One"), None);
    }

    #[test]
    fn the_page_has_commands_for_each_package() {
        for section in ["Checksums", "Archive", "Debian and Ubuntu", "Containers", "Python", "npm"] {
            assert!(commands(section).is_ok(), "{section}");
        }
    }
}
