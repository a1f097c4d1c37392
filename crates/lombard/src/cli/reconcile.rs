//! `lombard reconcile`: compares the server's orders with those that the core holds, and corrects differences whose cause is certain.

use super::columns::in_columns;
use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::progress::ProgressDisplay;
use crate::ops_client;
use crate::output::print_line;
use clap::Args;
use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_domain::staff::StaffAct;
use lombard_ops::{DifferenceView, Instant, OperationError, Reconciliation, ReconciliationView};
use lombard_sandbox::seed::SeedProgress;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

/// The largest number of differences that are listed; further ones are counted.
const LISTED_MAX: usize = 10_000;

#[derive(Debug, Args)]
pub(super) struct ReconcileCommand {
    /// Report what would be done and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Compare the orders since this time, such as 2026-03-01T00:00:00Z: that of the backup. The default is seven days ago. Older
    /// orders are compared if they wait for the core.
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Submit an order again that the core has lost, and compare nothing. Make sure first that it was not paid.
    #[arg(long, value_name = "ORDER", conflicts_with_all = ["dry_run", "since", "json"])]
    resubmit: Option<OrderId>,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn run(command: ReconcileCommand) -> Result<(), CommandError> {
    let ReconcileCommand { dry_run, since, json, resubmit, installation: place } = command;
    let target = CommandTarget::select(&place).await?;
    let act = local_act(&place, None)?;
    if let Some(order) = resubmit {
        return submit_again(&target, &act, &order).await;
    }
    let progress = ProgressDisplay::on_terminal("Comparing orders");
    let mut report = ReconciliationReport { dry_run, ..ReconciliationReport::default() };
    let mut order = Reconciliation { since: since.map(Instant), position: None, dry_run };
    loop {
        let is_first = order.position.is_none();
        let batch: ReconciliationView = match &target {
            CommandTarget::RunningServer(ops) => {
                let order = serde_json::to_value(&order)?;
                serde_json::from_value(ops_client::call_operation(ops, "/operations/reconcile", &order).await?)?
            }
            CommandTarget::Local(operator) => operator.reconcile(&act, order.clone()).await?,
        };
        if is_first {
            // The server's orders are compared with the core's, then the core's with the server's.
            progress.set_total(batch.total.saturating_mul(2));
        }
        progress.advance(batch.compared);
        let since = batch.since;
        let next = batch.next.clone();
        report.add(batch);
        let Some(position) = next else { break };
        order = Reconciliation { since: Some(since), position: Some(position), dry_run };
    }
    progress.finish();
    print_line(if json { serde_json::to_string_pretty(&report)? } else { report.words() }.trim_end());
    let left = report.left_to_do();
    if left > 0 { Err(CommandError::NotReconciled(left)) } else { Ok(()) }
}

async fn submit_again(target: &CommandTarget, act: &StaffAct, order: &OrderId) -> Result<(), CommandError> {
    match target {
        CommandTarget::RunningServer(ops) => {
            let is_id = order.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if !is_id {
                return Err(OperationError::Refused("there is no order with this id".to_owned()).into());
            }
            ops_client::call_operation(ops, &format!("/operations/orders/{order}/resubmit"), &Value::Null).await?;
        }
        CommandTarget::Local(operator) => operator.resubmit(act, order).await?,
    }
    print_line("The order is submitted to the core again.");
    Ok(())
}

/// The report of a comparison.
#[derive(Debug, Default, Serialize)]
struct ReconciliationReport {
    dry_run: bool,
    /// The number of comparisons that were made.
    compared: u64,
    /// The number of differences that were corrected, or would be in a real run.
    certain: usize,
    /// The number of differences that an operator decides about.
    open: usize,
    /// The differences, at most [`LISTED_MAX`].
    differences: Vec<DifferenceView>,
    #[serde(skip)]
    known: HashMap<(String, String), usize>,
}

impl ReconciliationReport {
    fn add(&mut self, batch: ReconciliationView) {
        self.compared = self.compared.saturating_add(batch.compared);
        for difference in batch.differences {
            // The payments of one file may be on several pages of the core's list.
            let key = (difference.order.as_str().to_owned(), difference.difference.clone());
            if self.known.contains_key(&key) {
                continue;
            }
            let count = if difference.is_certain { &mut self.certain } else { &mut self.open };
            *count = count.saturating_add(1);
            if self.differences.len() < LISTED_MAX {
                self.known.insert(key, self.differences.len());
                self.differences.push(difference);
            }
        }
    }

