//! The types of the values in the rows of the catalogue.

use axum::routing::MethodFilter;
use lombard_domain::version::Version;

/// A group of endpoints with its own path segment. Source: RW-003, RW-004.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndpointGroup {
    /// Account information.
    AccountInformation,
    /// Payment initiation.
    Payments,
    /// Confirmation of funds.
    FundsConfirmation,
    /// Variable recurring payments.
    VariableRecurringPayments,
    /// Events.
    Events,
}

impl EndpointGroup {
    /// The path of the group under its version, without a trailing slash; empty for events.
    pub const fn segment(self) -> &'static str {
        match self {
            Self::AccountInformation => "/aisp",
            Self::Payments | Self::VariableRecurringPayments => "/pisp",
            Self::FundsConfirmation => "/cbpii",
            Self::Events => "",
        }
    }
}

/// A group of calls that share one rate limit per caller. Source: RW-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateGroup {
    /// Issuing, revocation and introspection of tokens.
    Tokens,
    /// Pushed authorisation requests.
    PushedRequests,
    /// Authorisation requests in browsers, of one client.
    AuthorisationRequests,
    /// Authorisation requests from one network address, of all clients together.
    AuthorisationAddresses,
    /// Logins at the bank's identity provider that begin at `/apps`, from one network address.
    ProviderLogins,
    /// Logos of applications, from one network address.
    LogoAddresses,
    /// Pages and documents of the public listener, from one network address.
    PageAddresses,
    /// Forms of one session of a developer at the portal.
    PortalForms,
    /// Account information, by tokens of customers.
    AccountInformation,
    /// Account information, by tokens of the client alone.
    AccountInformationOfClient,
    /// Payments, except files, by tokens of customers.
    Payments,
    /// Payments, except files, by tokens of the client alone.
    PaymentsOfClient,
    /// Payment files, with their consents, orders and reports, by tokens of customers.
    Files,
    /// Payment files, with their consents, orders and reports, by tokens of the client alone.
    FilesOfClient,
    /// Confirmation of funds, by tokens of customers.
    FundsConfirmation,
    /// Confirmation of funds, by tokens of the client alone.
    FundsConfirmationOfClient,
    /// Variable recurring payments, by tokens of customers.
    VariableRecurringPayments,
    /// Variable recurring payments, by tokens of the client alone.
    VariableRecurringPaymentsOfClient,
    /// Events, which have tokens of the client alone.
    Events,
    /// Requests to any endpoint whose token or client authentication is refused.
    Failures,
}

/// Whose calls a rate limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateOwner {
    /// Those of one application. Its rate is divided among the nodes; other rates protect each node.
    Application,
    /// Those of one network address.
    Address,
    /// Those with one client certificate.
    Certificate,
    /// Those of one developer's session at the portal.
    PortalSession,
}

impl RateOwner {
    /// The published description.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Application => "each application",
            Self::Address => "each network address",
            Self::Certificate => "each certificate",
            Self::PortalSession => "each session of a developer",
        }
    }
}

impl RateGroup {
    /// All groups, in the order in which they are published.
    pub const ALL: [Self; 20] = [
        Self::Tokens,
        Self::PushedRequests,
        Self::AuthorisationRequests,
        Self::AuthorisationAddresses,
        Self::ProviderLogins,
        Self::LogoAddresses,
        Self::PageAddresses,
        Self::PortalForms,
        Self::AccountInformation,
        Self::AccountInformationOfClient,
        Self::Payments,
        Self::PaymentsOfClient,
        Self::Files,
        Self::FilesOfClient,
        Self::FundsConfirmation,
        Self::FundsConfirmationOfClient,
        Self::VariableRecurringPayments,
        Self::VariableRecurringPaymentsOfClient,
        Self::Events,
        Self::Failures,
    ];

