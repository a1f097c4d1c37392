//! Snapshots: copies of the tables that a reset empties. The copies are in the same database; a setting lists their names.
//!
//! The server and the bank each have a list and copies, so that they may use separate databases.

use super::clock;
use crate::joint::JointStore;
use jiff::Timestamp;
use lombard_corebank::storage::BankTransaction;
use lombard_ports::clock::read_bank_offset_micros;
use lombard_ports::controls::{BankControls, ControlError, SNAPSHOTS_MAX, Snapshot, SnapshotAction, SnapshotName};
use lombard_ports::store::{ServerTransaction, SettingStore, Store, StoreError};
use serde::{Deserialize, Serialize};

/// The setting that contains the list.
const LIST: &str = "sandbox.snapshots";

const NONE: ControlError =
    ControlError::not_found("there is no snapshot with this name; GET /sandbox/snapshots lists them");
const OTHER_RELEASE: ControlError = ControlError::conflict(
    "the snapshot was saved by a release with other tables; save it anew with this one after a reset",
);
const TOO_MANY: ControlError = ControlError::conflict("there are 20 snapshots already; remove one first");

/// A snapshot in the list.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ListedSnapshot {
    name: String,
    /// The number of the copies.
    number: u32,
    /// When the snapshot was saved, in microseconds since the Unix epoch.
    saved_at: i64,
    /// The bank's time at that moment, in microseconds since the Unix epoch.
    bank_time: i64,
    /// The last migration of the tables that were copied.
    schema: i64,
}

impl ListedSnapshot {
    fn shown(&self) -> Option<Snapshot> {
        Some(Snapshot {
            name: SnapshotName::parse(&self.name)?,
            saved_at: Timestamp::from_microsecond(self.saved_at).ok()?,
            bank_time: Timestamp::from_microsecond(self.bank_time).ok()?,
        })
    }
}

fn list(tx: &mut (impl SettingStore + ?Sized)) -> Result<Vec<ListedSnapshot>, StoreError> {
    let Some(text) = tx.setting(LIST)? else { return Ok(Vec::new()) };
    serde_json::from_str(&text).map_err(|error| tx.setting_corrupt(LIST, error.into()))
}

/// The names of the snapshots.
///
/// # Errors
/// [`StoreError`].
pub fn snapshot_names(tx: &mut (impl SettingStore + ?Sized)) -> Result<Vec<String>, StoreError> {
    Ok(list(tx)?.into_iter().map(|it| it.name).collect())
}

fn store_list(tx: &mut (impl SettingStore + ?Sized), list: &[ListedSnapshot]) -> Result<(), StoreError> {
    let text = serde_json::to_string(list).map_err(|error| tx.setting_corrupt(LIST, error.into()))?;
    tx.setting_put(LIST, &text)
}

/// The tables of the server or of the bank.
trait Side: SettingStore {
    /// The last migration of the tables.
    const SCHEMA: i64;

    fn lock_and_copy(&mut self, number: u32) -> Result<(), StoreError>;
    fn restore(&mut self, number: u32) -> Result<(), StoreError>;
    fn remove_copy(&mut self, number: u32) -> Result<(), StoreError>;
}

const fn last_migration(schema: &lombard_database::Schema) -> i64 {
    match schema.migrations.last() {
        Some(last) => last.number,
        None => 0,
    }
}

impl Side for dyn ServerTransaction + '_ {
    const SCHEMA: i64 = last_migration(&lombard_store::SCHEMA);

    fn lock_and_copy(&mut self, number: u32) -> Result<(), StoreError> {
        self.server_tables_copy(number)
    }

    fn restore(&mut self, number: u32) -> Result<(), StoreError> {
        self.server_tables_restore(number)
    }

    fn remove_copy(&mut self, number: u32) -> Result<(), StoreError> {
        self.server_tables_copy_remove(number)
    }
}

impl Side for dyn BankTransaction + '_ {
    const SCHEMA: i64 = last_migration(&lombard_corebank::SCHEMA);

    fn lock_and_copy(&mut self, number: u32) -> Result<(), StoreError> {
        self.copy_bank(number)
    }

    fn restore(&mut self, number: u32) -> Result<(), StoreError> {
        self.restore_bank(number)
    }

    fn remove_copy(&mut self, number: u32) -> Result<(), StoreError> {
        self.remove_bank_copy(number)
    }
}

/// An action on a snapshot, with the wall-clock time of the request.
#[derive(Debug, Clone)]
pub(super) struct SnapshotRequest {
    pub(super) action: SnapshotAction,
    pub(super) name: SnapshotName,
    pub(super) wall: Timestamp,
}

