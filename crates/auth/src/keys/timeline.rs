//! The times at which a key signs, is retired and is removed. This module compares times only.
//!
//! A key signs from `active_from` until a key published later becomes active. Its retirement is stored only afterwards, so nothing must be
//! undone if the later key is withdrawn before it signs.

use jiff::{SignedDuration, Timestamp};
use lombard_ports::store::StoredKey;

/// How long a key is published before it first signs, unless the operator says otherwise. Source: AS-008.
pub const PUBLISHED_BEFORE_USE: SignedDuration = SignedDuration::from_hours(1);

/// How long a key stays published after it last signed. Source: AS-008.
pub const PUBLISHED_AFTER_USE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The state of a key at a given time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// The key waits for its certificate and is not published.
    Waiting,
    /// The key is published and will sign later.
    Announced {
        /// When the key begins to sign.
        signs_from: Timestamp,
    },
    /// The key signs.
    Signing {
        /// When an announced key takes over.
        until: Option<Timestamp>,
    },
    /// The key has stopped signing and is still published, so that its signatures can be verified.
    Verifying {
        /// When the key is removed.
        until: Timestamp,
    },
    /// The key cannot be read or decrypted here.
    Unusable,
}

/// A key transition that is due and not yet stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeyTransition {
    /// The key stopped signing; holds the key with the time of its retirement.
    Retire(StoredKey),
    /// The key is no longer published and is removed.
    Remove(StoredKey),
}

/// The publication time of a key that is added now. It is later than that of every other key, even if another node's clock is ahead,
/// because the order of publication determines which key succeeds which.
pub(super) fn published_after(keys: &[StoredKey], now: Timestamp) -> Timestamp {
    let newest = keys.iter().map(|key| key.published_at).max();
    let next = newest.and_then(|newest| newest.checked_add(SignedDuration::from_micros(1)).ok());
    next.map_or(now, |next| next.max(now))
}

/// The key that signs now. `keys` are oldest first, as storage lists them.
pub(super) fn signing(keys: &[StoredKey], now: Timestamp) -> Option<&StoredKey> {
    keys.iter().rev().find(|key| is_active(key, now) && key.retired_at.is_none())
}

/// Whether a key has begun to sign.
pub(super) fn is_active(key: &StoredKey, now: Timestamp) -> bool {
    key.active_from.is_some_and(|from| from <= now)
}

/// The key that is announced and signs next.
pub(super) fn successor(keys: &[StoredKey], now: Timestamp) -> Option<&StoredKey> {
    let announced = keys.iter().filter(|key| key.retired_at.is_none() && !is_active(key, now));
    announced.filter(|key| key.active_from.is_some()).min_by_key(|key| key.active_from)
}

/// When the key at this position stops signing: at its retirement, or when a key published later begins to sign.
fn ends_at(keys: &[StoredKey], place: usize, key: &StoredKey) -> Option<Timestamp> {
    key.retired_at.or_else(|| keys.iter().skip(place + 1).filter_map(|successor| successor.active_from).min())
}

/// The state of each key now, in the order of the keys.
pub(super) fn states(keys: &[StoredKey], now: Timestamp) -> Vec<KeyState> {
    let state = |(place, key): (usize, &StoredKey)| {
        let Some(from) = key.active_from else { return KeyState::Waiting };
        match ends_at(keys, place, key) {
            Some(end) if end <= now => {
                KeyState::Verifying { until: end.saturating_add(PUBLISHED_AFTER_USE).unwrap_or(Timestamp::MAX) }
            }
            _ if from > now => KeyState::Announced { signs_from: from },
            until => KeyState::Signing { until },
        }
    };
    keys.iter().enumerate().map(state).collect()
}

