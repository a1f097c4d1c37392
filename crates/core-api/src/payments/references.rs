//! The references and messages of a payment for its payee.

use crate::form::iso::FourCharacters;
use crate::form::shape::{Boxed, FormOf};
use crate::form::values::BoundedText;
use crate::objects;
use jiff::Timestamp;
use lombard_domain::payment::transfer::{
    CreditorReference, References, ReferredDocument, RemittanceInformation, StructuredRemittance,
};

objects! {
    /// The references of a payment.
    References as "References" {
        /// The TPP's `InstructionIdentification`, not passed on to the payee; at most 35 characters.
        instruction: optional(BoundedText<35>, "InstructionIdentification");
        /// The `EndToEndIdentification`, passed on to the payee; at most 35 characters.
        end_to_end: optional(BoundedText<35>, "EndToEndIdentification");
        /// The remittance reference for the payee's reconciliation; at most 35 characters.
        reference: optional(BoundedText<35>, "RemittanceReference");
        /// The unstructured remittance message to the payee; at most 140 characters.
        message: optional(BoundedText<140>, "RemittanceMessage");
        /// The whole remittance information, if it says more than reference and message.
        remittance: optional(Boxed<FormOf<RemittanceInformation>>, "RemittanceInformation");
    }

    /// The texts about a payment that the payee receives.
    RemittanceInformation as "RemittanceInformation" {
        /// The documents and references that the payment is for.
        structured: list(FormOf<StructuredRemittance>, "Structured");
        /// Messages, each at most 140 characters.
        unstructured: list(BoundedText<140>, "Unstructured");
    }

    /// One structured entry.
    StructuredRemittance as "StructuredRemittance" {
        /// The documents.
        documents: list(FormOf<ReferredDocument>, "ReferredDocumentInformation");
        /// The amount of the documents, a decimal number.
        document_amount: optional(BoundedText<40>, "ReferredDocumentAmount");
        /// The reference that the creditor gave.
        creditor_reference: optional(FormOf<CreditorReference>, "CreditorReferenceInformation");
        /// The issuer of the invoice, at most 256 characters.
        invoicer: optional(BoundedText<256>, "Invoicer");
        /// The recipient of the invoice, at most 256 characters.
        invoicee: optional(BoundedText<256>, "Invoicee");
        /// The tax remittance, at most 140 characters.
        tax: optional(BoundedText<140>, "TaxRemittance");
        /// Further texts, at most three of 140 characters.
        additional: list(BoundedText<140>, "AdditionalRemittanceInformation");
    }

    /// A document that a payment is for.
    ReferredDocument as "ReferredDocument" {
        /// Its type (`ExternalDocumentType1Code`).
        kind: optional(FourCharacters, "Code");
        /// Its issuer, at most 35 characters.
        issuer: optional(BoundedText<35>, "Issuer");
        /// Its number, at most 35 characters.
        number: optional(BoundedText<35>, "Number");
        /// Its date.
        dated_at: optional(FormOf<Timestamp>, "RelatedDate");
        /// Its lines, each at most 2,048 characters.
        lines: list(BoundedText<2048>, "LineDetails");
    }

    /// The creditor's reference.
    CreditorReference as "CreditorReference" {
        /// Its type (`ExternalCreditorReferenceType1Code`).
        kind: optional(FourCharacters, "Code");
        /// Its issuer, at most 35 characters.
        issuer: optional(BoundedText<35>, "Issuer");
        /// The reference, at most 35 characters.
        reference: optional(BoundedText<35>, "Reference");
    }
}
