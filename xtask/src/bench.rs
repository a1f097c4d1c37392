//! Runs the benchmarks. If they need PostgreSQL or SoftHSM2 and none is configured, a temporary instance is created.

use crate::command::{cargo, run};
use crate::error::TaskError;
use crate::output;
use crate::security_module::ThrowAwayToken;
use crate::test::{Cluster, find_postgres};
use std::env;

/// The setting that names a database; the benchmarks and the servers under measurement read it.
const DATABASE: &str = "LOMBARD__DATABASE__URL";

/// The setting that names a security module.
const MODULE: &str = "LOMBARD__SIGNING__PKCS11_MODULE_FILE";

/// Builds the benchmarks with this profile and runs them.
pub(crate) fn bench(profile: &str, rest: &[String]) -> Result<(), TaskError> {
    let mut bench = cargo();
    bench.args(["run", "--profile", profile, "--package", "lombard-bench", "--", "--profile", profile]).args(rest);
    let token = has_module(rest) && env::var_os(MODULE).is_none();
    let token = token.then(ThrowAwayToken::create).transpose()?;
    bench.envs(token.iter().flat_map(ThrowAwayToken::environment));
    if !is_on_postgres(rest) || env::var_os(DATABASE).is_some() {
        return run(&mut bench);
    }
    output::step("starting a throw-away PostgreSQL that forces commits to the disk");
    let cluster = Cluster::start(&find_postgres()?, true)?;
    let measured = run(bench.env(DATABASE, cluster.url()));
    output::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    measured
}

/// Whether the arguments require a security module.
fn has_module(arguments: &[String]) -> bool {
    arguments.iter().any(|it| it == "--hsm")
}

/// Whether the arguments require PostgreSQL.
fn is_on_postgres(arguments: &[String]) -> bool {
    let is_named = |pair: &[String]| matches!(pair, [option, engine] if option == "--engine" && engine == "postgres");
    arguments.iter().any(|it| it == "--engine=postgres") || arguments.windows(2).any(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_recognised_in_both_spellings() {
        let is_on_postgres = |line: &str| is_on_postgres(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert!(is_on_postgres("reads --engine postgres") && is_on_postgres("--engine=postgres tokens"));
        assert!(!is_on_postgres("reads --engine sqlite") && !is_on_postgres("postgres --engine"));
    }
}
