//! The API as a deployment offers it. Every document, and every page with the same facts, is made from this type.

use lombard_api::catalogue::{is_switched_off, list_operations};
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::endpoint::Operation;
use lombard_edge::endpoint_facts::{EndpointGroup, RateGroup};
use lombard_edge::limits::RateLimit;
use std::collections::{HashMap, HashSet};

/// The endpoints, versions, limits and addresses of a deployment.
#[derive(Debug, Clone)]
pub struct PublishedApi<'a> {
    /// The bank's name.
    pub bank_name: &'a str,
    /// Names of endpoints that are switched off. Source: AIS-001.
    pub switched_off: &'a HashSet<String>,
    /// Versions that are no longer served. Source: RW-010.
    pub retired_versions: &'a HashSet<Version>,
    /// The rate limits of a client at one node, by group; a group without an entry has no limit. Source: RW-112.
    pub rates: &'a HashMap<RateGroup, RateLimit>,
    /// The same at all nodes together.
    pub published_rates: &'a HashMap<RateGroup, RateLimit>,
    /// The number of nodes.
    pub nodes: u32,
    /// The base URL of the API, without a trailing slash.
    pub mtls_url: &'a str,
    /// The base URL of the listener without client certificates, without a trailing slash.
    pub public_url: &'a str,
    /// Whether clients can register. Source: DCR-001.
    pub registers_clients: bool,
    /// The URL of the authorisation endpoint.
    pub authorization: String,
    /// The URL of the token endpoint.
    pub token: String,
    /// The URL of the discovery document.
    pub discovery: String,
}

impl<'a> PublishedApi<'a> {
    /// The API that this server offers.
    pub fn of(app: &'a App) -> Self {
        let url = |endpoint: OAuthEndpoint| endpoint.url(&app.auth.settings);
        Self {
            bank_name: &app.settings.bank_name,
            switched_off: &app.settings.switched_off,
            retired_versions: &app.settings.retired_versions,
            rates: &app.settings.rates,
            published_rates: &app.settings.published_rates,
            nodes: app.settings.nodes,
            mtls_url: &app.settings.mtls_url,
            public_url: &app.settings.public_url,
            registers_clients: app.auth.settings.registration.is_some(),
            authorization: url(OAuthEndpoint::Authorization),
            token: url(OAuthEndpoint::Token),
            discovery: url(OAuthEndpoint::Discovery),
        }
    }

    /// The operations of a group that are served, in the order of the catalogue.
    pub fn served(&self, group: EndpointGroup) -> impl Iterator<Item = Operation> {
        let is_served = |it: &Operation| {
            !is_switched_off(it.endpoint, self.switched_off) && !self.retired_versions.contains(&it.version)
        };
        list_operations().filter(move |it| it.endpoint.group == group && is_served(it))
    }
}
