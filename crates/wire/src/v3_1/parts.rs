//! Objects that several resources of v3.1 hold.

use super::names;
use lombard_domain::account::{Agent, Identification};
use lombard_domain::money::Amount;
use serde::Serialize;

/// Source: `OBActiveOrHistoricCurrencyAndAmount`, RW-251.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Money {
    amount: String,
    currency: &'static str,
}

impl From<Amount> for Money {
    fn from(amount: Amount) -> Self {
        Self { amount: amount.decimal(), currency: amount.currency().code() }
    }
}

/// Source: `OBCashAccount5_0`, `OBCashAccount6_0`, `OBCashAccount6_1`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CashAccount<'a> {
    scheme_name: &'static str,
    identification: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_identification: Option<&'a str>,
}

impl<'a> From<&'a Identification> for CashAccount<'a> {
    fn from(identification: &'a Identification) -> Self {
        Self {
            scheme_name: names::account_scheme(identification.scheme),
            identification: &identification.number,
            name: identification.name.as_deref(),
            secondary_identification: identification.secondary.as_deref(),
        }
    }
}

/// A bank, by its BIC, its name, or both. Source: `OBBranchAndFinancialInstitutionIdentification6_1`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Institution<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identification: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

impl<'a> Institution<'a> {
    /// The agent, if there is anything to say about it (RW-245).
    pub(super) fn of(agent: &'a Agent) -> Option<Self> {
        let identification = agent.bic.as_deref();
        let name = agent.name.as_deref();
        let scheme_name = identification.map(|_| BICFI);
        (identification.is_some() || name.is_some()).then_some(Self { scheme_name, identification, name })
    }

    /// The bank that keeps an account: by its BIC or not at all.
    /// Source: `OBBranchAndFinancialInstitutionIdentification5_0`.
    pub(super) fn servicer(agent: &'a Agent) -> Option<Self> {
        let identification = Some(agent.bic.as_deref()?);
        Some(Self { scheme_name: Some(BICFI), identification, name: None })
    }
}

pub(crate) const BICFI: &str = "UK.OBIE.BICFI";
