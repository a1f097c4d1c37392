//! The payment conditions that the bank states before the PSU authorises: charges, times and the cut-off. Source:
//! section 2.11.

use crate::payment::Charge;
use crate::payment::exchange::Quote;
use crate::refusal::{Fault, FaultCode, Field};
use crate::stored::stored_as_pairs;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The treatment of a payment after its cut-off. Source: PIS-105 to PIS-107.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AfterCutOffPolicy {
    /// The payment is rejected.
    Refused,
    /// The payment is accepted and executed on the next working day.
    Accepted,
}

crate::code::document_codes! {
    AfterCutOffPolicy {
        Refused = "refused", Accepted = "accepted",
    }
}

/// The cut-off of a payment, as rendered, and the treatment of later payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutOff {
    /// The cut-off (bank clock); a payment at this instant is late already.
    pub at: Timestamp,
    /// The treatment of a later payment.
    pub lateness: AfterCutOffPolicy,
}

stored_as_pairs! { CutOff(at, lateness); }

/// The conditions that the bank states for a payment when its consent is created, and updates afterwards. Source:
/// PIS-102, PIS-104.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentConditions {
    /// The charges, shown to the PSU before authorisation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<Charge>,
    /// The cut-off, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off: Option<CutOff>,
    /// When the payment is expected to be executed.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub execution_at: Option<Timestamp>,
    /// When the payment is expected to be settled.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub settlement_at: Option<Timestamp>,
    /// The exchange rate, if the payment requested one; fixed once it is stated. Source: INT-021.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
}

impl PaymentConditions {
    /// Whether an instant is too late for the payment; the same for its consent, its authorisation and its order.
    ///
    /// The deadline is the earliest of the instrument's cut-off, the last submission time ([`CutOff::earlier`]) and the
    /// expiry of the held rate. Source: PIS-106, PIS-109.
    pub fn is_too_late(&self, now: Timestamp) -> bool {
        self.latest_acceptance().is_some_and(|last| last <= now)
    }

    /// The first instant that is too late for the payment; `None` if there is none. Source: PIS-106, PIS-109.
    pub fn latest_acceptance(&self) -> Option<Timestamp> {
        let held_until = self.quote.as_ref().and_then(Quote::expires_at);
        self.deadline().into_iter().chain(held_until).min()
    }

    /// The same conditions for a request at this instant: neither expected time is earlier than this instant. Source: PIS-104.
    #[must_use]
    pub fn expected_from(self, asked_at: Timestamp) -> Self {
        let not_earlier = |at: Option<Timestamp>| at.map(|at| at.max(asked_at));
        let execution_at = not_earlier(self.execution_at);
        let settlement_at = not_earlier(self.settlement_at);
        Self { execution_at, settlement_at, ..self }
    }

    /// The cut-off, if later payments are rejected. A cut-off that only defers the execution is not a deadline. Source: PIS-106,
    /// PIS-107.
    fn deadline(&self) -> Option<Timestamp> {
        self.cut_off.filter(|cut_off| cut_off.lateness == AfterCutOffPolicy::Refused).map(|cut_off| cut_off.at)
    }

    /// The faults of a late request: the cut-off has passed, or the held rate has expired. Source: PIS-106, PIS-109,
    /// INT-020.
    pub fn lateness_faults(&self, now: Timestamp) -> Vec<Fault> {
        let late = self.deadline().is_some_and(|last| last <= now).then(|| {
            Fault::field(FaultCode::AfterCutOff, Field::CutOff, "The last moment for this payment has passed.")
        });
        let stale = self.quote.as_ref().and_then(|quote| quote.expiry_fault(now)).map(Fault::from);
        late.into_iter().chain(stale).collect()
    }
}

impl CutOff {
    /// The earlier of two cut-offs. At the same instant, the cut-off that rejects takes precedence. Source: PIS-109.
    #[must_use]
    pub fn earlier(self, other: Self) -> Self {
        let key = |it: &Self| (it.at, it.lateness == AfterCutOffPolicy::Accepted);
        std::cmp::min_by_key(self, other, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_off(second: i64, lateness: AfterCutOffPolicy) -> CutOff {
        CutOff { at: Timestamp::from_second(second).unwrap(), lateness }
    }

    #[test]
    fn pis_106_107_only_a_refusing_cut_off_refuses() {
        let now = Timestamp::from_second(100).unwrap();
        let late = |cut_off| PaymentConditions { cut_off, ..PaymentConditions::default() }.lateness_faults(now);
        let codes = |cut_off| late(cut_off).into_iter().map(|fault: Fault| fault.code).collect::<Vec<_>>();
        assert_eq!(codes(None), []);
        assert_eq!(codes(Some(cut_off(101, AfterCutOffPolicy::Refused))), []);
        assert_eq!(
            codes(Some(cut_off(100, AfterCutOffPolicy::Refused))),
            [FaultCode::AfterCutOff],
            "the instant is late"
        );
        assert_eq!(codes(Some(cut_off(1, AfterCutOffPolicy::Accepted))), []);
    }

    #[test]
    fn pis_109_the_earliest_deadline_binds() {
        let soft = cut_off(5, AfterCutOffPolicy::Accepted);
        let hard = cut_off(5, AfterCutOffPolicy::Refused);
        assert_eq!(soft.earlier(hard), hard);
        assert_eq!(hard.earlier(soft), hard);
        assert_eq!(cut_off(4, AfterCutOffPolicy::Accepted).earlier(hard).at, Timestamp::from_second(4).unwrap());
    }
}
