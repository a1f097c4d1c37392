//! Orders that several customers must agree to. Source: section 2.12, `OBMultiAuthorisation1`.

use crate::ids::PsuId;
use jiff::Timestamp;

/// How the agreement stands. Source: table 1.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApprovalStatus {
    /// Somebody has not agreed yet.
    Awaiting,
    /// Everybody needed has agreed.
    Authorised,
    /// Somebody refused, or time ran out.
    Rejected,
}

/// Who has agreed to an order that needs more than one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approvals {
    /// How it stands.
    pub status: ApprovalStatus,
    /// How many must agree, at least two.
    pub required: u16,
    /// Who has agreed, the customer who authorised the consent first; nobody twice.
    pub received: Vec<PsuId>,
    /// When that last changed (bank clock).
    pub changed_at: Timestamp,
    /// Until when they may agree: as long as the TPP and the payment's last moment let them; without either, for ever.
    /// Source: PIS-109, PIS-110, PIS-112.
    pub expires_at: Option<Timestamp>,
}

impl Approvals {
    /// The approvals of an order that its first authoriser has agreed to; `None` if that is enough. Source: PIS-112.
    pub fn begun(required: u16, first: &PsuId, expires_at: Option<Timestamp>, now: Timestamp) -> Option<Self> {
        (required > 1).then(|| Self {
            status: ApprovalStatus::Awaiting,
            required,
            received: vec![first.clone()],
            changed_at: now,
            expires_at,
        })
    }

    /// How many have agreed.
    pub fn count(&self) -> u16 {
        u16::try_from(self.received.len()).unwrap_or(u16::MAX)
    }

    /// Whether time has run out for those who have not agreed. The instant itself counts as passed.
    pub fn is_lapsed(&self, now: Timestamp) -> bool {
        self.status == ApprovalStatus::Awaiting && self.expires_at.is_some_and(|end| end <= now)
    }

    pub(super) fn add(&mut self, psu: &PsuId, now: Timestamp) {
        self.received.push(psu.clone());
        self.changed_at = now;
        if self.count() >= self.required {
            self.status = ApprovalStatus::Authorised;
        }
    }

    pub(super) fn refuse(&mut self, now: Timestamp) {
        self.status = ApprovalStatus::Rejected;
        self.changed_at = now;
    }
}
