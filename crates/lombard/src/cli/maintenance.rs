//! `lombard maintenance`: announces, begins, ends, withdraws and lists maintenance. Source: DTN-004 to DTN-007.

use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::ops_client;
use crate::output::print_line;
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use lombard_domain::ids::NoticeId;
use lombard_ops::{
    AnnounceCommand, BeginCommand, Instant, MaintenanceCommand, NoticeCommand, NoticeImpactView, NoticeKindView,
    NoticeListView, NoticeStatusView, NoticeView,
};
use serde::Serialize;
use std::fmt::Write;

#[derive(Debug, Subcommand)]
pub(super) enum MaintenanceArguments {
    /// Announce planned maintenance, or with `--change` a change of the interface. Planned maintenance begins by itself.
    Announce(Announce),
    /// Begin maintenance now: that of a notice, or with `--message` maintenance that was not announced.
    Begin(Begin),
    /// End the maintenance that is in force, now. The service is available again within ten seconds on every node.
    End(End),
    /// Withdraw a notice whose period has not begun.
    Withdraw(Withdraw),
    /// List the notices that are not over, and those of the last 90 days.
    List(List),
}

#[derive(Debug, Args)]
pub(super) struct Announce {
    /// When the period begins, with an offset, such as 2026-05-16T22:00:00+01:00.
    #[arg(long, value_name = "TIME")]
    from: Timestamp,
    /// When the period ends, with an offset. A change may have no end.
    #[arg(long, value_name = "TIME", required_unless_present = "change")]
    until: Option<Timestamp>,
    /// The notice that is moved to this period. Without it the notice is a new one.
    #[arg(long, value_name = "ID")]
    id: Option<NoticeId>,
    /// Announce a change of the interface, which interrupts nothing.
    #[arg(long)]
    change: bool,
    /// How much TPPs notice. The service stays available unless the impact is business-critical.
    #[arg(long, value_enum, default_value = "business-critical")]
    impact: Impact,
    /// What happens.
    #[arg(long, value_name = "TEXT")]
    message: String,
    #[command(flatten)]
    texts: NoticeTexts,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Begin {
    /// The announced maintenance to begin.
    id: Option<NoticeId>,
    /// When maintenance that was not announced is expected to end, with an offset.
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// What happens, if it was not announced.
    #[arg(long, value_name = "TEXT", required_unless_present = "id")]
    message: Option<String>,
    #[command(flatten)]
    texts: NoticeTexts,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct End {
    /// The notice to end. The default is the maintenance that is in force.
    id: Option<NoticeId>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Withdraw {
    /// The notice to withdraw.
    id: NoticeId,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    output: Output,
}

/// The optional texts of a notice.
#[derive(Debug, Args)]
struct NoticeTexts {
    /// Why it happens. The default is the message.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// A system that is affected; may be given more than once. The default is production.
    #[arg(long = "system", value_name = "NAME")]
    systems: Vec<String>,
    /// What TPPs should do.
    #[arg(long, value_name = "TEXT")]
    action: Option<String>,
}

#[derive(Debug, Args)]
struct Output {
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Impact {
    BusinessCritical,
    DegradedService,
    General,
}

pub(super) async fn run(arguments: MaintenanceArguments) -> Result<(), CommandError> {
    match arguments {
        MaintenanceArguments::Announce(Announce { from, until, id, change, impact, message, texts, output }) => {
            let NoticeTexts { reason, systems, action } = texts;
            let command = AnnounceCommand {
                id,
                from: Instant(from),
                until: until.map(Instant),
                change,
                impact: match impact {
                    Impact::BusinessCritical => NoticeImpactView::BusinessCritical,
                    Impact::DegradedService => NoticeImpactView::DegradedService,
                    Impact::General => NoticeImpactView::General,
                },
                message: Some(message),
                reason,
                systems,
                action,
            };
            change_notice("announce", &command, MaintenanceCommand::Announce(command.clone()), &output).await
        }
        MaintenanceArguments::Begin(Begin { id, until, message, texts, output }) => {
            let NoticeTexts { reason, systems, action } = texts;
            let command = BeginCommand { id, until: until.map(Instant), message, reason, systems, action };
            change_notice("begin", &command, MaintenanceCommand::Begin(command.clone()), &output).await
        }
        MaintenanceArguments::End(End { id, output }) => {
            let command = NoticeCommand { id };
            change_notice("end", &command, MaintenanceCommand::End(command.clone()), &output).await
        }
        MaintenanceArguments::Withdraw(Withdraw { id, output }) => {
            let command = NoticeCommand { id: Some(id) };
            change_notice("withdraw", &command, MaintenanceCommand::Withdraw(command.clone()), &output).await
        }
        MaintenanceArguments::List(List { output }) => list(&output).await,
    }
}

/// Carries out an act, through the running server if there is one, and prints the notice.
async fn change_notice(
    act: &str,
    order: &impl Serialize,
    command: MaintenanceCommand,
    output: &Output,
) -> Result<(), CommandError> {
    let notice: NoticeView = match CommandTarget::select(&output.installation).await? {
        CommandTarget::RunningServer(ops) => {
            let path = format!("/operations/maintenance/{act}");
            serde_json::from_value(ops_client::call_operation(&ops, &path, &serde_json::to_value(order)?).await?)?
        }
        CommandTarget::Local(operator) => {
            operator.maintenance_change(&local_act(&output.installation, None)?, command).await?
        }
    };
    print_line(if output.json { serde_json::to_string_pretty(&notice)? } else { describe(&notice) }.trim_end());
    Ok(())
}

async fn list(output: &Output) -> Result<(), CommandError> {
    let list: NoticeListView = match CommandTarget::select(&output.installation).await? {
        CommandTarget::RunningServer(ops) => {
            serde_json::from_value(ops_client::fetch_from_ops(&ops, "/operations/maintenance").await?)?
        }
        CommandTarget::Local(operator) => operator.maintenance_notices().await?,
    };
    let text = if output.json {
        serde_json::to_string_pretty(&list)?
    } else if list.notices.is_empty() {
        "There are no notices.".to_owned()
    } else {
        list.notices.iter().map(describe).collect::<Vec<_>>().join("\n")
    };
    print_line(text.trim_end());
    Ok(())
}

/// Formats a notice: its id and state in a line, then its facts.
fn describe(notice: &NoticeView) -> String {
    let kind = match notice.kind {
        NoticeKindView::Planned => "planned maintenance",
        NoticeKindView::Unplanned => "unplanned maintenance",
        NoticeKindView::Change => "change of the interface",
    };
    let status = match notice.status {
        NoticeStatusView::Announced => "announced",
        NoticeStatusView::Confirmed => "confirmed",
        NoticeStatusView::InProgress => "in progress",
        NoticeStatusView::Ended => "ended",
        NoticeStatusView::Withdrawn => "withdrawn",
    };
    let late = if notice.late { ", late" } else { "" };
    let mut text = format!("{}  {kind}, {status}{late}\n", notice.id.as_str().escape_debug());
    let time = |at: &Instant| String::from(*at);
    let mut line = |name: &str, value: &str| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "    {name:<9}{}", value.escape_debug());
    };
    line("from", &time(&notice.from));
    notice.until.iter().for_each(|at| line("until", &time(at)));
    notice.started_at.iter().for_each(|at| line("began", &time(at)));
    notice.ended_at.iter().for_each(|at| line("ended", &time(at)));
    line("message", &notice.message);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn dtn_004_a_notice_is_described_with_its_period_and_whether_it_is_late() {
        let notice: NoticeView = serde_json::from_value(json!({
            "id": "a1", "kind": "planned", "status": "in_progress", "given_at": "2026-03-02T12:00:00Z",
            "confirmed_at": "2026-03-02T12:00:00Z", "from": "2026-03-03T21:00:00Z", "until": "2026-03-03T22:00:00Z",
            "started_at": "2026-03-03T21:00:00Z", "ended_at": null, "message": "Wörk\u{1b}.", "reason": "Work.",
            "systems": ["production"], "action": null, "impact": "BusinessCritical", "late": true,
        }))
        .unwrap();
        let expected = "a1  planned maintenance, in progress, late\n    from     2026-03-03T21:00:00Z\n    \
                        until    2026-03-03T22:00:00Z\n    began    2026-03-03T21:00:00Z\n    message  Wörk\\u{1b}.\n";
        assert_eq!(describe(&notice), expected);
    }
}
