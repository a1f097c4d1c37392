//! `lombard order`, `lombard consent` and `lombard customer`: what staff look up and end when they help a customer or a TPP.

use super::columns::in_columns;
use super::command_target::{CommandTarget, local_act};
use super::customer;
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::tpps::segment;
use crate::ops_client;
use crate::output::print_line;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use lombard_domain::ids::PsuId;
use lombard_ops::support::{CustomerRevokedView, CustomerView, StoryParty, StorySubject, StoryView};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Debug, Subcommand)]
pub(super) enum OrderCommand {
    /// Show an order with its consent: requests, statuses, the core, payments and events, in the order of time.
    Show(Named),
}

#[derive(Debug, Subcommand)]
pub(super) enum ConsentCommand {
    /// Show a consent with its orders: requests, statuses, the core, payments and events, in the order of time.
    Show(Named),
    /// End the access that a consent gives. The TPP gets an event.
    Revoke(Named),
}

#[derive(Debug, Subcommand)]
pub(super) enum CustomerCommand {
    /// Show the consents and orders of a customer.
    Show(Named),
    /// End the access of all consents of a customer. The TPPs get events.
    Revoke(Named),
    #[command(flatten)]
    Records(customer::RecordsCommand),
}

#[derive(Debug, Args)]
pub(super) struct Named {
    /// The id. An order is also shown by its end-to-end id, its payee's account, or the interaction id of the request that created it; a
    /// consent also by what names one of its orders.
    #[arg(value_name = "ID")]
    id: String,
    /// Why data of a customer are read or changed, for the audit log: one line of at most 200 characters, without personal data.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn order(OrderCommand::Show(command): OrderCommand) -> Result<(), CommandError> {
    let story: StoryView = match CommandTarget::select(&command.installation).await? {
        CommandTarget::RunningServer(ops) => command.fetch(&ops, "orders").await?,
        CommandTarget::Local(operator) => operator.order_story(&command.act()?, &command.id, None).await?,
    };
    command.print(&story, describe_story)
}

pub(super) async fn consent(command: ConsentCommand) -> Result<(), CommandError> {
    match command {
        ConsentCommand::Show(command) => {
            let story: StoryView = match CommandTarget::select(&command.installation).await? {
                CommandTarget::RunningServer(ops) => command.fetch(&ops, "consents").await?,
                CommandTarget::Local(operator) => operator.consent_story(&command.act()?, &command.id, None).await?,
            };
            command.print(&story, describe_story)
        }
        ConsentCommand::Revoke(command) => {
            let answer = command.revoke("consents").await?;
            command.print(&answer, |_| "The consent is revoked.".to_owned())
        }
    }
}

pub(super) async fn customer(command: CustomerCommand) -> Result<(), CommandError> {
    match command {
        CustomerCommand::Show(command) => {
            let customer: CustomerView = match CommandTarget::select(&command.installation).await? {
                CommandTarget::RunningServer(ops) => command.fetch(&ops, "customers").await?,
                CommandTarget::Local(operator) => {
                    operator.customer_view(&command.act()?, &PsuId::from(command.id.as_str())).await?
                }
            };
            command.print(&customer, describe_customer)
        }
        CustomerCommand::Revoke(command) => {
            let revoked: CustomerRevokedView = serde_json::from_value(command.revoke("customers").await?)?;
            command.print(&revoked, describe_revoked)
        }
        CustomerCommand::Records(command) => customer::run(command).await,
    }
}

impl Named {
    fn act(&self) -> Result<lombard_domain::staff::StaffAct, CommandError> {
        local_act(&self.installation, Some(&self.reason))
    }

    /// Reads a record of this kind from the running server.
    async fn fetch<T: serde::de::DeserializeOwned>(
        &self,
        ops: &ops_client::OpsClient,
        kind: &str,
    ) -> Result<T, CommandError> {
        let path = format!("/operations/{kind}/{}?reason={}", segment(&self.id), segment(&self.reason));
        Ok(serde_json::from_value(ops_client::fetch_from_ops(ops, &path).await?)?)
    }

    /// Ends access through the running server, which raises the events of it.
    async fn revoke(&self, kind: &str) -> Result<Value, CommandError> {
        let CommandTarget::RunningServer(ops) = CommandTarget::select(&self.installation).await? else {
            return Err(CommandError::NoServerToRevoke(self.installation.load()?.data_dir));
        };
        let path = format!("/operations/{kind}/{}/revoke", segment(&self.id));
        Ok(ops_client::call_operation(&ops, &path, &json!({ "reason": self.reason })).await?)
    }

    fn print<T: Serialize>(&self, shown: &T, describe: impl FnOnce(&T) -> String) -> Result<(), CommandError> {
        print_line(if self.json { serde_json::to_string_pretty(shown)? } else { describe(shown) }.trim_end());
        Ok(())
    }
}

