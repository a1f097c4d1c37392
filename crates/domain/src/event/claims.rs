//! The claims of an event. Its addresses are absolute and fixed when the event is raised.

use super::{AccountReason, ChangeKind, EventResource, EventType, ResourceChange, ResourceType};
use crate::stored::stored_as_pairs;
use crate::version::Version;
use serde::{Deserialize, Serialize};

/// The claims of an event without its id, audience and times. They never change, so a SET that is signed again carries
/// the same claims (EVT-042).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventClaims {
    /// The `iss`: the authorisation server's issuer. Source: SET-011.
    pub issuer: String,
    /// The `sub`: the address of the affected resource, in the version in which it was created. Source: SET-015.
    pub about: String,
    /// The `rid`. Source: SET-022, SET-032.
    pub resource_id: String,
    /// The `rty`. Source: SET-023.
    pub resource_type: String,
    /// The `rlk`, at least one: an address for each version in which the resource can be read. Source: SET-024.
    pub links: Vec<VersionedLink>,
    /// The event types, at least one, all about this one resource. Source: SET-017.
    pub types: Vec<EventType>,
    /// Why an account changed. Source: SET-040.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<AccountReason>,
}

/// The address of a resource in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionedLink {
    /// The version.
    pub version: Version,
    /// An absolute address.
    pub address: String,
}

stored_as_pairs! { VersionedLink(version, address); }

/// The base address of this bank's resources, and the names used for them in events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceAddresses {
    /// The authorisation server's issuer.
    pub issuer: String,
    /// The prefix of every address of the API, `https://host/open-banking`, without a trailing slash.
    pub base_url: String,
    /// The kinds of resource that can be read in each version, oldest version first.
    pub readable: Vec<(ResourceType, Version)>,
    /// The `rty` of linked-account updates, for which the standard's documents print two values. Source: SET-032.
    pub linked_account_type: String,
}

/// The `rty` that the standard's documents print for the revocation of account access. Source: table 2.4.
const REVOKED_ACCOUNT_ACCESS: &str = "account-access-consents";

impl ResourceAddresses {
    /// Addresses with this base; no kind of resource is marked readable yet.
    pub fn new(issuer: impl Into<String>, base: impl Into<String>) -> Self {
        let linked_account_type = ResourceType::AccountAccessConsent.name().to_owned();
        Self { issuer: issuer.into(), base_url: base.into(), readable: Vec::new(), linked_account_type }
    }

    /// The claims of the event that a change raises; `None` if it raises none.
    pub fn claims(&self, change: &ResourceChange) -> Option<EventClaims> {
        let resource = &change.resource;
        let types = resource.events_for(&change.kind);
        if types.is_empty() {
            return None;
        }
        let about = self.address(resource.version, resource.kind, &resource.id);
        let (kind, id) = match &change.kind {
            ChangeKind::AccountChanged { account, .. } => (ResourceType::Account, account.as_str()),
            ChangeKind::Authorised
            | ChangeKind::Rejected
            | ChangeKind::Revoked
            | ChangeKind::Expired
            | ChangeKind::Reauthenticated
            | ChangeKind::DebtorAccountUnusable { .. }
            | ChangeKind::StatusChanged
            | ChangeKind::ReportReady => (resource.kind, &*resource.id),
        };
        Some(EventClaims {
            issuer: self.issuer.clone(),
            about,
            resource_id: id.to_owned(),
            resource_type: self.type_name(resource, types).to_owned(),
            links: self.links(resource.version, kind, id),
            types: types.to_vec(),
            reason: change.kind.reason(),
        })
    }

    fn address(&self, version: Version, kind: ResourceType, id: &str) -> String {
        format!("{}/{}{}/{id}", self.base_url, version.segment(), kind.path())
    }

    /// A link for each version in which the resource can be read; an older version never shows a newer resource. If no
    /// version serves the GET, the link is in the version in which the resource was created. Source: SET-024.
    fn links(&self, made_in: Version, kind: ResourceType, id: &str) -> Vec<VersionedLink> {
        let reads = |version: Version| {
            if kind.stays_in_its_version() { version == made_in } else { version >= made_in }
        };
        let readable = self.readable.iter().filter(|(readable, version)| *readable == kind && reads(*version));
        let mut versions: Vec<Version> = readable.map(|(_, version)| *version).collect();
        if versions.is_empty() {
            versions.push(made_in);
        }
        versions
            .into_iter()
            .map(|version| VersionedLink { version, address: self.address(version, kind, id) })
            .collect()
    }

