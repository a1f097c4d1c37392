//! The checks that every change must pass.

mod bans;
mod citations;
mod crate_pages;
mod cycles;
mod dependencies;
mod findings;
mod licences;
mod named_files;
mod repository_files;
mod rows;
mod tidy;
mod untested;
mod walkthroughs;
mod writers;

use crate::command::{cargo, run};
use crate::error::TaskError;
use crate::{docs, output};

/// Runs all checks, the quick ones first.
pub(crate) fn check() -> Result<(), TaskError> {
    output::step("formatting");
    run(cargo().args(["fmt", "--all", "--check"]))?;
    tidy()?;
    output::step("dependencies");
    // The next step also reads crates that no build on this machine needs, such as those of other platforms.
    run(cargo().args(["fetch", "--locked"]))?;
    output::step("licences and bans");
    licences::check()?;
    bans::check()?;
    output::step("lints");
    run(cargo().args(["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    output::step("documentation");
    // The documentation is for maintainers, so links to private items are allowed.
    let mut doc = cargo();
    doc.args(["doc", "--locked", "--workspace", "--no-deps", "--document-private-items"]);
    run(doc.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"))?;
    output::step("generated references");
    docs::check()
}

/// Checks the repository rules that the compiler does not check.
pub(crate) fn tidy() -> Result<(), TaskError> {
    output::step("tidy");
    tidy::check()
}