/// Formats a story: what it is about, its facts, and a line for each entry. Control characters of stored texts are escaped.
fn describe_story(story: &StoryView) -> String {
    let subject = match story.subject {
        StorySubject::Consent => "Consent",
        StorySubject::Order => "Order",
    };
    let mut text = format!("{subject} {}: {}\n\n", plain(&story.id), plain(&story.status));
    let tpp = match (&story.tpp.software_name, &story.tpp.status) {
        (Some(name), Some(status)) => format!("{name} ({}, {status})", story.tpp.client_id),
        _ => format!("{} (removed)", story.tpp.client_id),
    };
    let own = |name: &str, value: String| [format!("  {name}"), plain(&value)];
    let mut facts = vec![own("TPP", tpp)];
    facts.extend(story.customer.as_ref().map(|customer| own("Customer", customer.to_string())));
    if story.subject == StorySubject::Order {
        facts.push(own("Consent", story.consent_id.to_string()));
    }
    facts.extend(story.facts.iter().map(|fact| own(&fact.name, fact.value.clone())));
    if story.subject == StorySubject::Consent {
        facts.extend(story.orders.iter().map(|order| own("Order", format!("{}: {}", order.id, order.status))));
    }
    text.push_str(&in_columns(&facts));
    text.push('\n');
    let entries: Vec<_> = story
        .entries
        .iter()
        .map(|entry| {
            let way = if entry.from == entry.to {
                party(entry.from).to_owned()
            } else {
                format!("{} > {}", party(entry.from), party(entry.to))
            };
            let detail = entry.detail.as_ref().map(|detail| format!(" ({detail})")).unwrap_or_default();
            [second(&entry.at), way, plain(&format!("{}{detail}", entry.title))]
        })
        .collect();
    text.push_str(&in_columns(&entries));
    if !story.requests_recorded {
        text.push_str("\nRequests of this TPP are not recorded here.\n");
    }
    text
}

const fn party(party: StoryParty) -> &'static str {
    match party {
        StoryParty::Tpp => "TPP",
        StoryParty::Customer => "customer",
        StoryParty::Server => "server",
        StoryParty::Core => "core",
    }
}

fn describe_customer(customer: &CustomerView) -> String {
    let mut text = format!("Customer {}\n\n", plain(customer.id.as_str()));
    let consents: Vec<_> = customer
        .consents
        .iter()
        .map(|consent| {
            let tpp = consent.software_name.as_deref().unwrap_or(consent.client_id.as_str());
            [consent.id.as_str(), &second(&consent.created_at), &consent.kind, &consent.status, tpp].map(plain)
        })
        .collect();
    text.push_str(&table(["CONSENT", "CREATED", "KIND", "STATUS", "TPP"], consents));
    let orders: Vec<_> = customer
        .orders
        .iter()
        .map(|order| {
            let amount = order.amount.as_deref().unwrap_or("a file");
            [order.id.as_str(), &second(&order.created_at), amount, &order.status].map(plain)
        })
        .collect();
    text.push('\n');
    text.push_str(&table(["ORDER", "CREATED", "AMOUNT", "STATUS"], orders));
    text
}

fn describe_revoked(CustomerRevokedView { revoked, more }: &CustomerRevokedView) -> String {
    let mut text = format!("{} consent(s) revoked.\n", revoked.len());
    for id in revoked {
        text.push_str(&format!("  {}\n", plain(id.as_str())));
    }
    if *more {
        text.push_str("More consents are left: run the command again.\n");
    }
    text
}

/// Formats a table with a header.
fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>) -> String {
    let rows: Vec<_> = std::iter::once(header.map(str::to_owned)).chain(rows).collect();
    in_columns(&rows)
}

/// A text without control characters, which a terminal would interpret.
fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

/// A time to the second, in UTC.
fn second(at: &str) -> String {
    at.parse::<Timestamp>().map_or_else(|_| plain(at), |at| at.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_ops::support::{FactView, StoryEntryView, StoryKind, StoryTppView};

    #[test]
    fn a_story_is_facts_and_a_line_for_each_entry() {
        let entry = |from, to, title: &str, detail: Option<&str>| StoryEntryView {
            at: "2026-03-02T10:00:00.123456Z".to_owned(),
            kind: StoryKind::Order,
            from,
            to,
            title: title.to_owned(),
            detail: detail.map(str::to_owned),
        };
        let story = StoryView {
            subject: StorySubject::Order,
            id: "o-1".to_owned(),
            status: "Pending".to_owned(),
            tpp: StoryTppView { client_id: "t".into(), software_name: None, status: None },
            customer: Some("amelia".into()),
            consent_id: "c-1".into(),
            orders: Vec::new(),
            is_revocable: false,
            facts: vec![FactView { name: "Reference".to_owned(), value: "a\u{1b}b".to_owned() }],
            entries: vec![
                entry(StoryParty::Tpp, StoryParty::Server, "Order created", Some("RCVD in v4.0")),
                entry(StoryParty::Server, StoryParty::Server, "Consent: Expired", None),
            ],
            requests_recorded: false,
        };
        let expected = "Order o-1: Pending\n\n  TPP        t (removed)\n  Customer   amelia\n  Consent    c-1\n  \
                        Reference  a\u{fffd}b\n\n2026-03-02 10:00:00  TPP > server  Order created (RCVD in v4.0)\n\
                        2026-03-02 10:00:00  server        Consent: Expired\n\nRequests of this TPP are not recorded here.\n";
        assert_eq!(describe_story(&story), expected);
    }
}
