//! The forms of account information in v4.0.

use super::account::{AccountService, AccountTypes};
use super::arrangements::{DirectDebitMandate, StandingOrderSchedule};
use super::parts::{Address, Agent, Institution, Lei, PayeeAccount, text};
use super::{V4_0, bank_codes, names};
use crate::accounts::AccountForms;
use crate::code_sets;
use lombard_domain::account::{
    ArrangementStatus, BalanceType, BankIdentification, BankTransactionCode, EntryPayment, EntryStatus, ExtendedCode,
    IntermediaryAgent, PostalAddress, UltimateParty,
};
use schemars::JsonSchema;
use serde::Serialize;

impl AccountForms for V4_0 {
    const BALANCE_SUB_TYPES: [&'static str; 2] = ["BCUR", "LCUR"];

    type Account<'a> = PayeeAccount<'a>;
    type Institution<'a> = Institution<'a>;
    type Agent<'a> = Agent<'a>;
    type PartyAddress<'a> = Address<'a>;
    type Lei<'a> = Lei<'a>;
    type AccountType = AccountTypes;
    type AccountService<'a> = AccountService<'a>;
    type DirectDebitMandate<'a> = DirectDebitMandate<'a>;
    type StandingOrderSchedule<'a> = StandingOrderSchedule<'a>;
    type Payment<'a> = Payment<'a>;

    fn institution(bank: &BankIdentification) -> Option<Institution<'_>> {
        Institution::of(bank)
    }

    fn agent(bank: &BankIdentification) -> Option<Agent<'_>> {
        Agent::of(bank)
    }

    fn party_address(address: &PostalAddress) -> Option<Address<'_>> {
        Some(address.into())
    }

    fn bank_code(code: &BankTransactionCode) -> (&str, &str) {
        (bank_codes::family(&code.code), bank_codes::sub_family(&code.sub_code))
    }

    fn entry_status(status: EntryStatus) -> Option<&'static str> {
        Some(names::entry_status(status))
    }

    fn balance_type(kind: BalanceType) -> &'static str {
        names::balance_type(kind)
    }

    fn arrangement_status(status: ArrangementStatus) -> &'static str {
        names::mandate_status(status)
    }

    fn entry_statuses() -> Vec<&'static str> {
        names::listed::entry_status()
    }

    fn balance_types() -> Vec<&'static str> {
        names::listed::balance_type()
    }

    fn arrangement_statuses() -> Vec<&'static str> {
        names::listed::mandate_status()
    }
}

/// The details of the payment behind an entry, which only v4.0 shows. Source: AIS-128, AIS-132, `OBTransaction6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Payment<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extended_proprietary_bank_transaction_codes: Vec<WireExtendedCode<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = code_sets::CATEGORY_PURPOSES))]
    category_purpose_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4))]
    payment_purpose_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ultimate_creditor: Option<WireUltimateParty<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ultimate_debtor: Option<WireUltimateParty<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intermediary_agent1: Option<WireIntermediary<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intermediary_agent2: Option<WireIntermediary<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intermediary_agent3: Option<WireIntermediary<'a>>,
}

/// Source: `OBExtendedProprietaryBankTransactionCode`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireExtendedCode<'a> {
    #[schemars(length(min = 1, max = 35))]
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 35))]
    issuer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 500))]
    description: Option<&'a str>,
}

/// Source: `OBUltimateCreditor1`, `OBUltimateDebtor1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireUltimateParty<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 140))]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 256))]
    identification: Option<&'a str>,
    #[serde(flatten)]
    lei: Lei<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = crate::names::listed::account_scheme()))]
    scheme_name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_address: Option<Box<Address<'a>>>,
}

/// Source: AIS-132, `OBIntermediaryAgent`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireIntermediary<'a> {
    #[serde(flatten)]
    agent: Institution<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = code_sets::AGENT_STATUSES))]
    processing_status: Option<&'a str>,
}

impl<'a> From<&'a EntryPayment> for Payment<'a> {
    fn from(payment: &'a EntryPayment) -> Self {
        let mut intermediaries = payment.intermediaries.iter().map(WireIntermediary::from);
        Self {
            extended_proprietary_bank_transaction_codes: payment
                .extended_codes
                .iter()
                .map(WireExtendedCode::from)
                .collect(),
            category_purpose_code: payment.category_purpose.as_ref().map(text),
            payment_purpose_code: payment.purpose.as_ref().map(text),
            ultimate_creditor: payment.ultimate_creditor.as_ref().map(WireUltimateParty::from),
            ultimate_debtor: payment.ultimate_debtor.as_ref().map(WireUltimateParty::from),
            intermediary_agent1: intermediaries.next(),
            intermediary_agent2: intermediaries.next(),
            intermediary_agent3: intermediaries.next(),
        }
    }
}

impl<'a> From<&'a ExtendedCode> for WireExtendedCode<'a> {
    fn from(code: &'a ExtendedCode) -> Self {
        Self { code: &code.code, issuer: code.issuer.as_deref(), description: code.description.as_deref() }
    }
}

impl<'a> From<&'a UltimateParty> for WireUltimateParty<'a> {
    fn from(party: &'a UltimateParty) -> Self {
        Self {
            name: party.name.as_deref(),
            identification: party.identification.as_deref(),
            lei: party.lei.as_deref().into(),
            scheme_name: party.scheme.map(names::account_scheme),
            postal_address: Address::boxed(party.address.as_ref()),
        }
    }
}

impl<'a> From<&'a IntermediaryAgent> for WireIntermediary<'a> {
    fn from(it: &'a IntermediaryAgent) -> Self {
        Self { agent: Institution::whole(&it.agent), processing_status: it.status.as_ref().map(text) }
    }
}
