//! The terms of a consent.

use super::payment::PaymentRecord;
use lombard_database::records::{IdentificationRecord, json, read_instant};
use lombard_domain::consent::{AccountAccess, FundsConfirmation, Permissions, Terms};
use lombard_domain::instant;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// One variant per kind of consent.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ConsentRequestRecord {
    AccountAccess {
        /// The set of permissions as bits.
        permissions: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transactions_from: Option<i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transactions_to: Option<i64>,
    },
    Payment(Box<PaymentRecord>),
    FundsConfirmation {
        account: IdentificationRecord,
    },
}

impl ConsentRequestRecord {
    pub(crate) fn write(terms: &Terms) -> String {
        json(&match terms {
            Terms::AccountAccess(access) => Self::AccountAccess {
                permissions: access.permissions.bits(),
                transactions_from: access.transactions_from.map(instant::to_micros),
                transactions_to: access.transactions_to.map(instant::to_micros),
            },
            Terms::Payment(payment) => Self::Payment(Box::new(PaymentRecord::of(payment))),
            Terms::FundsConfirmation(named) => {
                Self::FundsConfirmation { account: IdentificationRecord::of(&named.account) }
            }
        })
    }

    pub(crate) fn read(text: &str) -> Result<Terms, Source> {
        Ok(match serde_json::from_str(text)? {
            Self::AccountAccess { permissions, transactions_from, transactions_to } => {
                Terms::AccountAccess(AccountAccess {
                    permissions: Permissions::from_bits(permissions),
                    transactions_from: transactions_from.map(read_instant).transpose()?,
                    transactions_to: transactions_to.map(read_instant).transpose()?,
                })
            }
            Self::Payment(record) => Terms::Payment(Box::new(record.into_domain()?)),
            Self::FundsConfirmation { account } => {
                Terms::FundsConfirmation(FundsConfirmation { account: account.into_domain() })
            }
        })
    }
}
