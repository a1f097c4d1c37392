//! An endpoint of the standard as a row of data, and a row in one version.

pub mod contract;

use crate::App;
use crate::endpoint_facts::{
    Conformance, EndpointGroup, HttpMethod, MessageSigning, RateGroup, RequiredGrant, ResponseMedia,
};
use axum::routing::MethodRouter;
pub use contract::OperationContract;
use lombard_domain::consent::Permission;
use lombard_domain::grant::GrantSubject;
use lombard_domain::scope::Scope;
use lombard_domain::version::Version;
use lombard_service::accounts::DateFilter;
use std::fmt;

/// The start of the paths of payment files.
const FILES: &str = "/file-payment";

/// A version that serves a row, with the row's route, contract and permissions in this version.
#[derive(Debug, Clone, Copy)]
pub struct ServedVersion {
    /// The version.
    pub version: Version,
    /// The route of the row in this version.
    pub route: fn(&'static ApiEndpoint) -> MethodRouter<App>,
    /// The contract of the handler.
    pub contract: fn() -> Option<OperationContract>,
    /// The permissions that the response requires.
    pub opened_by: fn() -> &'static [&'static [Permission]],
}

/// A row of the catalogue: one method on one path.
#[derive(Clone, Copy)]
pub struct ApiEndpoint {
    /// The operation's name in the standard.
    pub name: &'static str,
    /// The group of the endpoint.
    pub group: EndpointGroup,
    /// The method.
    pub method: HttpMethod,
    /// The path under the group, with ids in braces.
    pub path: &'static str,
    /// The scopes, of which the token needs any one.
    pub scopes: &'static [Scope],
    /// The grant that the token must come from.
    pub grant: RequiredGrant,
    /// Whether `x-idempotency-key` is required.
    pub idempotent: bool,
    /// The messages that are signed.
    pub signed: MessageSigning,
    /// Whether a bank must offer the endpoint.
    pub conformance: Conformance,
    /// The media types of successful responses, the default first; errors are always JSON. Source: AIS-156.
    pub response_media: &'static [ResponseMedia],
    /// The versions that serve the endpoint; empty if it is not implemented.
    pub served: &'static [ServedVersion],
}

impl ApiEndpoint {
    /// Sets the media types of responses, the default first. Source: AIS-156.
    #[must_use]
    pub const fn with_response_media(self, offers: &'static [ResponseMedia]) -> Self {
        Self { response_media: offers, ..self }
    }

    /// Sets the versions that serve the row.
    #[must_use]
    pub const fn served(self, served: &'static [ServedVersion]) -> Self {
        Self { served, ..self }
    }

    /// Whether requests are signed. Source: RW-200.
    pub const fn signs_requests(&self) -> bool {
        matches!(self.signed, MessageSigning::Request | MessageSigning::Both)
    }

    /// Whether responses are signed. Source: RW-200.
    pub const fn signs_responses(&self) -> bool {
        matches!(self.signed, MessageSigning::Response | MessageSigning::Both)
    }

    /// The rate limit group of a call by a token with this subject.
    pub fn rate_group(&self, subject: &GrantSubject) -> RateGroup {
        let (of_customer, of_client) = self.rate_group_pair();
        match subject {
            GrantSubject::Client => of_client,
            GrantSubject::Psu { .. } => of_customer,
        }
    }

    /// The rate limit groups of calls that the endpoint accepts, by tokens of customers and of the client alone.
    pub fn rate_groups(&self) -> impl Iterator<Item = RateGroup> {
        let (of_customer, of_client) = self.rate_group_pair();
        let (by_customer, by_client) = match self.grant {
            RequiredGrant::Psu => (Some(of_customer), None),
            RequiredGrant::Client => (None, Some(of_client)),
            RequiredGrant::Either => (Some(of_customer), Some(of_client)),
        };
        by_customer.into_iter().chain(by_client)
    }

    fn rate_group_pair(&self) -> (RateGroup, RateGroup) {
        match self.group {
            EndpointGroup::AccountInformation => (RateGroup::AccountInformation, RateGroup::AccountInformationOfClient),
            EndpointGroup::Payments if self.path.starts_with(FILES) => (RateGroup::Files, RateGroup::FilesOfClient),
            EndpointGroup::Payments => (RateGroup::Payments, RateGroup::PaymentsOfClient),
            EndpointGroup::FundsConfirmation => (RateGroup::FundsConfirmation, RateGroup::FundsConfirmationOfClient),
            EndpointGroup::VariableRecurringPayments => {
                (RateGroup::VariableRecurringPayments, RateGroup::VariableRecurringPaymentsOfClient)
            }
            EndpointGroup::Events => (RateGroup::Events, RateGroup::Events),
        }
    }

    /// Whether the endpoint is implemented in any version.
    pub const fn is_implemented(&self) -> bool {
        !self.served.is_empty()
    }

    /// The versions that serve the endpoint, the oldest first.
    pub fn versions(&self) -> impl Iterator<Item = Version> {
        self.served.iter().map(|served| served.version)
    }

    /// Whether an operator may switch the endpoint off, alone or together with its POST. Source: AIS-001.
    pub const fn may_be_switched_off(&self) -> bool {
        !matches!(self.conformance, Conformance::Mandatory)
    }

    /// The whole path in a version, with ids in braces.
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
    /// The row of the catalogue.
    pub endpoint: &'static ApiEndpoint,
    /// The version.
    pub version: Version,
    /// The route of the operation.
    pub route: fn(&'static ApiEndpoint) -> MethodRouter<App>,
    /// The contract of the handler.
    pub contract: fn() -> Option<OperationContract>,
    /// The permissions that the response requires.
    pub opened_by: fn() -> &'static [&'static [Permission]],
}

impl Operation {
    /// Groups of permissions, as the contract has them too; the consent must hold at least one permission of each. Source: T6.
    pub fn opened_by(&self) -> &'static [&'static [Permission]] {
        (self.opened_by)()
    }

    /// The contract of request and response; `None` if the handler declares none.
    pub fn contract(&self) -> Option<OperationContract> {
        let contract = (self.contract)()?;
        // The entries of a statement have no date filter, because a statement is itself a period (AIS-147).
        let within_statement = self.endpoint.path.contains("{StatementId}");
        Some(OperationContract {
            filter: if within_statement { DateFilter::None } else { contract.filter },
            ..contract
        })
    }

    /// The whole path, with ids in braces.
    pub fn path(&self) -> String {
        self.endpoint.full_path(self.version)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.endpoint.method.name(), self.path())
    }
}
