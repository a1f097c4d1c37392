//! Records when consents were last used. Requests record a use in memory and a worker stores it, so that no request waits for the write.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::consent::Consent;
use lombard_domain::ids::ConsentId;
use lombard_ports::store::{Store, StoreError};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicI64, Ordering};

/// The precision of the last use: each consent is recorded at most once in this time.
const NOTED_EVERY: SignedDuration = SignedDuration::from_mins(5);

/// The most consents whose use waits to be stored. While storage fails, uses of further consents are dropped.
const WAITING_MAX: usize = 65_536;

/// When the use of a cached caller's consent was last recorded (bank clock, seconds since 1970). Most requests only read this value.
#[derive(Debug)]
pub(super) struct LastNoted(AtomicI64);

impl Default for LastNoted {
    fn default() -> Self {
        Self(AtomicI64::new(i64::MIN))
    }
}

impl LastNoted {
    /// Whether a use must be recorded now; if so, remembers the time.
    fn is_due(&self, now: Timestamp) -> bool {
        let (before, now) = (self.0.load(Ordering::Relaxed), now.as_second());
        let due = now.saturating_sub(before) >= NOTED_EVERY.as_secs();
        if due {
            self.0.store(now, Ordering::Relaxed);
        }
        due
    }
}

/// Uses that were recorded in memory and are not stored yet.
#[derive(Debug, Default)]
pub(super) struct PendingUses(Mutex<HashMap<ConsentId, Timestamp>>);

impl PendingUses {
    /// Records the use of a consent in memory, unless one was recorded recently.
    pub(super) fn note(&self, noted: &LastNoted, consent: &Consent, now: Timestamp) {
        if noted.is_due(now) {
            self.keep(consent.id.clone(), now);
        }
    }

    /// Stores the recorded uses. Uses that cannot be stored are recorded again.
    pub(super) async fn write(&self, store: &Store) -> Result<(), StoreError> {
        let noted = mem::take(&mut *self.0.lock());
        if noted.is_empty() {
            return Ok(());
        }
        let batch = noted.clone();
        let written =
            store.write(move |tx| batch.iter().try_for_each(|(consent, at)| tx.consent_use_record(consent, *at))).await;
        if written.is_err() {
            noted.into_iter().for_each(|(consent, at)| self.keep(consent, at));
        }
        written
    }

    fn keep(&self, consent: ConsentId, at: Timestamp) {
        let mut noted = self.0.lock();
        if noted.len() >= WAITING_MAX && !noted.contains_key(&consent) {
            return;
        }
        let latest = noted.entry(consent).or_insert(at);
        *latest = at.max(*latest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_busy_consent_is_noted_once_in_five_minutes() {
        let noted = LastNoted::default();
        let due = [0, 1, 299, 300, 301, 600, 5_000].map(|second| noted.is_due(at(second)));
        assert_eq!(due, [true, false, false, true, false, true, true]);
        assert!(!noted.is_due(at(10)), "the bank's clock may be set back: the later use stands");
    }

    #[test]
    fn uses_that_cannot_be_written_fill_no_memory() {
        let uses = PendingUses::default();
        for number in 0..WAITING_MAX + 10 {
            uses.keep(number.to_string().into(), at(5));
        }
        uses.keep("7".into(), at(9));
        let kept = uses.0.into_inner();
        assert_eq!((kept.len(), kept[&ConsentId::from("7")]), (WAITING_MAX, at(9)));
    }

    #[test]
    fn of_two_uses_the_later_is_kept() {
        let uses = PendingUses::default();
        for second in [5, 9, 7] {
            uses.keep("consent".into(), at(second));
        }
        assert_eq!(uses.0.into_inner(), HashMap::from([("consent".into(), at(9))]));
    }
}
