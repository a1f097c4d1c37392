//! What a payment abroad says beside what every payment says. Source: table 1.3, section 5.

use super::ExchangeRateRequest;
use crate::account::PostalAddress;
use crate::money::Currency;
use crate::order::{ChargeBearer, Credit};
use serde::{Deserialize, Serialize};

/// How soon a payment is wanted. It may steer the choice of a rail. Source: INT-007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Priority {
    /// As usual.
    Normal,
    /// At once.
    Urgent,
}

/// The code of a bank. Source: PIS-119.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentCode {
    /// Its BIC.
    Bic(String),
    /// Its number in a country's clearing.
    Clearing {
        /// The country, two letters.
        country: String,
        /// The number, at most 35 characters.
        number: String,
    },
}

impl AgentCode {
    /// Whether a BIC has the form of one: eight characters, or eleven. The numbers of clearings have none in common.
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

/// The payee's bank: by its code, or by name and address. Source: INT-003.
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
}

/// A payment abroad, or in another currency, without its amount and its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct International {
    /// To whom, and what goes with it. The address is that of the payee.
    pub credit: Credit,
    /// The payee's name where it is another than that of the account, at most 350 characters. Source: X-11.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payee: Option<String>,
    /// The payee's bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<PayeeAgent>,
    /// The currency that is sent. Source: INT-001.
    pub transfer: Currency,
    /// What is asked of the exchange; standing orders ask nothing. Source: INT-010, SO-014.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<ExchangeRateRequest>,
    /// Who is to pay the charges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearer: Option<ChargeBearer>,
    /// How soon it is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// The country it goes to, two letters. Source: INT-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<String>,
    /// What it is for, a code of at most 4 characters. Source: INT-006.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// What it is for, in words of at most 140 characters. Source: INT-006.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose_in_words: Option<String>,
}