    /// Whose calls are counted together.
    pub const fn owner(self) -> RateOwner {
        match self {
            Self::AuthorisationAddresses | Self::ProviderLogins | Self::LogoAddresses | Self::PageAddresses => {
                RateOwner::Address
            }
            Self::Failures => RateOwner::Certificate,
            Self::PortalForms => RateOwner::PortalSession,
            Self::Tokens
            | Self::PushedRequests
            | Self::AuthorisationRequests
            | Self::AccountInformation
            | Self::AccountInformationOfClient
            | Self::Payments
            | Self::PaymentsOfClient
            | Self::Files
            | Self::FilesOfClient
            | Self::FundsConfirmation
            | Self::FundsConfirmationOfClient
            | Self::VariableRecurringPayments
            | Self::VariableRecurringPaymentsOfClient
            | Self::Events => RateOwner::Application,
        }
    }

    /// The published name of the group.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::PushedRequests => "authorisation requests that are pushed or over the backchannel",
            Self::AuthorisationRequests => "authorisation requests in browsers",
            Self::AuthorisationAddresses => "authorisation requests from one network address",
            Self::ProviderLogins => "logins at the bank's identity provider from one network address",
            Self::LogoAddresses => "logos of applications from one network address",
            Self::PageAddresses => "pages and documents from one network address",
            Self::PortalForms => "forms of one session at the portal",
            Self::AccountInformation => "account information",
            Self::AccountInformationOfClient => "account information, client credentials",
            Self::Payments => "payments",
            Self::PaymentsOfClient => "payments, client credentials",
            Self::Files => "files of payments",
            Self::FilesOfClient => "files of payments, client credentials",
            Self::FundsConfirmation => "confirmation of funds",
            Self::FundsConfirmationOfClient => "confirmation of funds, client credentials",
            Self::VariableRecurringPayments => "variable recurring payments",
            Self::VariableRecurringPaymentsOfClient => "variable recurring payments, client credentials",
            Self::Events => "events",
            Self::Failures => "refused tokens and client authentications",
        }
    }
}

/// The HTTP methods that the standard uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HttpMethod {
    /// GET.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

impl HttpMethod {
    /// The name of the method.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// The grant that an endpoint requires. Source: RW-033, RW-034.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequiredGrant {
    /// The client alone.
    Client,
    /// A PSU and one consent.
    Psu,
    /// The client alone, or a PSU and the consent that the request is about. Source: PIS-004.
    Either,
}

/// The messages of an endpoint that are signed. Source: RW-200.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageSigning {
    /// Neither request nor response is signed.
    Nothing,
    /// The request is signed.
    Request,
    /// The response is signed.
    Response,
    /// Request and response are signed.
    Both,
}

/// Whether a bank must offer an endpoint. Source: T1, the endpoint tables of the payment rules (PIS, table 1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conformance {
    /// The bank must offer the endpoint.
    Mandatory,
    /// The bank must offer the endpoint if it offers the POST of the same resource: "mandatory (if resource POST implemented)".
    WithPost,
    /// The bank must offer the endpoint if its own channels offer the same function.
    Conditional,
    /// The bank may offer the endpoint.
    Optional,
}

impl Conformance {
    /// The name of the requirement in references and on pages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mandatory => "mandatory",
            Self::WithPost => "mandatory with its POST",
            Self::Conditional => "conditional",
            Self::Optional => "optional",
        }
    }
}

/// The media type of a response. Source: RW-069, RW-072, AIS-156.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResponseMedia {
    /// JSON in UTF-8.
    Json,
    /// A PDF document.
    Pdf,
    /// A table of values, in UTF-8.
    Csv,
    /// A message in XML.
    Xml,
    /// XML under its older media type.
    TextXml,
}

impl ResponseMedia {
    /// The type and subtype of the media type.
    pub const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::Pdf => ("application", "pdf"),
            Self::Csv => ("text", "csv"),
            Self::Xml => ("application", "xml"),
            Self::TextXml => ("text", "xml"),
        }
    }
}

/// The version that a path names. A path without a known version is treated as the oldest version. Source: RW-006.
pub fn version_of(path: &str) -> Version {
    let segment = path.strip_prefix("/open-banking/").and_then(|rest| rest.split('/').next());
    segment.and_then(Version::from_segment).unwrap_or(Version::V3_1)
}

impl HttpMethod {
    /// The method as axum's filter.
    pub const fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Put => MethodFilter::PUT,
            Self::Patch => MethodFilter::PATCH,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}
