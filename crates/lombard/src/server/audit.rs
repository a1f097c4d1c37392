//! The audit log of an installation: its sealing, its anchors outside of the database, and the records of the server's own acts.

use super::acts::log_record;
use super::blocking::blocking;
use super::operation_errors::{failed, refused};
use crate::config::{Config, SyslogAddress};
use crate::telemetry;
use jiff::Timestamp;
use lombard_domain::audit::{AuditAction, AuditEntry, AuditRecord, AuditRole};
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::staff::StaffAct;
use lombard_ops::{AuditPageView, AuditSearch, OperationError};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{Store, StoreError};
use lombard_service::audit::{HeadTime, digest_bytes, read_page, record, seal_all, seal_audit};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::UdpSocket;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The priority of messages to syslog: the facility "log audit" (13) and the severity "informational" (6). Source: RFC 5424, section 6.2.1.
const PRIORITY: u8 = 13 * 8 + 6;

/// The version of the program in entries.
const VERSION: &str = env!("LOMBARD_VERSION");

/// The audit log. Clones share it.
#[derive(Debug, Clone)]
pub struct AuditLog {
    store: Store,
    clocks: Clocks,
    anchors: Arc<Anchors>,
}

/// Where entries of the joint chain are written outside of the database.
#[derive(Debug)]
struct Anchors {
    node: String,
    file: Option<PathBuf>,
    syslog: Option<SyslogAddress>,
}

impl AuditLog {
    /// The log of an installation.
    pub(super) fn new(config: &Config, store: Store, clocks: Clocks) -> Self {
        let audit = &config.audit;
        let anchors =
            Anchors { node: node_name(config), file: audit.anchor_file.clone(), syslog: audit.anchor_syslog.clone() };
        Self { store, clocks, anchors: Arc::new(anchors) }
    }

    /// The record of an act of staff that is carried out now.
    pub(super) fn record_of(&self, act: &StaffAct, action: AuditAction, target: &str) -> AuditRecord {
        AuditRecord::of_staff(act, self.clocks.wall_now(), action, target)
    }

    /// Stores the record of an act of staff in a transaction of its own, because the act is not one transaction.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub(super) async fn write_act(
        &self,
        act: &StaffAct,
        action: AuditAction,
        target: &str,
    ) -> Result<(), OperationError> {
        let act = self.record_of(act, action, target);
        record(&self.store, act.clone()).await.map_err(failed)?;
        log_record(&act);
        Ok(())
    }

    /// Stores that this node starts, with the digest of its configuration, which contains no secrets.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn write_start(&self, config: &Config) -> Result<(), StoreError> {
        let start = AuditRecord::of_server(self.clocks.wall_now(), AuditAction::ServerStart, VERSION);
        record(&self.store, start.with_digests(None, Some(digest_bytes(config.show().as_bytes())))).await
    }

    /// Stores how often each rule of security refused something since the last call: one record for each rule, however many refusals.
    ///
    /// # Errors
    /// [`StoreError`]; the counts are lost then.
    pub(super) async fn write_refusals(&self) -> Result<(), StoreError> {
        let now = self.clocks.wall_now();
        let records: Vec<_> =
            telemetry::take_refusals().into_iter().map(|counted| refusals_record(counted, now)).collect();
        if records.is_empty() {
            return Ok(());
        }
        self.store.write(move |tx| records.iter().try_for_each(|record| tx.audit_append(record))).await
    }

    /// Seals a batch of records, and writes a new entry of the joint chain to the anchors. Returns the number of records.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn seal(&self) -> Result<usize, StoreError> {
        let batch = seal_audit(&self.store, self.clocks.wall_now(), HeadTime::Due).await?;
        metrics::counter!("lombard_audit_entries_total").increment(u64::try_from(batch.sealed).unwrap_or_default());
        self.anchor(batch.head).await;
        Ok(batch.sealed)
    }

    /// Seals all records, with the ends of all chains in the joint chain.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn seal_all(&self) -> Result<(), StoreError> {
        let heads = seal_all(&self.store, self.clocks.wall_now()).await?;
        self.anchor(heads).await;
        Ok(())
    }

    /// Reads a page of the log for staff. The log tells of the read, and is sealed first, so that the first page of the newest entries, or
    /// the last page of the oldest, is complete.
    ///
    /// # Errors
    /// [`OperationError::Refused`] for a search for values that no entry can have; [`OperationError::Failed`].
    pub async fn read_page(&self, act: &StaffAct, search: AuditSearch) -> Result<AuditPageView, OperationError> {
        let (filter, page, limit) = search.read().map_err(refused)?;
        self.write_act(act, AuditAction::AuditRead, filter.target.as_deref().unwrap_or_default()).await?;
        if search.is_first_page() {
            self.seal_all().await.map_err(failed)?;
        }
        read_page(&self.store, filter, page, limit).await.map(AuditPageView::from).map_err(failed)
    }

    /// Writes entries of the joint chain to the anchors. The entries are stored already, so a failure is only logged; the next entry has
    /// the hash of this one.
    async fn anchor(&self, heads: impl IntoIterator<Item = AuditEntry> + Send) {
        let heads: Vec<_> = heads.into_iter().collect();
        let anchors = Arc::clone(&self.anchors);
        if heads.is_empty() || (anchors.file.is_none() && anchors.syslog.is_none()) {
            return;
        }
        let written = blocking(move || heads.iter().try_for_each(|head| anchors.write(head))).await;
        let failure: Box<dyn std::error::Error> = match written {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.into(),
            Err(error) => error.into(),
        };
        metrics::counter!("lombard_audit_anchor_failures_total").increment(1);
        tracing::error!(error = &*failure, "an entry of the audit log was not written to an anchor");
    }
}

