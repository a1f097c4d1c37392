//! The facts that the standard requires a bank to publish: optional features, limits, rates and periods. Source:
//! RW-252, RW-112, RW-270 to RW-278, AIS-156.

use super::frame::PortalFrame;
use super::paths::{json_of, page_of};
use askama::Template;
use lombard_api::catalogue::{ENDPOINTS, is_switched_off, list_operations};
use lombard_api::extract::{SUBMITTED_BYTES_MAX, rate_policy};
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::{EndpointGroup, RateGroup, RateOwner, ResponseMedia};
use lombard_edge::limits::RateLimit;
use lombard_openapi::{DOCUMENTS, PublishedApi};
use lombard_pages::frame::PageFrame;
use serde_json::Value;

#[derive(Debug, Template)]
#[template(path = "portal/developers.html")]
pub(crate) struct DevelopersPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: Option<PortalFrame>,
    /// The documents: the title, the page and the OpenAPI document of each.
    pub documents: Vec<(&'static str, String, String)>,
    pub discovery: String,
    pub groups: Vec<OfferedGroup>,
    /// The rate limits of client calls. Source: RW-112.
    pub rates: Vec<PublishedRate>,
    pub schemes: Vec<String>,
    pub files: Vec<String>,
    pub limits: PublishedLimits,
    pub events: PublishedPolling,
}

/// The rate limit of a group of endpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublishedRate {
    pub title: &'static str,
    /// The caller whose calls are counted together.
    pub counted_for: &'static str,
    /// The rate at all nodes together; `None` if there is none.
    pub rate: Option<RateLimit>,
    /// The number of nodes and the rate at each, if the rate is divided among several.
    pub divided: Option<(u32, RateLimit)>,
    /// The value of `RateLimit-Policy`; only responses of v4.0's endpoints have this header. Source: RW-061.
    pub policy: Option<String>,
}

/// The published limits of sizes in bytes and of times in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PublishedLimits {
    pub page_size: usize,
    /// The maximum size of a JSON submission. Source: RW-279.
    pub submitted_bytes_max: usize,
    pub body_bytes_max: usize,
    pub json_depth_max: usize,
    pub access_token_secs: i64,
    pub code_secs: i64,
    pub journey_secs: i64,
    /// The maximum number of concurrent requests of one client on each node.
    pub client_requests: usize,
    pub client_connections: usize,
    pub client_uploads: usize,
    pub client_downloads: usize,
    /// The maximum number of undecided consents of one client that were created within a day.
    pub open_consents: u32,
    /// The maximum number of files of one client that nobody has authorised.
    pub unused_files: u64,
    pub unused_file_bytes: u64,
    /// The maximum number of backchannel requests of one client for one customer.
    pub backchannel_requests: i64,
    /// The maximum number of funds confirmations under one consent per day; `None` without a limit.
    pub questions_per_day: Option<u32>,
    /// The number of seconds for which an idempotency key is known. Source: RW-183.
    pub idempotency_secs: i64,
}

impl PublishedLimits {
    /// The limits in force.
    pub(super) fn of(app: &App) -> Self {
        let edge = &app.settings;
        let auth = &app.auth.settings;
        let payments = &app.context.payments;
        Self {
            page_size: edge.page_size,
            submitted_bytes_max: edge.body_bytes_max.min(SUBMITTED_BYTES_MAX),
            body_bytes_max: edge.body_bytes_max,
            json_depth_max: edge.json_depth_max,
            access_token_secs: auth.access_token_secs,
            code_secs: auth.code_secs,
            journey_secs: auth.journey_idle_secs,
            client_requests: edge.client_requests_max,
            client_connections: edge.client_connections_max,
            client_uploads: edge.uploads.client_max,
            client_downloads: edge.downloads.client_max,
            open_consents: payments.consent_quota.max(),
            unused_files: payments.file_quota.files_max,
            unused_file_bytes: payments.file_quota.bytes_max,
            backchannel_requests: auth.backchannel_requests_max,
            questions_per_day: payments.funds_requests_per_day_max,
            idempotency_secs: payments.idempotency_window.as_secs(),
        }
    }
}

/// The published properties of event polling. Source: EVT-088.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PublishedPolling {
    pub events_max: u32,
    pub hold_secs: u64,
    pub held_per_client: usize,
    pub reports_max: Option<u32>,
    pub deliveries_max: Option<u32>,
    pub retention_days: Option<i64>,
    pub queue_max: Option<u32>,
}

impl PublishedPolling {
    /// The configured properties.
    pub(super) fn of(app: &App) -> Self {
        let settings = app.event_polling.settings();
        Self {
            events_max: settings.events_max,
            hold_secs: settings.hold_duration.as_secs(),
            held_per_client: settings.held_per_client_max,
            reports_max: settings.reports_max,
            deliveries_max: settings.deliveries_max,
            retention_days: settings.retention.retention.map(|kept| kept.as_hours() / 24),
            queue_max: settings.retention.queue_max,
        }
    }
}

/// A group of endpoints, and which of them are offered.
#[derive(Debug)]
pub(crate) struct OfferedGroup {
    pub title: &'static str,
    pub rows: Vec<EndpointRow>,
    /// The number of served endpoints.
    pub served: usize,
}

