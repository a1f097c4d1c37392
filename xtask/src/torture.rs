//! Measurements that are tests of the integration binary: the table of faults, and what rows weigh. Both need PostgreSQL.

use crate::command::{cargo, run};
use crate::error::TaskError;
use crate::output;
use crate::test::{Cluster, find_postgres};
use std::time::{Duration, Instant};

/// The test that prints the table of `docs/operating/faults.md`.
const FAULTS: &str = "faults::table::prints_the_table_of_faults";

/// The test that prints the table of `docs/operating/sizing.md`.
const SIZES: &str = "sizes::prints_what_rows_weigh";

/// Tries all faults, and again until this time has passed; once without one.
pub(crate) fn torture(minutes: Option<u64>) -> Result<(), TaskError> {
    let until = Instant::now() + Duration::from_secs(minutes.unwrap_or(0) * 60);
    loop {
        run_measurement(FAULTS)?;
        if Instant::now() >= until {
            return Ok(());
        }
    }
}

/// Prints the bytes of PostgreSQL for each payment, consent, token and event, and the signatures.
pub(crate) fn sizes() -> Result<(), TaskError> {
    run_measurement(SIZES)
}

fn run_measurement(test: &str) -> Result<(), TaskError> {
    output::step("starting a throw-away PostgreSQL");
    let cluster = Cluster::start(&find_postgres()?, false)?;
    let mut measurement = cargo();
    measurement.args([
        "test",
        "--locked",
        "--workspace",
        "--test",
        "it",
        "--",
        test,
        "--exact",
        "--ignored",
        "--nocapture",
    ]);
    let measured = run(measurement.env("LOMBARD_TEST_POSTGRES_URL", cluster.url()));
    output::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    measured
}
