//! `lombard migrate`: migrates the database, or says what a migration would do.

use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::output::print_line;
use crate::server::{migrate_database, plan_migration};
use crate::telemetry;
use clap::Args;
use lombard_database::{MigrationPlan, PlannedMigration};
use std::fmt::Write;

#[derive(Debug, Args)]
pub(super) struct MigrateCommand {
    /// Change nothing, and print what each missing migration does to which table, who waits for it and how long it takes.
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn migrate(command: MigrateCommand) -> Result<(), CommandError> {
    let config = command.installation.load()?;
    // Waits for locks are logged. Another command of this process may already have started logging.
    let _ = telemetry::start_logging(&config.telemetry);
    if command.plan {
        print_line(plan_text(&plan_migration(&config).await?).trim_end());
        return Ok(());
    }
    let applied = migrate_database(&config).await?;
    if applied.is_empty() {
        print_line("The database is up to date.");
    }
    for name in applied {
        print_line(&format!("Applied {name}"));
    }
    Ok(())
}

fn plan_text(plan: &MigrationPlan) -> String {
    let mut text = String::new();
    let count = plan.migrations.len();
    if plan.is_new {
        return format!("The database is new. {count} migrations make its tables, and nobody waits for them.");
    }
    if count == 0 {
        text.push_str("The database is up to date.\n");
    }
    for name in &plan.newer {
        let _ = writeln!(text, "A newer version of Lombard has applied {name}. This version works with it.");
    }
    for migration in &plan.migrations {
        let _ = writeln!(text, "{}: {}.", migration.name, working_programs(migration));
        for step in &migration.steps {
            let table = if step.table.is_empty() { "no table" } else { &step.table };
            let _ = writeln!(text, "  {table}: {} ({}; takes {})", step.action, step.lock, step.duration);
        }
    }
    match plan.lock_wait {
        _ if count == 0 => {}
        Some(wait) => {
            let secs = wait.as_secs();
            let _ = writeln!(
                text,
                "A step waits for its lock at most {secs} s, and requests for the table wait behind it as long. Then they are served, and the \
                 migration is tried again."
            );
        }
        None => text.push_str("Writes wait while a migration is applied. Reads do not wait.\n"),
    }
    text
}

/// Which nodes work on a database that has the migration.
fn working_programs(migration: &PlannedMigration) -> String {
    match migration.works_from {
        Some(0) => "nodes of the release before work with it".to_owned(),
        Some(from) if from < migration.number => {
            format!("nodes that know migration {from} work with it; stop others first")
        }
        _ => "nodes of earlier releases do not work with it; stop them first".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_database::{PlannedDuration, PlannedLock, PlannedStep, TableLock};
    use std::time::Duration;

    fn plan(works_from: Option<i64>) -> MigrationPlan {
        let migration = |number, name, action: &str, lock, duration| {
            let step = PlannedStep {
                table: "orders".to_owned(),
                action: action.to_owned(),
                lock: PlannedLock::Table(lock),
                duration,
            };
            PlannedMigration { number, name, works_from, steps: vec![step] }
        };
        let index = PlannedDuration::Scan { times: 2, rows: Some(400_000) };
        let concurrent = TableLock::ShareUpdateExclusive;
        MigrationPlan {
            migrations: vec![
                migration(
                    46,
                    "0046_order_tags",
                    "adds the column tag",
                    TableLock::AccessExclusive,
                    PlannedDuration::Instant,
                ),
                migration(47, "0047_orders_by_tag", "makes the index orders_by_tag", concurrent, index),
            ],
            newer: Vec::new(),
            is_new: false,
            lock_wait: Some(Duration::from_secs(1)),
        }
    }

    /// The page with an example.
    const PAGE: &str = include_str!("../../../../docs/operating/upgrades.md");

    #[test]
    fn a_plan_says_who_waits_and_for_how_long() {
        let text = plan_text(&plan(Some(0)));
        assert!(
            PAGE.contains(&format!("```text\n{text}```\n")),
            "the example of docs/operating/upgrades.md differs from:\n{text}"
        );
    }

    #[test]
    fn a_plan_says_which_nodes_must_be_stopped() {
        assert!(plan_text(&plan(Some(42))).contains("nodes that know migration 42 work with it; stop others first"));
        for works_from in [None, Some(47)] {
            assert!(
                plan_text(&plan(works_from)).contains("nodes of earlier releases do not work with it; stop them first")
            );
        }
    }

    #[test]
    fn a_plan_without_migrations_says_whether_the_database_is_newer() {
        let mut plan = plan(Some(0));
        plan.migrations.clear();
        assert_eq!(plan_text(&plan), "The database is up to date.\n");
        plan.newer.push("0044_x".to_owned());
        assert!(plan_text(&plan).contains("has applied 0044_x. This version works with it."));
    }
}