/// An endpoint.
#[derive(Debug)]
pub(crate) struct EndpointRow {
    pub verb: &'static str,
    pub path: &'static str,
    pub need: &'static str,
    pub state: OfferState,
}

/// Whether an endpoint is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OfferState {
    /// The endpoint is offered in these versions.
    Offered(String),
    /// The operator has switched the endpoint off.
    SwitchedOff,
    /// This server cannot offer the endpoint.
    NotOffered,
}

const GROUPS: [(EndpointGroup, &str); 5] = [
    (EndpointGroup::AccountInformation, "Account information"),
    (EndpointGroup::Payments, "Payments"),
    (EndpointGroup::FundsConfirmation, "Confirmation of funds"),
    (EndpointGroup::VariableRecurringPayments, "Variable recurring payments"),
    (EndpointGroup::Events, "Events"),
];

/// Builds the page about the offered endpoints under these settings.
pub(crate) fn page<'a>(
    (frame, portal): (PageFrame<'a>, Option<PortalFrame>),
    offer: &PublishedApi<'_>,
    limits: PublishedLimits,
    events: PublishedPolling,
) -> DevelopersPage<'a> {
    DevelopersPage {
        frame,
        portal,
        documents: DOCUMENTS.iter().map(|it| (it.title, page_of(it), json_of(it))).collect(),
        discovery: offer.discovery.clone(),
        groups: GROUPS.map(|(group, title)| offered(group, title, offer)).into(),
        rates: published_rates(offer),
        schemes: schemes(),
        files: files(offer),
        limits,
        events,
    }
}

/// The rate limit of each group of endpoints.
pub(super) fn published_rates(offer: &PublishedApi<'_>) -> Vec<PublishedRate> {
    RateGroup::ALL.map(|group| published_rate(group, offer)).into()
}

fn published_rate(group: RateGroup, offer: &PublishedApi<'_>) -> PublishedRate {
    let rate = offer.rates.get(&group).copied();
    let published = offer.published_rates.get(&group).copied();
    let divided =
        rate.filter(|_| offer.nodes > 1 && group.owner() == RateOwner::Application).map(|rate| (offer.nodes, rate));
    let is_told = ENDPOINTS
        .iter()
        .any(|row| row.rate_groups().any(|it| it == group) && row.versions().any(|it| it == Version::V4_0));
    let policy = rate.filter(|_| is_told).map(|rate| rate_policy(group, rate.burst, rate.window_secs()));
    PublishedRate { title: group.title(), counted_for: group.owner().title(), rate: published, divided, policy }
}

fn offered(group: EndpointGroup, title: &'static str, offer: &PublishedApi<'_>) -> OfferedGroup {
    let rows: Vec<_> = ENDPOINTS.iter().filter(|row| row.group == group).map(|row| row_of(row, offer)).collect();
    let served = rows.iter().filter(|row| matches!(row.state, OfferState::Offered(_))).count();
    OfferedGroup { title, rows, served }
}

fn row_of(endpoint: &'static ApiEndpoint, offer: &PublishedApi<'_>) -> EndpointRow {
    let versions: Vec<_> = endpoint.versions().map(Version::segment).collect();
    let state = match (endpoint.is_implemented(), is_switched_off(endpoint, offer.switched_off)) {
        (false, _) => OfferState::NotOffered,
        (true, true) => OfferState::SwitchedOff,
        (true, false) => OfferState::Offered(versions.join(", ")),
    };
    EndpointRow { verb: endpoint.method.name(), path: endpoint.path, need: endpoint.conformance.name(), state }
}

/// The schemes of account numbers, as in the description of accounts. Source: RW-257.
fn schemes() -> Vec<String> {
    const AT: &str = "/properties/Data/properties/Account/items/properties/Account/items/properties/SchemeName/enum";
    let accounts = list_operations().find(|operation| operation.endpoint.name == "GetAccounts");
    let schema = accounts.and_then(|accounts| accounts.contract()?.response_schema);
    let names = schema.as_ref().and_then(|schema| schema.pointer(AT)).and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The media types of statement files; empty if the files are not served. Source: AIS-156.
fn files(offer: &PublishedApi<'_>) -> Vec<String> {
    let row = offer.served(EndpointGroup::AccountInformation).find(|it| it.endpoint.path.ends_with("/file"));
    let name = |media: &ResponseMedia| {
        let (kind, sub) = media.name();
        format!("{kind}/{sub}")
    };
    row.map(|row| row.endpoint.response_media.iter().map(name).collect()).unwrap_or_default()
}

/// A duration such as `5 minutes` or `90 seconds`.
pub(super) fn duration(secs: &i64) -> String {
    let secs = *secs;
    let (count, unit) = match secs {
        _ if secs >= 3_600 && secs % 3_600 == 0 => (secs / 3_600, "hour"),
        _ if secs >= 60 && secs % 60 == 0 => (secs / 60, "minute"),
        _ => (secs, "second"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_said_in_the_largest_unit_that_fits() {
        for (secs, said) in
            [(1, "1 second"), (90, "90 seconds"), (300, "5 minutes"), (3_600, "1 hour"), (0, "0 seconds")]
        {
            assert_eq!(duration(&secs), said);
        }
    }

    #[test]
    fn rw_257_the_schemes_are_those_of_the_description() {
        assert!(schemes().contains(&"UK.OBIE.SortCodeAccountNumber".to_owned()));
    }
}
