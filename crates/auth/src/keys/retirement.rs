//! The planned end of the active key. Source: AS-008.

use super::error::{KeyRefusal, KeysError};
use super::keyring::{Keyring, record, usable};
use super::timeline::{self, PUBLISHED_BEFORE_USE};
use jiff::Timestamp;
use lombard_domain::ids::KeyId;
use lombard_ports::store::{ServerTransaction, StoredKey};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The planned end of the active key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retirement {
    /// The announced key takes over at the given time.
    Planned {
        /// The key that takes over.
        successor: KeyId,
        /// The time of the change.
        at: Timestamp,
    },
    /// No key is announced, and nothing was changed: a key must be added that takes over at the given time.
    NoSuccessor {
        /// The time of the change.
        at: Timestamp,
    },
}

impl Keyring {
    /// Plans the end of the key that signs, at the given time or as early as possible. The announced key then takes over. The old key stays
    /// published for seven days after it has stopped. Source: AS-008.
    ///
    /// # Errors
    /// [`KeysError::Unknown`]; [`KeysError::Refused`] if the key does not sign now, or another one would sign within an hour of its
    /// publication; [`KeysError::Store`].
    pub async fn retire_key(&self, kid: &KeyId, at: Option<Timestamp>) -> Result<Retirement, KeysError> {
        self.refresh_keys().await?;
        let now = self.0.clocks.wall_now();
        let (retired, shut) = (kid.clone(), Arc::clone(&self.snapshot().unreadable));
        let note = self.recorder(kid);
        let planned = self.0.store.write(move |tx| {
            let plan = plan(tx, &retired, at, &shut, now)?;
            if matches!(plan, Retirement::Planned { .. }) {
                note(tx)?;
            }
            Ok::<_, KeysError>(plan)
        });
        let plan = planned.await?;
        if let Retirement::Planned { successor, at } = &plan {
            tracing::info!(key.id = %kid, key.successor = %successor, at = %at, "signing key is to stop signing");
            self.refresh_keys().await?;
        }
        Ok(plan)
    }
}

fn plan(
    tx: &mut dyn ServerTransaction,
    kid: &KeyId,
    at: Option<Timestamp>,
    shut: &BTreeSet<KeyId>,
    now: Timestamp,
) -> Result<Retirement, KeysError> {
    record(tx, shut, now)?;
    let keys = usable(tx, shut)?;
    if !keys.iter().any(|key| key.id == *kid) {
        return Err(KeysError::Unknown(kid.clone()));
    }
    if timeline::signing(&keys, now).is_none_or(|signing| signing.id != *kid) {
        return Err(KeyRefusal::NotSigning(kid.clone()).into());
    }
    let successor = timeline::successor(&keys, now);
    let published_at = successor.map_or(now, |key| key.published_at);
    let earliest = published_at.saturating_add(PUBLISHED_BEFORE_USE).unwrap_or(Timestamp::MAX).max(now);
    let at = at.unwrap_or(earliest);
    if at < earliest {
        return Err(KeyRefusal::TooSoon(earliest).into());
    }
    let Some(successor) = successor else { return Ok(Retirement::NoSuccessor { at }) };
    // No other announced key may take over earlier.
    let begins = |key: &&StoredKey| key.retired_at.is_none() && key.active_from.is_some_and(|from| from > now);
    let moved = keys
        .iter()
        .filter(begins)
        .filter(|key| key.id == successor.id || key.active_from.is_some_and(|from| from < at));
    let mut last = successor;
    for key in moved {
        tx.key_update(&StoredKey { active_from: Some(at), ..key.clone() })?;
        last = key;
    }
    Ok(Retirement::Planned { successor: last.id.clone(), at })
}
