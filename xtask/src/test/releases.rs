//! Keeps the statements and the data of this release for the tests of the next one (`tests/releases`).

use super::{Cluster, INTEGRATION, OF_THE_DATABASE, built_tests, find_postgres};
use crate::command::run;
use crate::error::TaskError;
use crate::output;

/// The ignored tests that write, by the end of their names.
const WRITING: &str = "kept_for_the_next_release";

/// Writes the folder of this release, such as `0.3`.
pub(crate) fn keep_release(version: &str) -> Result<(), TaskError> {
    if version.is_empty() || !version.chars().all(|it| it.is_ascii_digit() || it == '.') {
        return Err(format!("{version} is not the name of a release, such as 0.3").into());
    }
    let programs = find_postgres()?;
    let built = built_tests()?;
    output::step("starting a throw-away PostgreSQL");
    let cluster = Cluster::start(&programs, false)?;
    let is_of_database =
        |folder: &std::path::Path| OF_THE_DATABASE.iter().any(|it| folder.ends_with(it.trim_start_matches("lombard-")));
    let writing = built.iter().filter(|test| test.name == INTEGRATION || is_of_database(&test.folder));
    let kept = writing.into_iter().try_for_each(|test| {
        let mut command = test.command();
        command.args(["--ignored", WRITING]).env("LOMBARD_KEEP_RELEASE", version);
        command.env("LOMBARD_TEST_POSTGRES_URL", cluster.url());
        run(command.env("LOMBARD_TEST_PG_DUMP", programs.join("pg_dump")))
    });
    output::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    kept
}
