//! The details of a payment other than payee, amount, time and references. Source: section 10.2, RW-132, RW-252.

use super::PayeeAgent;
use crate::account::{IsoCode, MandateTerms, UltimateParty};
use crate::money::Amount;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The parties, purposes and reports of a payment; nearly all of them exist in v4.0 only. The bank receives them with the
/// payment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferDetails {
    /// The creditor agent of a domestic payment; that of an international one is among its own members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<PayeeAgent>,
    /// The legal entity identifier of the payee, 20 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor_lei: Option<String>,
    /// The party on whose behalf the payee receives the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ultimate_creditor: Option<UltimateParty>,
    /// The party on whose behalf the payment is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ultimate_debtor: Option<UltimateParty>,
    /// Its purpose (`OBExternalPurpose1Code`). Source: PIS-144.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<IsoCode>,
    /// The category of its purpose (`ExternalCategoryPurpose1Code`). Source: PIS-144.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_purpose: Option<IsoCode>,
    /// The reports required by authorities, at most ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regulatory_reporting: Vec<RegulatoryReport>,
    /// The terms of the mandate of a standing order. Source: V4-010.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mandate: Option<MandateTerms>,
}

/// A report for an authority. Source: `OBRegulatoryReporting1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegulatoryReport {
    /// Whether the report is for the debit, the credit or both: `DEBT`, `CRED` or `BOTH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indicator: Option<IsoCode>,
    /// The name of the authority, at most 140 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<String>,
    /// The country of the authority, two letters of ISO 3166.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority_country: Option<String>,
    /// The entries of the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<RegulatoryDetail>,
}

/// An entry of a report. Source: `OBStructuredRegulatoryReporting3`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegulatoryDetail {
    /// Its type, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its date.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub dated_at: Option<Timestamp>,
    /// The country, two letters of ISO 3166.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// Texts, each at most 35 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub information: Vec<String>,
}

impl TransferDetails {
    /// The details in a box; `None` if every member is absent.
    pub fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }

    /// The details of a payment in a file; members that it lacks are taken from the details of the file. Source: FILE-016.
    #[must_use]
    pub fn completed_by(self, file: &Self) -> Self {
        Self {
            agent: self.agent.or_else(|| file.agent.clone()),
            ultimate_debtor: self.ultimate_debtor.or_else(|| file.ultimate_debtor.clone()),
            ..self
        }
    }
}