/// Runs an action on the tables of one side and returns the snapshot. The list is locked by a write that precedes its second read, even
/// if the caller holds other locks.
fn apply_action<S: Side + ?Sized>(tx: &mut S, order: &SnapshotRequest) -> Result<ListedSnapshot, ControlError> {
    let mut listed = list(tx)?;
    store_list(tx, &listed)?;
    listed = list(tx)?;
    let found = listed.iter().position(|it| it.name == order.name.as_str());
    match order.action {
        SnapshotAction::Save => {
            let replaced = found.map(|place| listed.remove(place));
            if listed.len() >= SNAPSHOTS_MAX {
                return Err(TOO_MANY);
            }
            if let Some(replaced) = replaced {
                tx.remove_copy(replaced.number)?;
            }
            let number = listed.iter().map(|it| it.number).max().unwrap_or_default().saturating_add(1);
            tx.lock_and_copy(number)?;
            let saved_at = order.wall.as_microsecond();
            let bank_time = saved_at.saturating_add(read_bank_offset_micros(tx)?);
            let saved = ListedSnapshot { name: order.name.to_string(), number, saved_at, bank_time, schema: S::SCHEMA };
            listed.push(saved.clone());
            store_list(tx, &listed)?;
            Ok(saved)
        }
        SnapshotAction::Load => {
            let snapshot = found.and_then(|place| listed.get(place)).ok_or(NONE)?;
            if snapshot.schema != S::SCHEMA {
                return Err(OTHER_RELEASE);
            }
            tx.restore(snapshot.number)?;
            Ok(snapshot.clone())
        }
        SnapshotAction::Delete => {
            let removed = found.map(|place| listed.remove(place)).ok_or(NONE)?;
            tx.remove_copy(removed.number)?;
            store_list(tx, &listed)?;
            Ok(removed)
        }
    }
}

/// The offset with which the bank's clock shows the time at which the snapshot was saved.
fn offset_of(snapshot: &ListedSnapshot, wall: Timestamp) -> i64 {
    snapshot.bank_time.saturating_sub(wall.as_microsecond())
}

/// Runs an action on the bank's tables. Loading a snapshot sets the bank's clock.
///
/// # Errors
/// The errors of [`BankControls::snapshot`].
pub(super) fn carry_out_in_bank(bank: &mut dyn BankTransaction, order: &SnapshotRequest) -> Result<(), ControlError> {
    // The clock is locked first, so that no due work runs meanwhile.
    clock::lock_clock(bank, order.wall)?;
    let snapshot = apply_action(bank, order)?;
    if order.action == SnapshotAction::Load {
        clock::store_bank_offset(bank, offset_of(&snapshot, order.wall))?;
    }
    Ok(())
}

/// Runs an action on the server's tables. Loading a snapshot sets the server's copy of the bank's clock.
fn carry_out_in_server(server: &mut dyn ServerTransaction, order: &SnapshotRequest) -> Result<Snapshot, ControlError> {
    let snapshot = apply_action(server, order)?;
    if order.action == SnapshotAction::Load {
        clock::store_server_offset(server, offset_of(&snapshot, order.wall))?;
    }
    snapshot.shown().ok_or(NONE)
}

/// Runs an action on the tables of bank and server in one transaction.
///
/// # Errors
/// The errors of [`BankControls::snapshot`].
pub(super) async fn carry_out_jointly(joint: &JointStore, order: SnapshotRequest) -> Result<Snapshot, ControlError> {
    joint
        .write(move |tx| {
            // The bank comes first, because its action locks the clock.
            carry_out_in_bank(&mut *tx.bank(), &order)?;
            carry_out_in_server(&mut *tx.server(), &order)
        })
        .await
}

/// Runs an action at a bank in its own process, then at the server. If the server fails, a repeated call completes the action.
///
/// # Errors
/// The errors of [`BankControls::snapshot`].
pub(super) async fn carry_out_at_both(
    store: &Store,
    bank: &dyn BankControls,
    order: SnapshotRequest,
) -> Result<Snapshot, ControlError> {
    bank.snapshot(order.action, &order.name).await?;
    store.write(move |tx| carry_out_in_server(tx, &order)).await
}

/// The snapshots of this server.
///
/// # Errors
/// [`ControlError`].
pub(super) async fn saved(store: &Store) -> Result<Vec<Snapshot>, ControlError> {
    let listed = store.read::<_, StoreError, _>(|tx| list(tx)).await?;
    Ok(listed.iter().filter_map(ListedSnapshot::shown).collect())
}