    fn type_name(&self, resource: &EventResource, types: &[EventType]) -> &str {
        let revoked = types.contains(&EventType::ConsentAuthorizationRevoked);
        if types.contains(&EventType::LinkedAccountUpdate) {
            &self.linked_account_type
        } else if revoked && resource.kind == ResourceType::AccountAccessConsent {
            REVOKED_ACCOUNT_ACCESS
        } else {
            resource.kind.name()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> ResourceAddresses {
        let readable = [ResourceType::AccountAccessConsent, ResourceType::Account]
            .into_iter()
            .flat_map(|kind| [(kind, Version::V3_1), (kind, Version::V4_0)]);
        ResourceAddresses {
            issuer: "https://as.bank.example".into(),
            base_url: "https://api.bank.example/open-banking".into(),
            readable: readable.collect(),
            linked_account_type: "account-access-consent".into(),
        }
    }

    fn claims(version: Version, change: ChangeKind) -> Option<EventClaims> {
        let resource = EventResource { kind: ResourceType::AccountAccessConsent, id: "aac-1".into(), version };
        places().claims(&ResourceChange { client: "t".into(), resource, kind: change, interaction_id: None })
    }

    fn links(claims: &EventClaims) -> Vec<&str> {
        claims.links.iter().map(|link| link.address.as_str()).collect()
    }

    #[test]
    fn set_024_links_name_every_version_that_shows_the_resource() {
        let old = claims(Version::V3_1, ChangeKind::Authorised).unwrap();
        let consents =
            |version| format!("https://api.bank.example/open-banking/{version}/aisp/account-access-consents/aac-1");
        assert_eq!(old.about, consents("v3.1"));
        assert_eq!(links(&old), [consents("v3.1"), consents("v4.0")]);
        let new = claims(Version::V4_0, ChangeKind::Authorised).unwrap();
        assert_eq!((new.about.clone(), links(&new)), (consents("v4.0"), vec![consents("v4.0").as_str()]));
    }

    #[test]
    fn set_024_links_are_never_empty() {
        let none_readable = ResourceAddresses { readable: Vec::new(), ..places() };
        let changes = ResourceType::ALL.iter().flat_map(|kind| {
            [Version::V3_1, Version::V4_0].into_iter().flat_map(|version| {
                [ChangeKind::Authorised, ChangeKind::StatusChanged].map(|change| ResourceChange {
                    client: "t".into(),
                    resource: EventResource { kind: *kind, id: "r-1".into(), version },
                    kind: change,
                    interaction_id: None,
                })
            })
        });
        let told: Vec<_> = changes.filter_map(|it| Some((it.resource.version, none_readable.claims(&it)?))).collect();
        assert_eq!(told.len(), 2 * (ResourceType::ALL.len() - 1), "every kind but the account");
        for (version, claims) in told {
            assert_eq!(claims.links, [VersionedLink { version, address: claims.about.clone() }]);
        }
        let account = ChangeKind::AccountChanged { account: "a-7".into(), reason: None };
        let resource =
            EventResource { kind: ResourceType::AccountAccessConsent, id: "aac-1".into(), version: Version::V4_0 };
        let told =
            none_readable.claims(&ResourceChange { client: "t".into(), resource, kind: account, interaction_id: None });
        assert_eq!(links(&told.unwrap()), ["https://api.bank.example/open-banking/v4.0/aisp/accounts/a-7"]);
    }

    #[test]
    fn set_023_the_type_follows_the_printed_value() {
        let name = |change| claims(Version::V3_1, change).unwrap().resource_type;
        assert_eq!(name(ChangeKind::Rejected), "account-access-consent");
        assert_eq!(name(ChangeKind::Revoked), "account-access-consents");
    }

    #[test]
    fn set_032_a_linked_account_update_is_about_the_consent_with_account_link() {
        let change = ChangeKind::AccountChanged { account: "a-7".into(), reason: Some(AccountReason::Closure) };
        let told = claims(Version::V3_1, change).unwrap();
        assert!(told.about.ends_with("/v3.1/aisp/account-access-consents/aac-1"));
        assert_eq!((told.resource_id.as_str(), told.resource_type.as_str()), ("a-7", "account-access-consent"));
        assert!(told.links.iter().all(|link| link.address.ends_with("/aisp/accounts/a-7")));
        assert_eq!((told.links.len(), told.reason), (2, Some(AccountReason::Closure)));
    }

    #[test]
    fn changes_without_an_event_have_no_claims() {
        assert_eq!(claims(Version::V3_1, ChangeKind::Expired), None);
        assert_eq!(claims(Version::V3_1, ChangeKind::StatusChanged), None);
    }
}
