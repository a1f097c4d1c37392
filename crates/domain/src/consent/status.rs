//! The effective status of a consent at an instant: its state, and whether it has expired by then.
//!
//! An expiry is not written to storage, so a version with a status for it has to compare the expiration with the time.
//! This module also decides by provenance which versions may use a consent.

use super::{Consent, ConsentState, RevokedBy};
use crate::version::Version;
use jiff::Timestamp;

/// The effective status of a consent. Source: T8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EffectiveConsentStatus {
    /// The PSU has not decided yet.
    AwaitingAuthorisation,
    /// The consent gives access.
    Authorised,
    /// The PSU rejected it, or could not be authenticated. Final.
    Rejected,
    /// Its one order was created. Final.
    Consumed,
    /// Access was revoked at the bank.
    Revoked(RevokedBy),
    /// The expiration has passed: the consent gives no access and can no longer be authorised.
    Expired,
}

/// A consent and the instant at which it is viewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentView {
    /// The consent.
    pub consent: Consent,
    /// The instant (bank clock).
    pub at: Timestamp,
}

impl ConsentView {
    /// The effective status ([`Consent::status_at`]).
    pub fn status(&self) -> EffectiveConsentStatus {
        self.consent.status_at(self.at)
    }

    /// When the effective status began ([`Consent::status_since`]).
    pub fn status_since(&self) -> Timestamp {
        self.consent.status_since(self.at)
    }
}

impl Consent {
    /// The effective status at an instant. `Rejected` and `Consumed` are final; every other state is superseded by expiry. Source:
    /// T8, RW-018.
    pub fn status_at(&self, at: Timestamp) -> EffectiveConsentStatus {
        match (self.state, self.is_expired(at)) {
            (ConsentState::Rejected, _) => EffectiveConsentStatus::Rejected,
            (ConsentState::Consumed, _) => EffectiveConsentStatus::Consumed,
            (
                ConsentState::AwaitingUpload
                | ConsentState::AwaitingAuthorisation
                | ConsentState::Authorised
                | ConsentState::Revoked(_),
                true,
            ) => EffectiveConsentStatus::Expired,
            (ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation, false) => {
                EffectiveConsentStatus::AwaitingAuthorisation
            }
            (ConsentState::Authorised, false) => EffectiveConsentStatus::Authorised,
            (ConsentState::Revoked(by), false) => EffectiveConsentStatus::Revoked(by),
        }
    }

    /// When the status at an instant began. Source: RW-309.
    pub fn status_since(&self, at: Timestamp) -> Timestamp {
        match self.status_at(at) {
            EffectiveConsentStatus::Expired => self.expires_at.unwrap_or(self.state_changed_at),
            EffectiveConsentStatus::AwaitingAuthorisation
            | EffectiveConsentStatus::Authorised
            | EffectiveConsentStatus::Rejected
            | EffectiveConsentStatus::Consumed
            | EffectiveConsentStatus::Revoked(_) => self.state_changed_at,
        }
    }

    /// Whether requests of a version may use the consent: a newer version may use consents of an older version, but not the
    /// reverse. Source: RW-015, RW-016, RW-017.
    pub fn is_known_to(&self, version: Version) -> bool {
        self.submitted.version <= version
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::{AccountAccess, ConsentDraft, ConsentRequest, Permissions, SelectedAccount};
    use crate::submitted::Submitted;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// A consent created at 0 that expires at 100.
    fn consent(version: Version) -> Consent {
        ConsentDraft {
            request: ConsentRequest::AccountAccess(AccountAccess {
                permissions: Permissions::default(),
                transactions_from: None,
                transactions_to: None,
            }),
            expires_at: Some(at(100)),
            submitted: Submitted { version, json: "{}".into() },
        }
        .into_consent("c".into(), "t".into(), at(0))
    }

    fn seen(consent: &Consent, second: i64) -> (EffectiveConsentStatus, Timestamp) {
        let view = ConsentView { consent: consent.clone(), at: at(second) };
        (view.status(), view.status_since())
    }

    #[test]
    fn t8_a_consent_expires_at_its_end_unless_it_was_rejected() {
        let waiting = consent(Version::V3_1);
        assert_eq!(seen(&waiting, 99), (EffectiveConsentStatus::AwaitingAuthorisation, at(0)));
        assert_eq!(seen(&waiting, 100), (EffectiveConsentStatus::Expired, at(100)), "AIS-078");

        let mut rejected = waiting.clone();
        rejected.reject(at(10));
        assert_eq!(seen(&rejected, 200), (EffectiveConsentStatus::Rejected, at(10)));

        let account = SelectedAccount { account: "b".into(), alias: "a".into(), core_state: None };
        let mut given = waiting;
        given.authorise(&"p".into(), vec![account.clone()], at(20)).unwrap();
        assert_eq!(seen(&given, 99), (EffectiveConsentStatus::Authorised, at(20)));
        assert_eq!(seen(&given, 101), (EffectiveConsentStatus::Expired, at(100)));
        for by in [RevokedBy::Psu, RevokedBy::Bank] {
            given.revoke(by, at(30));
            assert_eq!(seen(&given, 99), (EffectiveConsentStatus::Revoked(by), at(30)), "AIS-071");
            assert_eq!(seen(&given, 100), (EffectiveConsentStatus::Expired, at(100)));
            given.authorise(&"p".into(), vec![account.clone()], at(40)).unwrap();
            assert_eq!(seen(&given, 41), (EffectiveConsentStatus::Authorised, at(40)), "access given again");
        }
    }

    #[test]
    fn rw_015_and_rw_017_older_versions_cannot_use_newer_consents() {
        for (made, asked, known) in [
            (Version::V3_1, Version::V3_1, true),
            (Version::V3_1, Version::V4_0, true),
            (Version::V4_0, Version::V4_0, true),
            (Version::V4_0, Version::V3_1, false),
        ] {
            assert_eq!(consent(made).is_known_to(asked), known, "{made:?} through {asked:?}");
        }
    }
}