impl Anchors {
    fn write(&self, head: &AuditEntry) -> io::Result<()> {
        let line = serde_json::to_string(head)?;
        if let Some(file) = &self.file {
            append_line(file, &line)?;
        }
        match &self.syslog {
            Some(address) => send_to_syslog(address, &syslog_message(&self.node, head.at, &line)),
            None => Ok(()),
        }
    }
}

fn append_line(file: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(file)?;
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()
}

fn send_to_syslog(address: &SyslogAddress, message: &str) -> io::Result<()> {
    match address {
        SyslogAddress::Socket(path) => UnixDatagram::unbound()?.send_to(message.as_bytes(), path),
        SyslogAddress::Host(host) => {
            let unspecified = if host.starts_with('[') { "[::]:0" } else { "0.0.0.0:0" };
            UdpSocket::bind(unspecified)?.send_to(message.as_bytes(), host.as_str())
        }
    }
    .map(drop)
}

/// A message to syslog with the message id `audit.head`. Source: RFC 5424, section 6.
fn syslog_message(node: &str, at: Timestamp, line: &str) -> String {
    format!("<{PRIORITY}>1 {at:.6} {node} lombard {} audit.head - {line}", std::process::id())
}

/// The name of this node in the log: the configured one, or that of the machine.
pub(super) fn node_name(config: &Config) -> String {
    match &config.audit.node {
        Some(name) => name.as_str().to_owned(),
        None => plain_name(&rustix::system::uname().nodename().to_string_lossy()),
    }
}

/// The name of a machine in the form of a node's name.
fn plain_name(machine: &str) -> String {
    let plain = |character: char| if crate::config::NodeName::allows(character) { character } else { '-' };
    let name: String = machine.chars().take(lombard_domain::audit::NODE_CHARS_MAX).map(plain).collect();
    if lombard_domain::audit::is_node_name(&name) { name } else { "node".to_owned() }
}

/// The record of the refusals of a rule. The address is told if all of them came from one.
fn refusals_record(counted: telemetry::CountedRefusals, now: Timestamp) -> AuditRecord {
    AuditRecord {
        actor: String::new(),
        role: AuditRole::Unidentified,
        reason: ChangeReason::parse(&format!("{} refused", counted.count)),
        from: counted.from.unwrap_or_default(),
        ..AuditRecord::of_server(now, AuditAction::SecurityRefusal, counted.rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_machine_becomes_that_of_a_node() {
        for (machine, node) in
            [("pod-7.bank", "pod-7.bank"), ("my machine", "my-machine"), ("joint", "node"), ("", "node")]
        {
            assert_eq!(plain_name(machine), node, "{machine:?}");
        }
        assert_eq!(plain_name(&"n".repeat(200)).len(), 64);
    }

    #[test]
    fn a_message_to_syslog_has_a_header_and_the_line() {
        let at = Timestamp::from_second(0).unwrap();
        let message = syslog_message("node-1", at, "{}");
        let id = std::process::id();
        assert_eq!(message, format!("<110>1 1970-01-01T00:00:00.000000Z node-1 lombard {id} audit.head - {{}}"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let syslog = UnixDatagram::bind(&path).unwrap();
        send_to_syslog(&SyslogAddress::Socket(path), &message).unwrap();
        let mut received = [0; 200];
        let length = syslog.recv(&mut received).unwrap();
        assert_eq!(received.get(..length), Some(message.as_bytes()));
        let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = SyslogAddress::Host(receiver.local_addr().unwrap().to_string());
        send_to_syslog(&address, &message).unwrap();
        assert_eq!(receiver.recv(&mut received).unwrap(), length);
    }
}
