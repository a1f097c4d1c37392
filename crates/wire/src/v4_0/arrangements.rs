//! Direct debits and standing orders in v4.0: frequency and dates are in the mandate, the reference in the remittance
//! information. Source: AIS-170 to AIS-172, AIS-174, AIS-175.

use super::mandate::{Frequency, Mandate};
use super::{frequency, names};
use crate::accounts::StandingOrderPayee;
use crate::accounts::standing_orders::instant;
use lombard_domain::account::DirectDebit;
use lombard_domain::calendar::london_date;
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadDirectDebit2/Data/DirectDebit`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DirectDebitMandate<'a> {
    mandate_related_information: Mandate<'a>,
}

impl<'a> From<&'a DirectDebit> for DirectDebitMandate<'a> {
    fn from(debit: &'a DirectDebit) -> Self {
        let frequency = Frequency::code(names::direct_debit_frequency(debit.frequency));
        let terms = Mandate::of(debit.terms.as_deref(), frequency);
        Self { mandate_related_information: Mandate { mandate_identification: Some(&debit.mandate), ..terms } }
    }
}

/// Source: `OBStandingOrder6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StandingOrderSchedule<'a> {
    mandate_related_information: Mandate<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remittance_information: Option<Remittance<'a>>,
}

impl<'a> From<&'a StandingOrderPayee> for StandingOrderSchedule<'a> {
    fn from(order: &'a StandingOrderPayee) -> Self {
        let first_day = order.first.map(|first| london_date(first.at));
        let frequency = frequency::render(order.frequency, first_day).into();
        Self {
            mandate_related_information: Mandate {
                first_payment_date_time: instant(order.first),
                final_payment_date_time: instant(order.end),
                ..Mandate::of(order.terms.as_deref(), frequency)
            },
            remittance_information: order.reference.as_deref().map(Remittance::of),
        }
    }
}

/// Remittance information with a reference only. Source: AIS-174, `OBRemittanceInformation2`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Remittance<'a> {
    structured: [StructuredRemittance<'a>; 1],
}

/// Source: `OBRemittanceInformationStructured`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct StructuredRemittance<'a> {
    creditor_reference_information: CreditorReference<'a>,
}

/// Source: `OBRemittanceInformationStructured/CreditorReferenceInformation`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct CreditorReference<'a> {
    #[schemars(length(min = 1, max = 35))]
    reference: &'a str,
}

impl<'a> Remittance<'a> {
    fn of(reference: &'a str) -> Self {
        Self { structured: [StructuredRemittance { creditor_reference_information: CreditorReference { reference } }] }
    }
}
