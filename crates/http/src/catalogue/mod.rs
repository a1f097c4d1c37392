//! The endpoints of the standard, as data: all of them, built or not. Routes are made from it; tests walk it.
//!
//! A row names the versions it is served in, with one handler for all of them; it is built when there is at least one.
//! There is no second list. A row in one version is an [`Operation`]. Source: tables T1 and T6, and the endpoint tables
//! of the payment and VRP rules.

pub(crate) mod contract;
pub(crate) mod offered;
mod routes;
mod switched_off;
mod table;
#[cfg(test)]
mod tests;

pub use contract::Contract;
pub(crate) use routes::router;
pub use switched_off::validate_switched_off;
pub use table::ENDPOINTS;

use crate::App;
use axum::routing::MethodRouter;
use lombard_domain::scope::Scope;
use lombard_domain::version::Version;
use lombard_service::accounts::Filter;
use std::collections::HashSet;
use std::fmt;

/// A group of endpoints; each has a path of its own. Source: RW-003, RW-004.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
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

impl Group {
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
    pub const ALL: [Self; 11] = [
        Self::Tokens,
        Self::PushedRequests,
        Self::AuthorisationRequests,
        Self::AuthorisationAddresses,
        Self::AccountInformation,
        Self::Payments,
        Self::Files,
        Self::FundsConfirmation,
        Self::VariableRecurringPayments,
        Self::Events,
        Self::Failures,
    ];

    /// What it is called when it is published.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::PushedRequests => "pushed authorisation requests",
            Self::AuthorisationRequests => "authorisation requests in browsers",
            Self::AuthorisationAddresses => "authorisation requests from one network address",
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
pub enum Verb {
    /// GET.
    Get,
    /// POST.
    Post,
    /// DELETE.
    Delete,
}

impl Verb {
    /// The method's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
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
pub enum Signed {
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
pub enum Need {
    /// It must.
    Mandatory,
    /// It must once it offers the POST of the same resource: "mandatory (if resource POST implemented)".
    WithPost,
    /// It must if its own channel offers the like.
    Conditional,
    /// It may.
    Optional,
}

impl Need {
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

/// How the paths of files of payments begin.
const FILES: &str = "/file-payment";

/// What an answer can be written in. Source: RW-069, RW-072, AIS-156.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Media {
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

impl Media {
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

/// A version that serves a row, and what makes the row's route there.
#[derive(Clone, Copy)]
struct Served {
    version: Version,
    route: fn(&'static Endpoint) -> MethodRouter<App>,
    contract: fn() -> Option<Contract>,
}

/// A row: one method on one path.
#[derive(Clone, Copy)]
pub struct Endpoint {
    /// The operation's name in the standard.
    pub name: &'static str,
    /// The group it belongs to.
    pub group: Group,
    /// The method.
    pub verb: Verb,
    /// The path under the group, ids in braces.
    pub path: &'static str,
    /// Any one of these scopes opens it.
    pub scopes: &'static [Scope],
    /// On what the token must stand.
    pub grant: RequiredGrant,
    /// Whether `x-idempotency-key` is required.
    pub idempotent: bool,
    /// What is signed.
    pub signed: Signed,
    /// Whether it must be offered.
    pub need: Need,
    /// What its good answers can be written in, the default first; errors are always JSON. Source: AIS-156.
    pub offers: &'static [Media],
    served: &'static [Served],
}

impl Endpoint {
    /// Whether its requests are signed. Source: RW-200.
    pub const fn signs_requests(&self) -> bool {
        matches!(self.signed, Signed::Request | Signed::Both)
    }

    /// What it is limited with.
    pub fn rate_group(&self) -> RateGroup {
        match self.group {
            Group::AccountInformation => RateGroup::AccountInformation,
            Group::Payments if self.path.starts_with(FILES) => RateGroup::Files,
            Group::Payments => RateGroup::Payments,
            Group::FundsConfirmation => RateGroup::FundsConfirmation,
            Group::VariableRecurringPayments => RateGroup::VariableRecurringPayments,
            Group::Events => RateGroup::Events,
        }
    }

    /// Whether it is built, in any version.
    pub const fn built(&self) -> bool {
        !self.served.is_empty()
    }

    /// The versions it is served in, the oldest first.
    pub fn versions(&self) -> impl Iterator<Item = Version> {
        self.served.iter().map(|served| served.version)
    }

    /// Whether an operator may switch it off, alone or together with its POST. Source: AIS-001.
    pub const fn may_be_switched_off(&self) -> bool {
        !matches!(self.need, Need::Mandatory)
    }

    /// The POST that makes the resource which this row reads: the one on the path up to its first id.
    pub fn creating_post(&self) -> Option<&'static Endpoint> {
        let (collection, _) = self.path.split_once("/{")?;
        ENDPOINTS.iter().find(|row| row.group == self.group && row.verb == Verb::Post && row.path == collection)
    }

    /// Whether an operator has switched it off. What is mandatory stays, whatever the names say.
    pub fn is_off(&self, switched_off: &HashSet<String>) -> bool {
        let may_be_off = match self.need {
            Need::Mandatory => false,
            Need::WithPost => self.creating_post().is_none_or(|post| post.is_off(switched_off)),
            Need::Conditional | Need::Optional => true,
        };
        may_be_off && switched_off.contains(self.name)
    }

    /// The whole path in a version, ids in braces.
    pub fn full_path(&self, version: Version) -> String {
        format!("/open-banking/{}{}{}", version.segment(), self.group.segment(), self.path)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}{}", self.name, self.verb.name(), self.group.segment(), self.path)
    }
}

/// A row in one of the versions that serve it.
#[derive(Clone, Copy)]
pub struct Operation {
    /// The row.
    pub endpoint: &'static Endpoint,
    /// The version.
    pub version: Version,
    route: fn(&'static Endpoint) -> MethodRouter<App>,
    contract: fn() -> Option<Contract>,
}

impl Operation {
    /// What it asks and answers; none if its handler does not say.
    pub fn contract(&self) -> Option<Contract> {
        let contract = (self.contract)()?;
        // Never by date within a statement, which is a period itself (AIS-147).
        let within_statement = self.endpoint.path.contains("{StatementId}");
        Some(Contract { filter: if within_statement { Filter::None } else { contract.filter }, ..contract })
    }

    /// Whether an operator has switched it off.
    pub fn is_off(&self, switched_off: &HashSet<String>) -> bool {
        self.endpoint.is_off(switched_off)
    }

    /// The whole path, ids in braces.
    pub fn path(&self) -> String {
        self.endpoint.full_path(self.version)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.endpoint.verb.name(), self.path())
    }
}

/// Everything that is built: each row in each version that serves it.
pub fn operations() -> impl Iterator<Item = Operation> {
    ENDPOINTS.iter().flat_map(|endpoint| {
        endpoint.served.iter().map(move |&Served { version, route, contract }| Operation {
            endpoint,
            version,
            route,
            contract,
        })
    })
}

/// The version a path asks for. What names none, or none of ours, is answered as the oldest. Source: RW-006.
pub(crate) fn version_of(path: &str) -> Version {
    let segment = path.strip_prefix("/open-banking/").and_then(|rest| rest.split('/').next());
    segment.and_then(Version::from_segment).unwrap_or(Version::V3_1)
}

/// The row with this name, as configuration names it.
pub fn endpoint(name: &str) -> Option<&'static Endpoint> {
    ENDPOINTS.iter().find(|endpoint| endpoint.name == name)
}
