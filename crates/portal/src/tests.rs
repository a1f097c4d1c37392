use super::developers::{OfferState, PublishedLimits, PublishedPolling};
use super::reference::ReferencePage;
use super::{developers, oauth_reference, reference};
use askama::Template;
use lombard_domain::version::Version;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::limits::RateLimit;
use lombard_openapi::{ApiDocument, DOCUMENTS, DocumentSubject, PublishedApi};
use lombard_pages::frame::PageFrame;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Rate limits: account information is limited, events are not.
static RATES: LazyLock<HashMap<RateGroup, RateLimit>> =
    LazyLock::new(|| HashMap::from([(RateGroup::AccountInformation, RateLimit { per_second: 5, burst: 20 })]));
static NO_VERSIONS: LazyLock<HashSet<Version>> = LazyLock::new(HashSet::new);

const NASTY: &str = "Bank & <script>alert('x')</script>";

fn offer(switched_off: &HashSet<String>) -> PublishedApi<'_> {
    PublishedApi {
        bank_name: NASTY,
        switched_off,
        retired_versions: LazyLock::force(&NO_VERSIONS),
        rates: LazyLock::force(&RATES),
        published_rates: LazyLock::force(&RATES),
        nodes: 1,
        mtls_url: "https://localhost:8444",
        public_url: "https://localhost:8443",
        registers_clients: true,
        authorization: "https://localhost:8443/authorize".into(),
        token: "https://localhost:8444/token".into(),
        discovery: "https://localhost:8443/.well-known/openid-configuration".into(),
    }
}

fn off(names: &[&str]) -> HashSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

const LIMITS: PublishedLimits = PublishedLimits {
    page_size: 77,
    submitted_bytes_max: 65_432,
    body_bytes_max: 123_456,
    json_depth_max: 19,
    access_token_secs: 300,
    code_secs: 60,
    journey_secs: 600,
    client_requests: 1_234,
    client_connections: 2_345,
    client_uploads: 3_456,
    client_downloads: 4_567,
    open_consents: 7_654,
    unused_files: 88,
    unused_file_bytes: 99_999,
    backchannel_requests: 5_678,
    questions_per_day: Some(66),
    idempotency_secs: 86_400,
};

const POLLING: PublishedPolling = PublishedPolling {
    events_max: 88,
    hold_secs: 10,
    held_per_client: 4,
    reports_max: None,
    deliveries_max: None,
    retention_days: None,
    queue_max: None,
};

fn developers_html(names: &[&str]) -> String {
    polling_html(names, POLLING)
}

fn polling_html(names: &[&str], polling: PublishedPolling) -> String {
    developers::page((PageFrame { bank_name: NASTY, sandbox: true }, None), &offer(&off(names)), LIMITS, polling)
        .render()
        .unwrap()
}

#[test]
fn evt_088_how_events_are_offered_is_published() {
    let plain = developers_html(&[]);
    for said in ["88 in one answer", "10 seconds", "Until it is acknowledged, however long", "resource-update"] {
        assert!(plain.contains(said), "{said}: {plain}");
    }
    let limited = PublishedPolling {
        hold_secs: 0,
        reports_max: Some(3),
        deliveries_max: Some(9),
        retention_days: Some(90),
        queue_max: Some(5_000),
        ..POLLING
    };
    let limited = polling_html(&[], limited);
    for said in ["3 times", "9 times", "90 days", "5000", "never held"] {
        assert!(limited.contains(said), "{said}: {limited}");
    }
    assert!(!limited.contains("Until it is acknowledged, however long"));
}

fn reference_of(document: &ApiDocument, names: &[&str]) -> String {
    let off = off(names);
    let frame = PageFrame { bank_name: NASTY, sandbox: true };
    let content = match document.subject {
        DocumentSubject::Catalogue(group) => reference::content(true, &offer(&off), document, group),
        DocumentSubject::OAuth(part) => oauth_reference::content(true, &offer(&off), document, part),
    };
    ReferencePage::new(frame, None, document, &content.render().unwrap()).render().unwrap()
}

fn reference_html(names: &[&str]) -> String {
    reference_of(&DOCUMENTS[0], names)
}

