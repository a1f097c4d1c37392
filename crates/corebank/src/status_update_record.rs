//! The JSON document of a status update of an order.

use jiff::Timestamp;
use lombard_database::document;
use lombard_domain::payment::order::RejectionReason;
use lombard_domain::stored;
use lombard_ports::bank::{OrderUpdate, PaymentUpdate};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// The stored form of an [`OrderUpdate`]. A cancellation by the customer is a kind of its own, without a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StatusUpdateRecord {
    #[serde(rename = "kept")]
    Warehoused,
    Refused(RejectionReason),
    /// The customer cancelled the order.
    Cancelled,
    /// The order ended for another reason.
    Ended(RejectionReason),
    #[serde(rename = "expected")]
    TimesChanged {
        #[serde(default, with = "stored", skip_serializing_if = "Option::is_none")]
        execution_at: Option<Timestamp>,
        #[serde(default, with = "stored", skip_serializing_if = "Option::is_none")]
        settlement_at: Option<Timestamp>,
    },
    Payment(PaymentUpdate),
}

impl StatusUpdateRecord {
    pub(crate) fn of(what: &OrderUpdate) -> Self {
        match what.clone() {
            OrderUpdate::Warehoused => Self::Warehoused,
            OrderUpdate::Refused(reason) => Self::Refused(reason),
            OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer) => Self::Cancelled,
            OrderUpdate::Cancelled(reason) => Self::Ended(reason),
            OrderUpdate::TimesChanged { execution_at, settlement_at } => {
                Self::TimesChanged { execution_at, settlement_at }
            }
            OrderUpdate::PaymentChanged(payment) => Self::Payment(payment),
        }
    }

    pub(crate) fn write(what: &OrderUpdate) -> String {
        document::write(&Self::of(what))
    }

    pub(crate) fn read(text: &str) -> Result<OrderUpdate, Source> {
        Ok(document::read::<Self>(text)?.into_update())
    }

    pub(crate) fn into_update(self) -> OrderUpdate {
        match self {
            Self::Warehoused => OrderUpdate::Warehoused,
            Self::Refused(reason) => OrderUpdate::Refused(reason),
            Self::Cancelled => OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer),
            Self::Ended(reason) => OrderUpdate::Cancelled(reason),
            Self::TimesChanged { execution_at, settlement_at } => {
                OrderUpdate::TimesChanged { execution_at, settlement_at }
            }
            Self::Payment(payment) => OrderUpdate::PaymentChanged(payment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored documents stay readable for ever, and are written again byte for byte.
    #[test]
    fn news_are_read_as_they_were_stored() {
        for document in [
            r#""kept""#,
            r#"{"refused":"insufficient-funds"}"#,
            r#""cancelled""#,
            r#"{"expected":{"execution_at":1,"settlement_at":2}}"#,
            r#"{"expected":{}}"#,
            r#"{"payment":{"number":1,"due_on":"2026-12-05","paid_on":"2026-12-07","amount":[1,"GBP"],"status":"rejected","reason":"refused-by-scheme","detail":{"instrument":"faster-payments","status":"RJCT","reason":"proprietary-rejection","description":"d"}}}"#,
            r#"{"payment":{"number":1,"due_on":"2026-12-05","paid_on":"2026-12-07","amount":[1,"GBP"],"status":"in-process"}}"#,
        ] {
            assert_eq!(StatusUpdateRecord::write(&StatusUpdateRecord::read(document).unwrap()), document);
        }
    }
}
