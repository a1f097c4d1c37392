//! The remittance information of payment requests in v4.0. The rails carry one reference and one message; the whole is
//! echoed. Source: PIS-131, PIS-135.

use super::codes::ReferenceType;
use crate::parse::{FromJson, object};
use crate::payments::values::{DecimalText, RailText, UpTo};
use crate::time::SentInstant;
use lombard_domain::order::References;

object! {
    /// The document types of VRP requests are more than those of other payments. Source: `OBRemittanceInformation2`.
    struct Remittance<D: FromJson>: Open {
        optional structured: UpTo<Structured<D>, { usize::MAX }> = "Structured",
        optional unstructured: UpTo<RailText<1, 140>, { usize::MAX }> = "Unstructured",
    }
}

object! {
    /// Source: `OBRemittanceInformationStructured`.
    struct Structured<D: FromJson>: Open {
        optional _documents: UpTo<ReferredDocument<D>, { usize::MAX }> = "ReferredDocumentInformation",
        optional _amount: DecimalText = "ReferredDocumentAmount",
        optional creditor_reference: CreditorReference = "CreditorReferenceInformation",
        optional _invoicer: RailText<1, 256> = "Invoicer",
        optional _invoicee: RailText<1, 256> = "Invoicee",
        optional _tax: RailText<1, 140> = "TaxRemittance",
        optional _additional: UpTo<RailText<1, 140>, 3> = "AdditionalRemittanceInformation",
    }
}

object! {
    /// Source: `OBReferredDocumentInformation`.
    struct ReferredDocument<D: FromJson>: Open {
        optional _kind: D = "Code",
        optional _issuer: RailText<1, 35> = "Issuer",
        optional _number: RailText<1, 35> = "Number",
        optional _date: SentInstant = "RelatedDate",
        optional _lines: UpTo<RailText<1, 2048>, { usize::MAX }> = "LineDetails",
    }
}

object! {
    /// Source: `OBRemittanceInformationStructured/CreditorReferenceInformation`.
    struct CreditorReference: Open {
        optional _kind: ReferenceType = "Code",
        optional _issuer: RailText<1, 35> = "Issuer",
        optional reference: RailText<1, 35> = "Reference",
    }
}

/// The first of each kind.
impl<D: FromJson> From<Remittance<D>> for References {
    fn from(it: Remittance<D>) -> Self {
        let structured = it.structured.and_then(|all| all.0.into_iter().next());
        let reference = structured.and_then(|first| first.creditor_reference).and_then(|it| it.reference);
        let message = it.unstructured.and_then(|all| all.0.into_iter().next());
        Self { message: message.map(|text| text.0), reference: reference.map(|text| text.0), ..Self::default() }
    }
}
