//! `lombard audit`: verifies, exports and shows the audit log.

use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::logs::without_controls;
use super::tpps::segment;
use crate::ops_client::{self, OpsClient};
use crate::output::{print_line, try_print_line};
use crate::server::Operator;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use lombard_domain::audit::AuditEntry;
use lombard_domain::code::StoredCode;
use lombard_domain::staff::StaffAct;
use lombard_ops::{AuditPageView, AuditSearch, Instant};
use lombard_service::audit::{AuditFault, AuditFaultKind, AuditVerifier, PAGE_ENTRIES_MAX};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// The usual number of entries that are shown.
const SHOWN: u32 = 50;

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// Verify all entries, and name those that were altered, removed, moved, added or replaced. The status is 0 if the log is sound, 2 if it
    /// is not, and 1 if it could not be verified.
    Verify(Verify),
    /// Write entries to standard output from the oldest on, one JSON object a line.
    Export(Export),
    /// Show the latest entries, the newest first.
    Show(Show),
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// A file that `audit.anchor_file` named, with entries of the chain `joint`; may be given more than once.
    #[arg(long = "anchor", value_name = "FILE")]
    anchors: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Export {
    #[command(flatten)]
    filter: Filter,
    /// The most entries that are written. The default is all of them.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u64>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    filter: Filter,
    /// The most entries that are shown.
    #[arg(long, value_name = "NUMBER", default_value_t = SHOWN, value_parser = clap::value_parser!(u32).range(1..=i64::from(PAGE_ENTRIES_MAX)))]
    limit: u32,
    #[command(flatten)]
    output: Output,
}

/// Which entries are read.
#[derive(Debug, Args)]
struct Filter {
    /// Only entries at or after this time, with an offset, such as 2027-01-31T22:00:00Z.
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Only entries before this time.
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// Only entries of this action, such as keys.rotate.
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// Only entries of this actor: the name of a member of staff, or the id of a customer or a TPP.
    #[arg(long, value_name = "ACTOR")]
    actor: Option<String>,
    /// Only entries about this id: of a consent, an order, a client, a key.
    #[arg(long, value_name = "ID")]
    target: Option<String>,
}

#[derive(Debug, Args)]
struct Output {
    /// Print one JSON object a line, as `export` always does.
    #[arg(long)]
    json: bool,
    /// Why the log is read.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    installation: InstallationArguments,
}

impl Filter {
    fn search(self) -> AuditSearch {
        let Self { since, until, action, actor, target } = self;
        let (since, until) = (since.map(Instant), until.map(Instant));
        AuditSearch { target, actor, action, since, until, ..AuditSearch::default() }
    }
}

/// Reads the pages of the log, from the running server or from the database.
enum AuditReader {
    Server(OpsClient, Option<String>),
    Database(Box<Operator>, StaffAct),
}

impl AuditReader {
    async fn open(output: &Output) -> Result<Self, CommandError> {
        Ok(match CommandTarget::select(&output.installation).await? {
            CommandTarget::RunningServer(ops) => Self::Server(ops, output.reason.clone()),
            CommandTarget::Local(operator) => {
                Self::Database(operator, local_act(&output.installation, output.reason.as_deref())?)
            }
        })
    }

    async fn fetch(&self, search: AuditSearch) -> Result<AuditPageView, CommandError> {
        match self {
            Self::Server(ops, reason) => {
                let path = path(&AuditSearch { reason: reason.clone(), ..search });
                Ok(serde_json::from_str(&ops_client::fetch_page(ops, &path).await?)?)
            }
            Self::Database(operator, act) => Ok(operator.audit().read_page(act, search).await?),
        }
    }
}

/// The path of a page at the ops listener.
fn path(search: &AuditSearch) -> String {
    let AuditSearch { target, actor, action, since, until, after, before, limit, reason } = search;
    let time = |at: &Option<Instant>| at.map(String::from);
    let number = |it: &Option<i64>| it.map(|number| number.to_string());
    let members = [
        ("target", target.clone()),
        ("actor", actor.clone()),
        ("action", action.clone()),
        ("since", time(since)),
        ("until", time(until)),
        ("after", number(after)),
        ("before", number(before)),
        ("limit", limit.map(|limit| limit.to_string())),
        ("reason", reason.clone()),
    ];
    let given = members.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", segment(&value?))));
    format!("/operations/audit?{}", given.collect::<Vec<_>>().join("&"))
}

pub(super) async fn run(command: AuditCommand) -> Result<(), CommandError> {
    match command {
        AuditCommand::Verify(command) => verify(command).await,
        AuditCommand::Export(command) => export(command).await,
        AuditCommand::Show(command) => show(command).await,
    }
}

async fn verify(command: Verify) -> Result<(), CommandError> {
    let mut anchors = Vec::new();
    for file in &command.anchors {
        anchors.extend(read_anchors(file)?);
    }
    let mut verifier = AuditVerifier::with_anchors(anchors);
    let reader = AuditReader::open(&command.output).await?;
    let mut search = AuditSearch { after: Some(0), limit: Some(PAGE_ENTRIES_MAX), ..AuditSearch::default() };
    let chains = loop {
        let page = reader.fetch(search.clone()).await?;
        page.entries.iter().for_each(|entry| verifier.check_entry(entry));
        match page.next {
            Some(next) => search.after = Some(next),
            None => break page.chains.unwrap_or_default(),
        }
    };
    let entries = verifier.count_entries();
    let faults = verifier.finish(&chains);
    for fault in &faults {
        print_line(&if command.output.json { fault_json(fault) } else { describe_fault(fault) });
    }
    if !faults.is_empty() {
        return Err(CommandError::AuditFaulty(faults.len()));
    }
    print_line(&if command.output.json {
        json!({ "entries": entries, "chains": chains, "sound": true }).to_string()
    } else {
        format!("The audit log is sound: {entries} entries in {} chains.", chains.len())
    });
    Ok(())
}

