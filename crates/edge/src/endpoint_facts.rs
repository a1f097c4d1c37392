//! The types of the facts in the rows of the catalogue.

use axum::routing::MethodFilter;
use lombard_domain::version::Version;

/// A group of endpoints; each has a path of its own. Source: RW-003, RW-004.
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

/// Endpoints that share one rate limit per TPP. Source: RW-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateGroup {
    /// Tokens: issued, revoked, looked at.
    Tokens,
    /// Authorisation requests that are pushed ahead.
    PushedRequests,
    /// Authorisation requests of one client, in browsers.
    AuthorisationRequests,
    /// Authorisation requests from one network address, whoever they are of.
    AuthorisationAddresses,
    /// Logins at the bank's identity provider that begin at `/apps`, from one network address.
    ProviderLogins,
    /// Logos of applications, from one network address.
    LogoAddresses,
    /// Pages and documents of the public listener, from one network address.
    PageAddresses,
    /// Forms of the developers who are logged in to the portal, of one session.
    PortalForms,
    /// Account information.
    AccountInformation,
    /// Payments, except files.
    Payments,
    /// Files of payments, with their consents, orders and reports.
    Files,
    /// Confirmation of funds.
    FundsConfirmation,
    /// Variable recurring payments.
    VariableRecurringPayments,
    /// Events.
    Events,
    /// Requests whose token or client authentication is refused, whatever they are for.
    Failures,
}

impl RateGroup {
    /// All of them, in the order in which they are published.
    pub const ALL: [Self; 15] = [
        Self::Tokens,
        Self::PushedRequests,
        Self::AuthorisationRequests,
        Self::AuthorisationAddresses,
        Self::ProviderLogins,
        Self::LogoAddresses,
        Self::PageAddresses,
        Self::PortalForms,
        Self::AccountInformation,
        Self::Payments,
        Self::Files,
        Self::FundsConfirmation,
        Self::VariableRecurringPayments,
        Self::Events,
        Self::Failures,
    ];

    /// Whose calls are counted together.
    pub const fn counted_for(self) -> &'static str {
        match self {
            Self::AuthorisationAddresses | Self::ProviderLogins | Self::LogoAddresses | Self::PageAddresses => {
                "each network address"
            }
            Self::Failures => "each certificate",
            Self::PortalForms => "each session of a developer",
            Self::Tokens
            | Self::PushedRequests
            | Self::AuthorisationRequests
            | Self::AccountInformation
            | Self::Payments
            | Self::Files
            | Self::FundsConfirmation
            | Self::VariableRecurringPayments
            | Self::Events => "each application",
        }
    }

    /// What it is called when it is published.
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
            Self::Payments => "payments",
            Self::Files => "files of payments",
            Self::FundsConfirmation => "confirmation of funds",
            Self::VariableRecurringPayments => "variable recurring payments",
            Self::Events => "events",
            Self::Failures => "refused tokens and client authentications",
        }
    }
}

/// The methods the standard uses.
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
    /// The method's name.
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
    /// The client alone; a PSU and the consent that the request is about will do as well. Source: PIS-004.
    Either,
}

/// What is signed. Source: RW-200.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageSigning {
    /// Nothing.
    Nothing,
    /// The request.
    Request,
    /// The response.
    Response,
    /// Both.
    Both,
}

/// Whether a bank must offer an endpoint. Source: T1, the endpoint tables of the payment rules (PIS, table 1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conformance {
    /// It must.
    Mandatory,
    /// It must once it offers the POST of the same resource: "mandatory (if resource POST implemented)".
    WithPost,
    /// It must if its own channel offers the like.
    Conditional,
    /// It may.
    Optional,
}

impl Conformance {
    /// The need as references and pages name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mandatory => "mandatory",
            Self::WithPost => "mandatory with its POST",
            Self::Conditional => "conditional",
            Self::Optional => "optional",
        }
    }
}

/// What an answer can be written in. Source: RW-069, RW-072, AIS-156.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResponseMedia {
    /// JSON in UTF-8.
    Json,
    /// A page to print.
    Pdf,
    /// A table of values, in UTF-8.
    Csv,
    /// A message in XML.
    Xml,
    /// The same, under its older name.
    TextXml,
}

impl ResponseMedia {
    /// Type and subtype.
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

/// The version a path asks for. What names none, or none of ours, is answered as the oldest. Source: RW-006.
pub fn version_of(path: &str) -> Version {
    let segment = path.strip_prefix("/open-banking/").and_then(|rest| rest.split('/').next());
    segment.and_then(Version::from_segment).unwrap_or(Version::V3_1)
}

impl HttpMethod {
    /// The verb as axum filters by it.
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
