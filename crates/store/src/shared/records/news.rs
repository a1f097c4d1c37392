//! What happened to an order at the built-in bank.

use super::order::RailDetailRecord;
use super::{AmountRecord, instant, json, read_amount, write_amount};
use crate::shared::codes::Word;
use lombard_domain::order::{PaymentStatus, Reason};
use lombard_ports::bank::{Happened, PaymentNews};
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// One variant per kind of news.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NewsRecord {
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

impl NewsRecord {
    pub(crate) fn write(what: &Happened) -> String {
        json(&match what {
            Happened::Kept => Self::Kept,
            Happened::Refused(reason) => Self::Refused(Word(*reason)),
            Happened::Cancelled(Reason::CancelledByCustomer) => Self::Cancelled,
            Happened::Cancelled(reason) => Self::Ended(Word(*reason)),
            Happened::Expected { execution_at, settlement_at } => Self::Expected {
                execution_at: execution_at.map(instant::to_micros),
                settlement_at: settlement_at.map(instant::to_micros),
            },
            Happened::Payment(payment) => Self::Payment {
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

    pub(crate) fn read(text: &str) -> Result<Happened, Source> {
        Ok(match serde_json::from_str(text)? {
            Self::Kept => Happened::Kept,
            Self::Refused(Word(reason)) => Happened::Refused(reason),
            Self::Cancelled => Happened::Cancelled(Reason::CancelledByCustomer),
            Self::Ended(Word(reason)) => Happened::Cancelled(reason),
            Self::Expected { execution_at, settlement_at } => Happened::Expected {
                execution_at: execution_at.map(instant).transpose()?,
                settlement_at: settlement_at.map(instant).transpose()?,
            },
            Self::Payment { number, due_on, paid_on, amount, status, reason, detail } => {
                Happened::Payment(PaymentNews {
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
