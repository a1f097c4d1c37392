//! `lombard vrp`: the migration of VRP consents by the bank. Source: V4-030.

use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::progress::ProgressDisplay;
use crate::ops_client;
use crate::output::print_line;
use clap::{Args, Subcommand};
use lombard_domain::ids::ClientId;
use lombard_ops::{FailedMigrationView, VrpMigration, VrpMigrationView};
use lombard_sandbox::seed::SeedProgress;

#[derive(Debug, Subcommand)]
pub(super) enum VrpCommand {
    /// Store the VRP consents of v3.1 in the form of v4.0, and report those that cannot be. Ids, status, tokens and the usage of
    /// the limits stay; a migrated consent is no longer available through v3.1.
    Migrate(Migrate),
}

#[derive(Debug, Args)]
pub(super) struct Migrate {
    /// Report what would be done and store nothing.
    #[arg(long)]
    dry_run: bool,
    /// Migrate the consents of this client only; those of all clients if it is left out.
    #[arg(long, value_name = "ID")]
    client: Option<ClientId>,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn run(VrpCommand::Migrate(command): VrpCommand) -> Result<(), CommandError> {
    let Migrate { dry_run, client, installation: place } = command;
    let target = CommandTarget::select(&place).await?;
    let act = local_act(&place, None)?;
    let progress = ProgressDisplay::on_terminal("Migrating consents");
    let mut report = MigrationReport::default();
    let mut after = None;
    loop {
        let order = VrpMigration { client: client.clone(), after, dry_run };
        let batch: VrpMigrationView = match &target {
            CommandTarget::RunningServer(ops) => {
                let order = serde_json::to_value(&order)?;
                serde_json::from_value(ops_client::call_operation(ops, "/operations/vrp/migrate", &order).await?)?
            }
            CommandTarget::Local(operator) => operator.vrp_migrate(&act, order).await?.into(),
        };
        let Some(last) = batch.last.clone() else { break };
        if report == MigrationReport::default() {
            progress.set_total(batch.total);
        }
        let seen = batch.migrated.saturating_add(batch.skipped).saturating_add(batch.failed.len());
        progress.advance(u64::try_from(seen).unwrap_or(u64::MAX));
        report.add(batch);
        after = Some(last);
    }
    print_line(&report.words(dry_run));
    Ok(())
}

#[derive(Debug, Default, PartialEq, Eq)]
struct MigrationReport {
    migrated: usize,
    skipped: usize,
    failed: Vec<FailedMigrationView>,
}

impl MigrationReport {
    fn add(&mut self, batch: VrpMigrationView) {
        self.migrated = self.migrated.saturating_add(batch.migrated);
        self.skipped = self.skipped.saturating_add(batch.skipped);
        self.failed.extend(batch.failed);
    }

    /// Formats the report: one summary line, and one line for each consent that was not migrated and for each cause.
    fn words(&self, dry_run: bool) -> String {
        let done = if dry_run { "can be migrated" } else { "migrated" };
        let Self { migrated, skipped, failed } = self;
        let mut lines = vec![format!("{migrated} consent(s) {done}, {} not, {skipped} skipped.", failed.len())];
        for FailedMigrationView { consent, causes } in failed {
            lines.push(format!("{}:", consent.as_str().escape_debug()));
            lines.extend(causes.iter().map(|cause| format!("    {}", cause.escape_debug())));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v4_030_a_report_counts_skipped_consents_and_lists_failure_reasons() {
        let mut report = MigrationReport::default();
        assert_eq!(report.words(false), "0 consent(s) migrated, 0 not, 0 skipped.");
        let failed = FailedMigrationView { consent: "c-2".into(), causes: vec!["U002 at Data: no".to_owned()] };
        for failed in [vec![], vec![failed]] {
            report.add(VrpMigrationView { migrated: 2, skipped: 1, failed, total: 7, last: Some("c-2".into()) });
        }
        assert_eq!(report.words(true), "4 consent(s) can be migrated, 1 not, 2 skipped.\nc-2:\n    U002 at Data: no");
    }
}
