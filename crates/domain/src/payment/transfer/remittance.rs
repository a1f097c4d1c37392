//! Remittance information in the form of ISO 20022, which can contain more than a reference and a message. Source: PIS-135,
//! `OBRemittanceInformation2`.

use crate::account::IsoCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The information about a payment for the payee.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemittanceInformation {
    /// The documents and references that the payment is for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structured: Vec<StructuredRemittance>,
    /// Messages, each at most 140 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unstructured: Vec<String>,
}

/// One structured entry. Source: `OBRemittanceInformationStructured`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructuredRemittance {
    /// The documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<ReferredDocument>,
    /// The amount of the documents, a decimal number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_amount: Option<String>,
    /// The reference that the creditor gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor_reference: Option<CreditorReference>,
    /// The issuer of the invoice, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoicer: Option<String>,
    /// The recipient of the invoice, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoicee: Option<String>,
    /// The tax remittance, at most 140 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax: Option<String>,
    /// Further texts, at most three of 140 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional: Vec<String>,
}

/// A document that a payment is for. Source: `OBReferredDocumentInformation`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferredDocument {
    /// Its type (`ExternalDocumentType1Code`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<IsoCode>,
    /// Its issuer, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// Its number, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Its date.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub dated_at: Option<Timestamp>,
    /// Its lines, each at most 2,048 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// The creditor's reference. Source: `OBRemittanceInformationStructured/CreditorReferenceInformation`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditorReference {
    /// Its type (`ExternalCreditorReferenceType1Code`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<IsoCode>,
    /// Its issuer, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The reference, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

impl RemittanceInformation {
    /// The reference of the first structured entry, which the rails carry.
    pub fn reference(&self) -> Option<&str> {
        self.structured.first()?.creditor_reference.as_ref()?.reference.as_deref()
    }

    /// The first message, which the rails carry.
    pub fn message(&self) -> Option<&str> {
        self.unstructured.first().map(String::as_str)
    }

    /// Whether the information contains nothing but one reference and one message.
    pub fn is_plain(&self) -> bool {
        let reference = self.reference().map(str::to_owned);
        let plain = |reference| {
            let creditor_reference =
                Some(CreditorReference { reference: Some(reference), ..CreditorReference::default() });
            StructuredRemittance { creditor_reference, ..StructuredRemittance::default() }
        };
        self.unstructured.len() <= 1 && self.structured == Vec::from_iter(reference.map(plain))
    }
}
