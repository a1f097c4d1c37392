//! What the diary could not carry out, and leaves alone until the next start so that everything else goes on. Nothing of it
//! changes in storage: it stays due, and a start after it was mended finds it.

use lombard_domain::ids::{BankAccountId, OrderId, TransactionId};
use lombard_ports::store::{ArrangementKind, StoreError};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::agenda::Due;

/// Most things set aside; beyond them the diary stops, for then it is not a thing that is wrong but the bank.
const MOST: usize = 1_000;

/// What a thing that is due is known by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Ordered(OrderId),
    Arranged(ArrangementKind, BankAccountId, String),
    Pending(TransactionId),
}

/// What was set aside. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub(super) struct Aside(Arc<Mutex<BTreeSet<Key>>>);

/// Why a batch did not come to its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// One thing cannot be carried out.
    Stuck(Key, StoreError),
    /// Nothing can, for now.
    Storage(StoreError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Storage(error)
    }
}

impl Stop {
    /// What a failure at a thing means: storage that is out says nothing about the thing.
    pub(super) fn at(key: Key, error: StoreError) -> Self {
        match error {
            StoreError::Contended | StoreError::Unavailable(_) => Self::Storage(error),
            StoreError::Duplicate(_) | StoreError::Corrupt { .. } => Self::Stuck(key, error),
        }
    }
}

impl Aside {
    /// Sets a thing aside and tells the operator.
    ///
    /// # Errors
    /// A [`StoreError`] when too much is aside already, or the thing is: then going on would be going in circles.
    pub(super) fn put(&self, key: Key, error: &StoreError) -> Result<(), StoreError> {
        let kind = match &key {
            Key::Ordered(_) => "order",
            Key::Arranged(..) => "arrangement",
            Key::Pending(_) => "entry",
        };
        let id = match &key {
            Key::Ordered(id) => id.to_string(),
            Key::Arranged(_, _, id) => id.clone(),
            Key::Pending(id) => id.to_string(),
        };
        let mut aside = self.lock();
        if aside.len() >= MOST || !aside.insert(key) {
            return Err(StoreError::Unavailable("too much of what is due cannot be carried out".into()));
        }
        tracing::error!(
            error = error as &dyn std::error::Error,
            due.kind = kind,
            due.id = id,
            "something due at the bank cannot be carried out and was set aside"
        );
        metrics::counter!("lombard_diary_set_aside_total", "kind" => kind).increment(1);
        Ok(())
    }

    /// How many of each kind must be looked at to find one that is not aside.
    pub(super) fn limit(&self) -> u32 {
        u32::try_from(self.lock().len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Those that are not aside.
    pub(super) fn without(&self, due: impl Iterator<Item = Due>) -> impl Iterator<Item = Due> {
        let aside = self.lock().clone();
        due.filter(move |it| aside.is_empty() || !aside.contains(&it.key()))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<Key>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