/// The key transitions that are due now.
pub(super) fn due(keys: &[StoredKey], now: Timestamp) -> Vec<KeyTransition> {
    let mut due = Vec::new();
    for (place, key) in keys.iter().enumerate() {
        match key.retired_at {
            Some(retired_at) if retired_at.saturating_add(PUBLISHED_AFTER_USE).is_ok_and(|end| end <= now) => {
                due.push(KeyTransition::Remove(key.clone()));
            }
            Some(_) => {}
            None if key.active_from.is_none() => {}
            None => {
                if let Some(retired_at) = ends_at(keys, place, key).filter(|retired_at| *retired_at <= now) {
                    due.push(KeyTransition::Retire(StoredKey { retired_at: Some(retired_at), ..key.clone() }));
                }
            }
        }
    }
    due
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::ids::KeyId;
    use lombard_ports::store::KeyOrigin;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hours * 3600).unwrap()
    }

    fn key(id: &str, published: i64, active: i64, retired: Option<i64>) -> StoredKey {
        StoredKey {
            id: KeyId::from(id),
            origin: KeyOrigin::Made,
            sealed: vec![],
            chain: vec![],
            published_at: at(published),
            active_from: Some(at(active)),
            retired_at: retired.map(at),
        }
    }

    fn waiting(id: &str, made: i64) -> StoredKey {
        StoredKey { active_from: None, ..key(id, made, 0, None) }
    }

    fn signs(keys: &[StoredKey], hour: i64) -> Option<&str> {
        signing(keys, at(hour)).map(|key| key.id.as_str())
    }

    #[test]
    fn as_008_the_latest_published_of_the_active_keys_signs() {
        let rotation = [key("old", 0, 0, None), key("new", 10, 11, None)];
        assert_eq!(signs(&rotation, -1), None);
        assert_eq!(signs(&rotation, 10), Some("old"));
        assert_eq!(signs(&rotation, 11), Some("new"));

        // A third, published later but needed sooner, wins over the second for good.
        let hurried = [key("old", 0, 0, None), key("slow", 10, 20, None), key("urgent", 12, 12, None)];
        assert_eq!(signs(&hurried, 11), Some("old"));
        assert_eq!(signs(&hurried, 12), Some("urgent"));
        assert_eq!(signs(&hurried, 30), Some("urgent"));
    }

    #[test]
    fn as_008_a_superseded_key_stays_seven_days() {
        let keys = [key("old", 0, 0, None), key("new", 10, 11, None)];
        assert_eq!(due(&keys, at(10)), []);
        assert_eq!(due(&keys, at(11)), [KeyTransition::Retire(key("old", 0, 0, Some(11)))]);

        let keys = [key("old", 0, 0, Some(11)), key("new", 10, 11, None)];
        assert_eq!(due(&keys, at(11 + 7 * 24 - 1)), []);
        assert_eq!(due(&keys, at(11 + 7 * 24)), [KeyTransition::Remove(key("old", 0, 0, Some(11)))]);
    }

    #[test]
    fn retirement_is_dated_by_the_successor_however_late_it_is_recorded() {
        let keys = [key("old", 0, 0, None), key("slow", 10, 20, None), key("urgent", 12, 12, None)];
        let recorded = due(&keys, at(500));
        assert_eq!(
            recorded,
            [KeyTransition::Retire(key("old", 0, 0, Some(12))), KeyTransition::Retire(key("slow", 10, 20, Some(12)))]
        );
    }

    #[test]
    fn a_key_counts_as_published_after_all_others_whatever_the_clocks_say() {
        let after = at(10).checked_add(SignedDuration::from_micros(1)).unwrap();
        assert_eq!(published_after(&[], at(10)), at(10));
        assert_eq!(published_after(&[key("a", 9, 9, None)], at(10)), at(10));
        assert_eq!(published_after(&[key("a", 10, 10, None)], at(10)), after);
        assert_eq!(published_after(&[key("a", 10, 10, None), key("b", 3, 3, None)], at(5)), after);
    }

    #[test]
    fn the_last_key_is_never_due() {
        assert_eq!(due(&[key("only", 0, 0, None)], at(1_000_000)), []);
        assert_eq!(due(&[], at(0)), []);
    }

    #[test]
    fn as_008_a_key_awaiting_its_certificate_neither_signs_nor_retires_a_key() {
        let keys = [key("old", 0, 0, None), waiting("next", 10), key("new", 20, 21, None)];
        assert_eq!(signs(&keys, 15), Some("old"));
        assert_eq!(due(&keys[..2], at(1_000)), []);
        assert_eq!(due(&keys, at(1_000)), [KeyTransition::Retire(key("old", 0, 0, Some(21)))], "and never retires");
        assert_eq!(successor(&keys[..2], at(15)), None);
    }

    #[test]
    fn as_008_a_listing_says_what_each_key_does_and_until_when() {
        let after = |hours: i64| at(hours + 7 * 24);
        let keys = [key("gone", 0, 0, Some(5)), key("old", 4, 5, None), key("new", 20, 21, None), waiting("next", 22)];
        let listed = |hour| states(&keys, at(hour));
        assert_eq!(
            listed(20),
            [
                KeyState::Verifying { until: after(5) },
                KeyState::Signing { until: Some(at(21)) },
                KeyState::Announced { signs_from: at(21) },
                KeyState::Waiting,
            ]
        );
        // Time alone has made this of the old key; nothing was recorded.
        let verifying = KeyState::Verifying { until: after(21) };
        assert_eq!(listed(21)[1..3], [verifying, KeyState::Signing { until: None }]);
        let names = |hour| successor(&keys, at(hour)).map(|key| key.id.as_str());
        assert_eq!((names(20), names(21)), (Some("new"), None));
    }
}
