//! `lombard quarantine`: lists work that failed permanently, and releases it for a retry.

use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::ops_client;
use crate::output::print_line;
use clap::{Args, Subcommand};
use lombard_ops::{OperationError, QuarantineView, RetriedView};
use serde_json::Value;

#[derive(Debug, Subcommand)]
pub(super) enum QuarantineCommand {
    /// List the quarantined work with the cause of each failure.
    List(InstallationArguments),
    /// Retry work after its cause was fixed.
    Retry(Retry),
}

#[derive(Debug, Args)]
pub(super) struct Retry {
    /// The id of one piece of work, as `list` shows it. The default is all of it.
    #[arg(value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn run(command: QuarantineCommand) -> Result<(), CommandError> {
    match command {
        QuarantineCommand::List(place) => {
            let shown: QuarantineView = match CommandTarget::select(&place).await? {
                CommandTarget::RunningServer(ops) => {
                    serde_json::from_value(ops_client::fetch_from_ops(&ops, "/operations/quarantine").await?)?
                }
                CommandTarget::Local(operator) => operator.quarantined().await?.into(),
            };
            print_line(listed(&shown).trim_end());
        }
        QuarantineCommand::Retry(Retry { id, installation: place }) => {
            let RetriedView { retried } = match CommandTarget::select(&place).await? {
                CommandTarget::RunningServer(ops) => {
                    let path = match &id {
                        None => "/operations/quarantine/retry".to_owned(),
                        Some(id) if is_id(id) => format!("/operations/quarantine/{id}/retry"),
                        Some(_) => return Err(unknown()),
                    };
                    serde_json::from_value(ops_client::call_operation(&ops, &path, &Value::Null).await?)?
                }
                CommandTarget::Local(operator) => RetriedView {
                    retried: operator.quarantine_release(&local_act(&place, None)?, id.as_deref()).await?,
                },
            };
            if id.is_some() && retried == 0 {
                return Err(unknown());
            }
            print_line(&format!("{retried} piece(s) of work will be tried again."));
        }
    }
    Ok(())
}

/// Whether a text can be an id and needs no escaping in a path.
fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn unknown() -> CommandError {
    OperationError::Refused("there is no work in quarantine with this id".to_owned()).into()
}

/// Formats the quarantined work: one line for each item and one for its cause. Control characters in values from the database are
/// escaped.
fn listed(shown: &QuarantineView) -> String {
    if shown.work.is_empty() {
        return "Nothing is in quarantine.".to_owned();
    }
    let work = shown.work.iter().map(|it| {
        let subject = it.subject.escape_debug();
        let cause = it.cause.escape_debug();
        format!("{} {} {subject}, since {}\n    {cause}\n", it.id, it.kind, it.since)
    });
    let total = shown.counts.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
    work.chain([format!("{total} in all.")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_ops::QuarantinedWorkView;

    #[test]
    fn each_piece_of_work_is_listed_with_its_cause() {
        let none = QuarantineView { counts: [].into(), work: Vec::new() };
        assert_eq!(listed(&none), "Nothing is in quarantine.");
        let work = QuarantinedWorkView {
            id: "bank-3".to_owned(),
            kind: "job".to_owned(),
            subject: "j".to_owned(),
            cause: "a row of jobs cannot be read: \u{1b}[2J".to_owned(),
            since: "2026-01-01T00:00:00Z".to_owned(),
        };
        let text = listed(&QuarantineView { counts: [("job".to_owned(), 2)].into(), work: vec![work] });
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "bank-3 job j, since 2026-01-01T00:00:00Z");
        assert_eq!(lines[1], "    a row of jobs cannot be read: \\u{1b}[2J");
        assert_eq!(lines[2], "2 in all.");
    }
}
