//! Keeps the statements and the data of this release for the tests of the next one (`tests/releases`).

use super::{Cluster, INTEGRATION, OF_THE_DATABASE, built_tests, find_postgres, in_path};
use crate::command::run;
use crate::error::TaskError;
use crate::output;
use std::path::{Path, PathBuf};

/// The ignored tests that write, by the end of their names.
const WRITING: &str = "kept_for_the_next_release";

/// Writes the folder of this release, such as `0.3`.
pub(crate) fn keep_release(version: &str) -> Result<(), TaskError> {
    if version.is_empty() || !version.chars().all(|it| it.is_ascii_digit() || it == '.') {
        return Err(format!("{version} is not the name of a release, such as 0.3").into());
    }
    let programs = find_postgres()?;
    let pg_dump = pg_dump(&programs)?;
    let built = built_tests()?;
    output::step("starting a throw-away PostgreSQL");
    let cluster = Cluster::start(&programs, false)?;
    let is_of_database =
        |folder: &Path| OF_THE_DATABASE.iter().any(|it| folder.ends_with(it.trim_start_matches("lombard-")));
    let writing = built.iter().filter(|test| test.name == INTEGRATION || is_of_database(&test.folder));
    let kept = writing.into_iter().try_for_each(|test| {
        let mut command = test.command();
        command.args(["--ignored", WRITING]).env("LOMBARD_KEEP_RELEASE", version);
        command.env("LOMBARD_TEST_POSTGRES_URL", cluster.url());
        run(command.env("LOMBARD_TEST_PG_DUMP", &pg_dump))
    });
    output::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    kept
}

/// The program that writes a database as statements: the one beside the server, or on the path.
fn pg_dump(programs: &Path) -> Result<PathBuf, TaskError> {
    let beside = Some(programs.join("pg_dump")).filter(|program| program.is_file());
    let found = beside.or_else(|| in_path("pg_dump"));
    Ok(found.ok_or("pg_dump is missing: install the client programs of PostgreSQL")?)
}
