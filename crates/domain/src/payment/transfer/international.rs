//! The members that only an international payment has. Source: table 1.3, section 5.

use super::CreditorDetails;
use crate::account::PostalAddress;
use crate::money::Currency;
use crate::payment::ChargeBearer;
use crate::payment::exchange::ExchangeRateRequest;
use serde::{Deserialize, Serialize};

/// The instruction priority. It may influence the choice of the rail. Source: INT-007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Priority {
    /// Normal priority.
    Normal,
    /// Urgent.
    Urgent,
}

crate::code::document_codes! {
    Priority {
        Normal = "normal", Urgent = "urgent",
    }
}

/// The identification of a bank. Source: PIS-119.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentCode {
    /// Its BIC.
    Bic(String),
    /// A national clearing code.
    Clearing {
        /// The country, two letters of ISO 3166.
        country: String,
        /// The clearing code, at most 35 characters.
        number: String,
    },
}

impl AgentCode {
    /// Whether a BIC has eight or eleven characters; clearing codes are not checked, as they have no common form.
    /// Source: PIS-119.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Bic(bic) => {
                let letter = |it: &u8| it.is_ascii_uppercase();
                let mark = |it: &u8| it.is_ascii_uppercase() || it.is_ascii_digit();
                let (head, tail) = bic.as_bytes().split_at_checked(6).unwrap_or_default();
                head.len() == 6 && head.iter().all(letter) && matches!(tail.len(), 2 | 5) && tail.iter().all(mark)
            }
            Self::Clearing { .. } => true,
        }
    }
}

/// The creditor agent: by its code, or by name and address. Source: INT-003.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayeeAgent {
    /// Its code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<AgentCode>,
    /// Its name, at most 140 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
    /// Its legal entity identifier, 20 characters. Source: V4-008.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lei: Option<String>,
}

/// An international payment, or one in a foreign currency, without its amount and timing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct International {
    /// The payee and the references. The address is the payee's.
    pub credit: CreditorDetails,
    /// The payee's name, if it differs from the account name, at most 350 characters. Source: X-11.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payee: Option<String>,
    /// The creditor agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<PayeeAgent>,
    /// The currency of transfer. Source: INT-001.
    pub transfer: Currency,
    /// The requested exchange rate; standing orders have none. Source: INT-010, SO-014.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<ExchangeRateRequest>,
    /// The charge bearer requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearer: Option<ChargeBearer>,
    /// The instruction priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// The destination country, two letters of ISO 3166. Source: INT-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<String>,
    /// The purpose code, at most 4 characters. Source: INT-006.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// The extended purpose, at most 140 characters. Source: INT-006.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose_in_words: Option<String>,
}
