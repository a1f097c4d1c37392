//! Verifies the archive, and the checksums beside it.

use super::environment::{Environment, tour};
use super::outcome::{Outcome, Subject};
use crate::error::TaskError;

/// Verifies the checksums and the archive.
pub(super) fn verify(subject: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    environment.run_section("Checksums")?;
    environment.run_section("Archive")?;
    let version = &subject.contents.source.version;
    let program = environment.path(&format!("lombard-{version}-x86_64-linux/bin/lombard"));
    tour(|| environment.command(&program))?;
    Ok(vec![Outcome::Passed("the sums are right, and the tour passes from the folder of the archive".to_owned())])
}