/// The entries in an anchor file. A last line that is not whole was being written when the machine stopped.
fn read_anchors(file: &Path) -> Result<Vec<AuditEntry>, CommandError> {
    let text = fs::read_to_string(file).map_err(|source| CommandError::File { path: file.to_owned(), source })?;
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

async fn export(command: Export) -> Result<(), CommandError> {
    let reader = AuditReader::open(&command.output).await?;
    let mut left = command.limit.unwrap_or(u64::MAX);
    let mut search = AuditSearch { after: Some(0), ..command.filter.search() };
    while left > 0 {
        let limit = u32::try_from(left).unwrap_or(PAGE_ENTRIES_MAX).min(PAGE_ENTRIES_MAX);
        let page = reader.fetch(AuditSearch { limit: Some(limit), ..search.clone() }).await?;
        for entry in &page.entries {
            if try_print_line(&serde_json::to_string(entry)?).is_err() {
                return Ok(());
            }
        }
        left = left.saturating_sub(u64::try_from(page.entries.len()).unwrap_or(u64::MAX));
        let Some(next) = page.next else { break };
        search.after = Some(next);
    }
    Ok(())
}

async fn show(command: Show) -> Result<(), CommandError> {
    let reader = AuditReader::open(&command.output).await?;
    let search = AuditSearch { limit: Some(command.limit), ..command.filter.search() };
    for entry in &reader.fetch(search).await?.entries {
        print_line(&if command.output.json { serde_json::to_string(entry)? } else { describe_entry(entry) });
    }
    Ok(())
}

/// Formats an entry as one line: time, place in its chain, action, target, who in which role, from where, and why.
fn describe_entry(entry: &AuditEntry) -> String {
    let AuditEntry { at, node, sequence, actor, role, action, target, reason, from, .. } = entry;
    let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    let reason = reason.as_ref().map(|reason| format!("  {reason}")).unwrap_or_default();
    let (target, actor, from) = (or_dash(target), or_dash(actor), or_dash(from));
    without_controls(&format!("{at:.6}  {node}/{sequence}  {action}  {target}  {actor} ({role})  {from}{reason}"))
}

/// Formats a fault as a sentence.
fn describe_fault(fault: &AuditFault) -> String {
    let AuditFault { kind, node, first, last } = fault;
    let (entries, was) =
        if first == last { (format!("Entry {first}"), "was") } else { (format!("Entries {first} to {last}"), "were") };
    let done = match kind {
        AuditFaultKind::Altered => "altered",
        AuditFaultKind::Removed => "removed",
        AuditFaultKind::Reordered => "moved or copied",
        AuditFaultKind::Inserted => "added without being sealed",
        AuditFaultKind::Replaced => "replaced",
    };
    without_controls(&format!("{entries} of {node} {was} {done}."))
}

fn fault_json(fault: &AuditFault) -> String {
    let AuditFault { kind, node, first, last } = fault;
    json!({ "fault": kind.code(), "node": node, "first": first, "last": last }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_asked_for_by_what_is_given() {
        let search = AuditSearch { target: Some("a b".to_owned()), after: Some(7), ..AuditSearch::default() };
        assert_eq!(path(&search), "/operations/audit?target=a%20b&after=7");
        let timed = AuditSearch { since: Some(Instant(Timestamp::UNIX_EPOCH)), ..AuditSearch::default() };
        assert_eq!(path(&timed), "/operations/audit?since=1970-01-01T00%3A00%3A00Z");
    }

    #[test]
    fn an_entry_is_one_line_and_a_fault_is_a_sentence() {
        let entry: AuditEntry = serde_json::from_value(json!({
            "at": "2027-01-02T03:04:05.12Z", "node": "node-1", "sequence": 7, "actor": "Ada", "role": "security",
            "action": "keys.rotate", "target": "k\u{1b}", "reason": "case 7", "from": "", "interaction_id": null,
            "before": null, "after": null, "previous": "aa", "hash": "bb",
        }))
        .unwrap();
        let line = "2027-01-02T03:04:05.120000Z  node-1/7  keys.rotate  k\u{fffd}  Ada (security)  -  case 7";
        assert_eq!(describe_entry(&entry), line);
        let fault = |kind, first, last| AuditFault { kind, node: "node-1".to_owned(), first, last };
        assert_eq!(describe_fault(&fault(AuditFaultKind::Altered, 3, 3)), "Entry 3 of node-1 was altered.");
        assert_eq!(describe_fault(&fault(AuditFaultKind::Removed, 3, 5)), "Entries 3 to 5 of node-1 were removed.");
    }

    #[test]
    fn an_anchor_file_may_end_in_the_middle_of_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("anchors");
        let entry = |sequence: i64| {
            json!({
                "at": "2027-01-02T03:04:05Z", "node": "joint", "sequence": sequence, "actor": "", "role": "server",
                "action": "audit.head", "target": "", "reason": null, "from": "", "interaction_id": null, "before": null,
                "after": null, "previous": "", "hash": "h",
            })
        };
        fs::write(&file, format!("{}\n{}\n{{\"at\":", entry(1), entry(2))).unwrap();
        let read: Vec<_> = read_anchors(&file).unwrap().into_iter().map(|entry| entry.sequence).collect();
        assert_eq!(read, [1, 2]);
        fs::write(&file, "{}\n").unwrap();
        assert!(read_anchors(&file).is_err());
    }
}
