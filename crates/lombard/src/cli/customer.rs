//! `lombard customer`: holds, releases, exports and erases the records of one customer.

use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::tpps::segment;
use crate::ops_client;
use crate::output::print_line;
use clap::{Args, Subcommand};
use lombard_domain::ids::PsuId;
use lombard_ops::{CustomerChange, CustomerChangeView};
use serde_json::Value;

#[derive(Debug, Subcommand)]
pub(super) enum RecordsCommand {
    /// Keep all records of a customer: they are neither purged nor erased until the customer is released.
    Hold(RecordsArguments),
    /// End the hold on the records of a customer.
    Release(RecordsArguments),
    /// Print everything that the server and its core hold about a customer, as one JSON document.
    Export(RecordsArguments),
    /// Erase what the server and its core hold about a customer. What the ledger and statistics need stays under a pseudonym.
    Erase(RecordsArguments),
}

#[derive(Debug, Args)]
pub(super) struct RecordsArguments {
    /// The customer, by the id that the bank's identity provider gives.
    #[arg(value_name = "ID")]
    customer: PsuId,
    /// Why, for the audit log.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Print JSON. An export is always JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn run(command: RecordsCommand) -> Result<(), CommandError> {
    match command {
        RecordsCommand::Hold(arguments) => change(arguments, CustomerChange::Hold).await,
        RecordsCommand::Release(arguments) => change(arguments, CustomerChange::Release).await,
        RecordsCommand::Erase(arguments) => change(arguments, CustomerChange::Erase).await,
        RecordsCommand::Export(arguments) => export(arguments).await,
    }
}

/// The path of an operation on a customer, with the reason.
fn path(arguments: &RecordsArguments, name: &str) -> String {
    let (id, reason) = (segment(arguments.customer.as_str()), segment(&arguments.reason));
    format!("/operations/customers/{id}/{name}?reason={reason}")
}

async fn change(arguments: RecordsArguments, change: CustomerChange) -> Result<(), CommandError> {
    let place = &arguments.installation;
    let view: CustomerChangeView = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            let path = path(&arguments, change.name());
            serde_json::from_value(ops_client::call_operation(&ops, &path, &Value::Null).await?)?
        }
        CommandTarget::Local(operator) => {
            let act = local_act(place, Some(&arguments.reason))?;
            operator.customer_change(&act, &arguments.customer, change).await?
        }
    };
    print_line(&if arguments.json { serde_json::to_string_pretty(&view)? } else { describe(&view, change) });
    Ok(())
}

async fn export(arguments: RecordsArguments) -> Result<(), CommandError> {
    let place = &arguments.installation;
    let document = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => ops_client::fetch_file(&ops, &path(&arguments, "export")).await?,
        CommandTarget::Local(operator) => {
            let act = local_act(place, Some(&arguments.reason))?;
            serde_json::to_string(&operator.customer_export(&act, &arguments.customer).await?)?
        }
    };
    let document: Value = serde_json::from_str(&document)?;
    print_line(&serde_json::to_string_pretty(&document)?);
    Ok(())
}

/// Formats the result of a change.
fn describe(view: &CustomerChangeView, change: CustomerChange) -> String {
    let customer = view.customer.escape_debug();
    match (change, &view.erasure) {
        (CustomerChange::Hold, _) => format!("The records of {customer} are kept until `lombard customer release`."),
        (CustomerChange::Release, _) => format!("The hold on the records of {customer} has ended."),
        (CustomerChange::Erase, None) => format!("{customer} is erased."),
        (CustomerChange::Erase, Some(erasure)) => {
            let core = if erasure.erased_at_core {
                "The core has erased the customer too."
            } else {
                "The core does not offer erasure: erase the customer there."
            };
            format!(
                "{customer} is erased: {} consent(s) revoked, {} record(s) removed or pseudonymised as {}. {core}",
                erasure.consents_revoked,
                erasure.rows,
                erasure.pseudonym.escape_debug()
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_ops::CustomerErasureView;

    #[test]
    fn an_erasure_says_what_was_done_and_what_is_left() {
        let erasure = CustomerErasureView {
            pseudonym: "erased-1".to_owned(),
            consents_revoked: 2,
            rows: 9,
            erased_at_core: false,
        };
        let mut view = CustomerChangeView { customer: "a\u{1b}".to_owned(), erasure: Some(erasure) };
        let text = describe(&view, CustomerChange::Erase);
        assert!(text.starts_with("a\\u{1b} is erased: 2 consent(s) revoked, 9 record(s)"), "{text}");
        assert!(text.ends_with("The core does not offer erasure: erase the customer there."), "{text}");
        view.erasure = None;
        assert!(describe(&view, CustomerChange::Hold).contains("are kept"));
    }
}
