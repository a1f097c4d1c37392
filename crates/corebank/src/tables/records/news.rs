//! What happened to an order at the built-in bank.

use lombard_database::records::RailDetailRecord;
use lombard_database::records::{AmountRecord, json, read_amount, read_instant, write_amount};
use lombard_domain::code::Word;
use lombard_domain::instant;
use lombard_domain::order::{PaymentStatus, Reason};
use lombard_ports::bank::{OrderUpdate, PaymentUpdate};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// One variant per kind of news.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StatusUpdateRecord {
    Kept,
    Refused(Word<Reason>),
    /// By the customer.
    Cancelled,
    /// For another reason.
    Ended(Word<Reason>),
    Expected {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        execution_at: Option<i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        settlement_at: Option<i64>,
    },
    Payment {
        number: u32,
        due_on: String,
        paid_on: String,
        amount: AmountRecord,
        status: Word<PaymentStatus>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Word<Reason>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<RailDetailRecord>,
    },
}

impl StatusUpdateRecord {
    pub(crate) fn write(what: &OrderUpdate) -> String {
        json(&match what {
            OrderUpdate::Kept => Self::Kept,
            OrderUpdate::Refused(reason) => Self::Refused(Word(*reason)),
            OrderUpdate::Cancelled(Reason::CancelledByCustomer) => Self::Cancelled,
            OrderUpdate::Cancelled(reason) => Self::Ended(Word(*reason)),
            OrderUpdate::Expected { execution_at, settlement_at } => Self::Expected {
                execution_at: execution_at.map(instant::to_micros),
                settlement_at: settlement_at.map(instant::to_micros),
            },
            OrderUpdate::Payment(payment) => Self::Payment {
                number: payment.number,
                due_on: payment.due_on.to_string(),
                paid_on: payment.paid_on.to_string(),
                amount: write_amount(payment.amount),
                status: Word(payment.status),
                reason: payment.reason.map(Word),
                detail: payment.detail.as_ref().map(RailDetailRecord::of),
            },
        })
    }

    pub(crate) fn read(text: &str) -> Result<OrderUpdate, Source> {
        Ok(match serde_json::from_str(text)? {
            Self::Kept => OrderUpdate::Kept,
            Self::Refused(Word(reason)) => OrderUpdate::Refused(reason),
            Self::Cancelled => OrderUpdate::Cancelled(Reason::CancelledByCustomer),
            Self::Ended(Word(reason)) => OrderUpdate::Cancelled(reason),
            Self::Expected { execution_at, settlement_at } => OrderUpdate::Expected {
                execution_at: execution_at.map(read_instant).transpose()?,
                settlement_at: settlement_at.map(read_instant).transpose()?,
            },
            Self::Payment { number, due_on, paid_on, amount, status, reason, detail } => {
                OrderUpdate::Payment(PaymentUpdate {
                    number,
                    due_on: due_on.parse()?,
                    paid_on: paid_on.parse()?,
                    amount: read_amount(amount),
                    status: status.0,
                    reason: reason.map(|word| word.0),
                    detail: detail.map(RailDetailRecord::into_domain),
                })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was stored once is read for ever, and written again to the letter.
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
