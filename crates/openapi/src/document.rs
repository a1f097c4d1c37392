//! The OpenAPI documents that are served.

use lombard_edge::endpoint_facts::EndpointGroup;

/// An OpenAPI document and the page with the same content: subject, name in addresses, and title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiDocument {
    /// The subject of the document.
    pub subject: DocumentSubject,
    /// The last segment of the addresses under `/openapi/`: alone for the page, with `.json` for the document.
    pub name: &'static str,
    /// The title of the document.
    pub title: &'static str,
}

/// The subject of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentSubject {
    /// A group of the catalogue.
    Catalogue(EndpointGroup),
    /// Endpoints of the authorisation server, which the standard's catalogue does not hold.
    OAuth(OAuthPart),
}

/// A part of the authorisation server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OAuthPart {
    /// Authorisation, tokens, discovery and keys.
    Authorisation,
    /// Dynamic client registration.
    Registration,
}

impl ApiDocument {
    const fn of_catalogue(group: EndpointGroup, name: &'static str, title: &'static str) -> Self {
        Self { subject: DocumentSubject::Catalogue(group), name, title }
    }

    const fn of_oauth(part: OAuthPart, name: &'static str, title: &'static str) -> Self {
        Self { subject: DocumentSubject::OAuth(part), name, title }
    }

    /// The group of the catalogue that the document describes, if it describes one.
    pub const fn group(&self) -> Option<EndpointGroup> {
        match self.subject {
            DocumentSubject::Catalogue(group) => Some(group),
            DocumentSubject::OAuth(_) => None,
        }
    }
}

/// All documents.
pub const DOCUMENTS: [ApiDocument; 7] = [
    ApiDocument::of_catalogue(EndpointGroup::AccountInformation, "account-info", "Account information"),
    ApiDocument::of_catalogue(EndpointGroup::Payments, "payment-initiation", "Payments"),
    ApiDocument::of_catalogue(EndpointGroup::FundsConfirmation, "funds-confirmation", "Confirmation of funds"),
    ApiDocument::of_catalogue(
        EndpointGroup::VariableRecurringPayments,
        "variable-recurring-payments",
        "Variable recurring payments",
    ),
    ApiDocument::of_catalogue(EndpointGroup::Events, "events", "Events"),
    ApiDocument::of_oauth(OAuthPart::Authorisation, "authorisation-server", "Authorisation and tokens"),
    ApiDocument::of_oauth(OAuthPart::Registration, "client-registration", "Dynamic client registration"),
];

/// The version of OpenAPI that documents are written in.
pub(super) const OPENAPI_VERSION: &str = "3.1.0";
