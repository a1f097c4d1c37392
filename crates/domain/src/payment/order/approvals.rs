//! Multi-authorisation: the approvals of an order that several PSUs must authorise. Source: section 2.12,
//! `OBMultiAuthorisation1`.

use crate::authentication::AuthenticationFactor;
use crate::ids::PsuId;
use jiff::Timestamp;

/// The status of a multi-authorisation. Source: table 1.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApprovalStatus {
    /// Not every required PSU has approved yet.
    Awaiting,
    /// All required PSUs have approved.
    Authorised,
    /// A PSU declined, or the deadline passed.
    Rejected,
}

/// How a further authoriser authenticated to approve an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApproverAuthentication {
    /// The authoriser.
    pub psu: PsuId,
    /// When the approval was recorded (bank clock).
    pub at: Timestamp,
    /// The factors of the authentication, as far as the identity provider reported them; never empty.
    pub factors: Vec<AuthenticationFactor>,
}

/// The approvals of an order that needs more than one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approvals {
    /// The status.
    pub status: ApprovalStatus,
    /// The number of approvals required, at least two.
    pub required: u16,
    /// The PSUs who have approved, the one who authorised the consent first; no PSU twice.
    pub received: Vec<PsuId>,
    /// The PSUs who tried to approve and could not be authenticated, and have not approved since. Source: ERR-004.
    pub failed: Vec<PsuId>,
    /// How the PSUs after the first authenticated, where known. The authentication of the first PSU is kept with the consent.
    pub authentications: Vec<ApproverAuthentication>,
    /// When the status or the approvals last changed (bank clock).
    pub changed_at: Timestamp,
    /// The deadline for approvals: the earlier of the TPP's `CompletionDateTime` and the bank's last acceptance; `None`
    /// if there is neither. Source: PIS-109, PIS-110, PIS-112.
    pub expires_at: Option<Timestamp>,
}

impl Approvals {
    /// The approvals of an order whose first PSU has authorised it; `None` if no other approval is required. Source: PIS-112.
    pub fn starting_with(required: u16, first: &PsuId, expires_at: Option<Timestamp>, now: Timestamp) -> Option<Self> {
        (required > 1).then(|| Self {
            status: ApprovalStatus::Awaiting,
            required,
            received: vec![first.clone()],
            failed: Vec::new(),
            authentications: Vec::new(),
            changed_at: now,
            expires_at,
        })
    }

    /// The number of approvals received.
    pub fn count(&self) -> u16 {
        u16::try_from(self.received.len()).unwrap_or(u16::MAX)
    }

    /// Whether the deadline has passed with approvals missing. The deadline itself counts as passed.
    pub fn is_lapsed(&self, now: Timestamp) -> bool {
        self.status == ApprovalStatus::Awaiting && self.expires_at.is_some_and(|end| end <= now)
    }

    pub(super) fn add(&mut self, psu: &PsuId, now: Timestamp) {
        self.received.push(psu.clone());
        self.failed.retain(|failed| failed != psu);
        self.changed_at = now;
        if self.count() >= self.required {
            self.status = ApprovalStatus::Authorised;
        }
    }

    /// Records the authentication of a PSU who has just approved; has no effect if no factor is known.
    pub(super) fn note_authentication(&mut self, psu: &PsuId, factors: &[AuthenticationFactor]) {
        if !factors.is_empty() {
            let psu = psu.clone();
            let at = self.changed_at;
            let factors = factors.to_vec();
            self.authentications.push(ApproverAuthentication { psu, at, factors });
        }
    }

    /// Records that a PSU tried to approve and could not be authenticated. Returns whether this was not recorded before.
    pub(super) fn note_failed(&mut self, psu: &PsuId) -> bool {
        if self.status != ApprovalStatus::Awaiting || self.received.contains(psu) || self.failed.contains(psu) {
            return false;
        }
        self.failed.push(psu.clone());
        true
    }

    pub(super) fn refuse(&mut self, now: Timestamp) {
        self.status = ApprovalStatus::Rejected;
        self.changed_at = now;
    }
}
