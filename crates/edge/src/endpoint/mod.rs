//! An endpoint of the standard as a row of data, and a row in one version.

pub mod contract;

use crate::App;
use crate::endpoint_facts::{
    Conformance, EndpointGroup, HttpMethod, MessageSigning, RateGroup, RequiredGrant, ResponseMedia,
};
use axum::routing::MethodRouter;
pub use contract::OperationContract;
use lombard_domain::consent::Permission;
use lombard_domain::scope::Scope;
use lombard_domain::version::Version;
use lombard_service::accounts::DateFilter;
use std::fmt;

/// How the paths of files of payments begin.
const FILES: &str = "/file-payment";

/// A version that serves a row, and what makes the row's route there.
#[derive(Debug, Clone, Copy)]
pub struct ServedVersion {
    /// The version.
    pub version: Version,
    /// The route of the row there.
    pub route: fn(&'static ApiEndpoint) -> MethodRouter<App>,
    /// The contract of its handler.
    pub contract: fn() -> Option<OperationContract>,
    /// The permissions that open its answer.
    pub opened_by: fn() -> &'static [&'static [Permission]],
}

/// A row: one method on one path.
#[derive(Clone, Copy)]
pub struct ApiEndpoint {
    /// The operation's name in the standard.
    pub name: &'static str,
    /// The group it belongs to.
    pub group: EndpointGroup,
    /// The method.
    pub method: HttpMethod,
    /// The path under the group, ids in braces.
    pub path: &'static str,
    /// Any one of these scopes opens it.
    pub scopes: &'static [Scope],
    /// On what the token must stand.
    pub grant: RequiredGrant,
    /// Whether `x-idempotency-key` is required.
    pub idempotent: bool,
    /// What is signed.
    pub signed: MessageSigning,
    /// Whether it must be offered.
    pub conformance: Conformance,
    /// What its good answers can be written in, the default first; errors are always JSON. Source: AIS-156.
    pub offers: &'static [ResponseMedia],
    /// The versions that serve it; empty if it is not built.
    pub served: &'static [ServedVersion],
}

impl ApiEndpoint {
    /// The row with answers in these media types, the default first. Source: AIS-156.
    #[must_use]
    pub const fn offering(self, offers: &'static [ResponseMedia]) -> Self {
        Self { offers, ..self }
    }

    /// The row, served in these versions.
    #[must_use]
    pub const fn served(self, served: &'static [ServedVersion]) -> Self {
        Self { served, ..self }
    }

    /// Whether its requests are signed. Source: RW-200.
    pub const fn signs_requests(&self) -> bool {
        matches!(self.signed, MessageSigning::Request | MessageSigning::Both)
    }

    /// Whether its answers are signed. Source: RW-200.
    pub const fn signs_responses(&self) -> bool {
        matches!(self.signed, MessageSigning::Response | MessageSigning::Both)
    }

    /// What it is limited with.
    pub fn rate_group(&self) -> RateGroup {
        match self.group {
            EndpointGroup::AccountInformation => RateGroup::AccountInformation,
            EndpointGroup::Payments if self.path.starts_with(FILES) => RateGroup::Files,
            EndpointGroup::Payments => RateGroup::Payments,
            EndpointGroup::FundsConfirmation => RateGroup::FundsConfirmation,
            EndpointGroup::VariableRecurringPayments => RateGroup::VariableRecurringPayments,
            EndpointGroup::Events => RateGroup::Events,
        }
    }

    /// Whether it is built, in any version.
    pub const fn is_implemented(&self) -> bool {
        !self.served.is_empty()
    }

    /// The versions it is served in, the oldest first.
    pub fn versions(&self) -> impl Iterator<Item = Version> {
        self.served.iter().map(|served| served.version)
    }

    /// Whether an operator may switch it off, alone or together with its POST. Source: AIS-001.
    pub const fn may_be_switched_off(&self) -> bool {
        !matches!(self.conformance, Conformance::Mandatory)
    }

    /// The whole path in a version, ids in braces.
    pub fn full_path(&self, version: Version) -> String {
        format!("/open-banking/{}{}{}", version.segment(), self.group.segment(), self.path)
    }
}

impl fmt::Debug for ApiEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}{}", self.name, self.method.name(), self.group.segment(), self.path)
    }
}

/// A row in one of the versions that serve it.
#[derive(Clone, Copy)]
pub struct Operation {
    /// The row.
    pub endpoint: &'static ApiEndpoint,
    /// The version.
    pub version: Version,
    /// Its route.
    pub route: fn(&'static ApiEndpoint) -> MethodRouter<App>,
    /// The contract of its handler.
    pub contract: fn() -> Option<OperationContract>,
    /// The permissions that open its answer.
    pub opened_by: fn() -> &'static [&'static [Permission]],
}

impl Operation {
    /// Of each of these groups a consent must hold at least one permission, as its contract says too. Source: T6.
    pub fn opened_by(&self) -> &'static [&'static [Permission]] {
        (self.opened_by)()
    }

    /// The contract of its request and response; `None` if its handler declares none.
    pub fn contract(&self) -> Option<OperationContract> {
        let contract = (self.contract)()?;
        // Never by date within a statement, which is a period itself (AIS-147).
        let within_statement = self.endpoint.path.contains("{StatementId}");
        Some(OperationContract {
            filter: if within_statement { DateFilter::None } else { contract.filter },
            ..contract
        })
    }

    /// The whole path, ids in braces.
    pub fn path(&self) -> String {
        self.endpoint.full_path(self.version)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.endpoint.method.name(), self.path())
    }
}
