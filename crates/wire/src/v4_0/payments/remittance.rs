//! The remittance information of payment requests in v4.0. The rails carry one reference and one message; the bank receives all
//! of the remittance information. Source: PIS-131, PIS-135.

use crate::parse::{FromJson, object};
use crate::payments::codes::ReferenceType;
use crate::payments::values::{RailText, UpTo, WrittenDecimal};
use crate::time::SentInstant;
use lombard_domain::account::IsoCode;
use lombard_domain::payment::transfer;
use lombard_domain::payment::transfer::{References, RemittanceInformation, StructuredRemittance};

object! {
    /// VRP requests have more document types than other payments. Source: `OBRemittanceInformation2`.
    struct Remittance<D: FromJson>: Open {
        optional structured: UpTo<Structured<D>, { usize::MAX }> = "Structured",
        optional unstructured: UpTo<RailText<1, 140>, { usize::MAX }> = "Unstructured",
    }
}

object! {
    /// Source: `OBRemittanceInformationStructured`.
    struct Structured<D: FromJson>: Open {
        optional documents: UpTo<ReferredDocument<D>, { usize::MAX }> = "ReferredDocumentInformation",
        optional amount: WrittenDecimal = "ReferredDocumentAmount",
        optional creditor_reference: CreditorReference = "CreditorReferenceInformation",
        optional invoicer: RailText<1, 256> = "Invoicer",
        optional invoicee: RailText<1, 256> = "Invoicee",
        optional tax: RailText<1, 140> = "TaxRemittance",
        optional additional: UpTo<RailText<1, 140>, 3> = "AdditionalRemittanceInformation",
    }
}

object! {
    /// Source: `OBReferredDocumentInformation`.
    struct ReferredDocument<D: FromJson>: Open {
        optional kind: D = "Code",
        optional issuer: RailText<1, 35> = "Issuer",
        optional number: RailText<1, 35> = "Number",
        optional date: SentInstant = "RelatedDate",
        optional lines: UpTo<RailText<1, 2048>, { usize::MAX }> = "LineDetails",
    }
}

object! {
    /// Source: `OBRemittanceInformationStructured/CreditorReferenceInformation`.
    struct CreditorReference: Open {
        optional kind: ReferenceType = "Code",
        optional issuer: RailText<1, 35> = "Issuer",
        optional reference: RailText<1, 35> = "Reference",
    }
}

impl<D: FromJson + Into<IsoCode>> From<Remittance<D>> for RemittanceInformation {
    fn from(it: Remittance<D>) -> Self {
        Self {
            structured: it.structured.into_iter().flat_map(|list| list.0).map(Into::into).collect(),
            unstructured: it.unstructured.into_iter().flat_map(|list| list.0).map(|text| text.0).collect(),
        }
    }
}

impl<D: FromJson + Into<IsoCode>> From<Structured<D>> for StructuredRemittance {
    fn from(it: Structured<D>) -> Self {
        Self {
            documents: it.documents.into_iter().flat_map(|list| list.0).map(Into::into).collect(),
            document_amount: it.amount.map(|amount| amount.0),
            creditor_reference: it.creditor_reference.map(Into::into),
            invoicer: it.invoicer.map(|text| text.0),
            invoicee: it.invoicee.map(|text| text.0),
            tax: it.tax.map(|text| text.0),
            additional: it.additional.into_iter().flat_map(|list| list.0).map(|text| text.0).collect(),
        }
    }
}

impl<D: FromJson + Into<IsoCode>> From<ReferredDocument<D>> for transfer::ReferredDocument {
    fn from(it: ReferredDocument<D>) -> Self {
        Self {
            kind: it.kind.map(Into::into),
            issuer: it.issuer.map(|text| text.0),
            number: it.number.map(|text| text.0),
            dated_at: it.date.map(|sent| sent.instant),
            lines: it.lines.into_iter().flat_map(|list| list.0).map(|text| text.0).collect(),
        }
    }
}

impl From<CreditorReference> for transfer::CreditorReference {
    fn from(it: CreditorReference) -> Self {
        let issuer = it.issuer.map(|text| text.0);
        let reference = it.reference.map(|text| text.0);
        Self { kind: it.kind.map(|code| code.0), issuer, reference }
    }
}

/// The first reference and the first message, which the rails carry, and the whole remittance information if it contains more.
impl<D: FromJson + Into<IsoCode>> From<Remittance<D>> for References {
    fn from(it: Remittance<D>) -> Self {
        let whole = RemittanceInformation::from(it);
        let reference = whole.reference().map(str::to_owned);
        let message = whole.message().map(str::to_owned);
        let remittance = (!whole.is_plain()).then(|| Box::new(whole));
        Self { message, reference, remittance, ..Self::default() }
    }
}