    /// The number of differences that are left to an operator, or of all in a dry run.
    fn left_to_do(&self) -> usize {
        if self.dry_run { self.open.saturating_add(self.certain) } else { self.open }
    }

    /// Formats the report: a summary, a table of the differences, and what is to be done about each kind.
    fn words(&self) -> String {
        let Self { dry_run, compared, certain, open, differences, .. } = self;
        let done = if *dry_run { "can be corrected" } else { "corrected" };
        let mut text = format!("{compared} order(s) compared, {certain} difference(s) {done}, {open} left to you.\n");
        if differences.is_empty() {
            return text;
        }
        let header = ["ORDER", "DIFFERENCE", "HERE", "AT THE CORE"].map(str::to_owned);
        let cell = |text: &str| if text.is_empty() { "-".to_owned() } else { text.escape_debug().to_string() };
        let rows = differences
            .iter()
            .map(|it| [cell(it.order.as_str()), cell(&it.difference), cell(&it.here), cell(&it.at_core)]);
        let rows: Vec<_> = std::iter::once(header).chain(rows).collect();
        text.push('\n');
        text.push_str(&in_columns(&rows));
        let unlisted = certain.saturating_add(*open).saturating_sub(differences.len());
        if unlisted > 0 {
            text.push_str(&format!("and {unlisted} more\n"));
        }
        let mut kinds: Vec<(&str, &str)> =
            differences.iter().map(|it| (it.difference.as_str(), it.remedy.as_str())).collect();
        kinds.sort_unstable();
        kinds.dedup();
        text.push('\n');
        for (kind, remedy) in kinds {
            text.push_str(&format!("{kind}: {remedy}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(order: &str, difference: &str, is_certain: bool) -> DifferenceView {
        DifferenceView {
            order: order.into(),
            difference: difference.to_owned(),
            here: "received, update 0".to_owned(),
            at_core: String::new(),
            is_certain,
            remedy: "The order is submitted again.".to_owned(),
        }
    }

    fn batch(differences: Vec<DifferenceView>) -> ReconciliationView {
        ReconciliationView { since: Instant(Timestamp::UNIX_EPOCH), compared: 3, total: 3, differences, next: None }
    }

    #[test]
    fn a_report_lists_each_difference_once_and_says_what_is_to_be_done() {
        let mut report = ReconciliationReport::default();
        assert_eq!(report.words(), "0 order(s) compared, 0 difference(s) corrected, 0 left to you.\n");
        let lost = || difference("o-1\u{1b}", "lost-by-core", false);
        report.add(batch(vec![difference("o-2", "never-submitted", true), lost()]));
        report.add(batch(vec![lost()]));
        let expected = "6 order(s) compared, 1 difference(s) corrected, 1 left to you.\n\n\
                        ORDER      DIFFERENCE       HERE                AT THE CORE\n\
                        o-2        never-submitted  received, update 0  -\n\
                        o-1\\u{1b}  lost-by-core     received, update 0  -\n\n\
                        lost-by-core: The order is submitted again.\n\
                        never-submitted: The order is submitted again.\n";
        assert_eq!(report.words(), expected);
        assert_eq!(report.left_to_do(), 1);
        assert_eq!(ReconciliationReport { dry_run: true, ..report }.left_to_do(), 2, "a dry run corrects nothing");
    }
}