#[test]
fn as_140_the_pages_have_no_script_and_escape_what_they_are_given() {
    for html in DOCUMENTS.iter().map(|document| reference_of(document, &[])).chain([developers_html(&[])]) {
        assert!(!html.contains("<script") && !html.contains(" style=") && !html.contains("alert('x')"), "{html}");
        assert_eq!((html.matches("<h1>").count(), html.matches("<main").count()), (1, 1));
    }
}

#[test]
fn rw_252_the_limits_are_those_in_force() {
    let html = developers_html(&[]);
    for expected in [
        "77 records",
        "65432 bytes of JSON submissions, 123456 bytes of other bodies, nested 19 deep",
        "5 a second",
        "20 at once",
        "5 minutes",
        "1 minute, once",
        "10 minutes between",
        "1234 of each client certificate on each node",
        "2345 of each client certificate on each node",
        "3456 uploads and 4567 downloads",
        "7654 consents that no customer has decided on",
        "88 files and 99999 bytes",
        "66 a day",
    ] {
        assert!(html.contains(expected), "{expected}");
    }
}

#[test]
fn rw_061_the_policy_of_each_rate_is_published_as_its_header_says_it() {
    let html = developers_html(&[]);
    let policy = "RateLimit-Policy: &#34;account information&#34;;q=20;w=4";
    assert!(html.contains(policy), "{html}");
    assert_eq!(html.matches("RateLimit-Policy").count(), 1, "groups without a rate have no policy");
}

#[test]
fn ais_001_disabled_endpoints_are_marked_and_left_out_of_the_operations() {
    let name = "GetAccountsAccountIdStatementsStatementIdFile";
    let path = "/accounts/{AccountId}/statements/{StatementId}/file";
    let all = developers_html(&[]);
    let some = developers_html(&[name, "GetAccounts"]);
    assert!(!all.contains("switched off</td>") && all.contains("application/pdf"));
    assert_eq!(some.matches("switched off</td>").count(), 1, "mandatory endpoints stay");
    assert!(some.contains(path) && some.contains("Not offered") && !some.contains("application/pdf"), "AIS-156");
    assert!(reference_html(&[]).contains(path) && !reference_html(&[name]).contains(path));
}

#[test]
fn rw_252_every_endpoint_of_the_standard_is_listed_with_its_state() {
    let off = off(&[]);
    let page = developers::page((PageFrame { bank_name: NASTY, sandbox: true }, None), &offer(&off), LIMITS, POLLING);
    let rows = page.groups.iter().flat_map(|group| &group.rows);
    assert_eq!(rows.clone().count(), lombard_api::catalogue::ENDPOINTS.len());
    let served = rows.filter(|row| matches!(row.state, OfferState::Offered(_))).count();
    assert_eq!(served, lombard_api::catalogue::ENDPOINTS.iter().filter(|row| row.is_implemented()).count());
}

#[test]
fn rw_252_operations_of_payments_say_what_their_requests_must_carry() {
    let html = reference_of(&DOCUMENTS[1], &[]);
    for expected in
        ["/domestic-payments", "Data.Initiation.InstructedAmount.Amount", "x-idempotency-key", "x-jws-signature"]
    {
        assert!(html.contains(expected), "{expected}");
    }
    assert!(!html.contains("/account-access-consents"));
}

#[test]
fn rw_252_authorisation_server_operations_are_shown_without_try_out() {
    let [.., authorisation, registration] = &DOCUMENTS;
    let told = [
        (authorisation, "/bc-authorize", "request.claims.id_token.openbanking_intent_id.value"),
        (authorisation, "/introspect", "cnf.x5t#S256"),
        (registration, "/register/{ClientId}", "token_endpoint_auth_method"),
    ];
    for (document, path, member) in told {
        let html = reference_of(document, &[]);
        assert!(html.contains(path) && html.contains(member), "{path}, {member}: {html}");
        assert!(!html.contains("/portal/try/") && !html.contains("x-idempotency-key"), "{path}");
    }
    assert!(reference_html(&[]).contains("/portal/try/GetAccounts"));
}
