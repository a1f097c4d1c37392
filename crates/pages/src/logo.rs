//! `/logos/{client}`: the logo of an application, or an image of its initial letter.

use super::parties::{LOGOS, RequestingParty};
use super::problem;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, StatusCode};
use lombard_auth::software_statement::read_logo_uri;
use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::listener::PeerAddress;
use lombard_edge::logos::Logo;
use lombard_edge::routing::get;
use lombard_ports::store::StoreError;

const SAME_SITE_ONLY: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));

/// The route of logos.
pub fn routes() -> Router<App> {
    Router::new().route(&format!("{LOGOS}/{{client}}"), get(logo))
}

async fn logo(State(app): State<App>, Path(id): Path<ClientId>, peer: Option<Extension<PeerAddress>>) -> Response {
    let now = app.context.clocks.wall_now();
    if let Some(Extension(PeerAddress(peer))) = peer
        && let Err(exceeded) = app.throttle.count_call(RateGroup::LogoAddresses, peer.ip(), now)
    {
        return (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, exceeded.retry_after_secs.to_string())]).into_response();
    }
    let wanted = id.clone();
    let found = app.context.store.read::<_, StoreError, _>(move |tx| tx.client(&wanted)).await;
    let client = match found {
        Ok(client) => client.filter(Client::may_act),
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "the application of a logo could not be read");
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    };
    let Some(client) = client else { return problem::not_found(&app) };
    let logo = match read_logo_uri(&client) {
        Some(url) => app.logos.logo(&id, &url, now).await,
        None => None,
    };
    match logo {
        Some(Logo { content_type, bytes }) => image(content_type, "public, max-age=3600", bytes),
        None => image("image/svg+xml", "public, max-age=300", letter(&RequestingParty::of(&client).initial()).into()),
    }
}

fn image(content_type: &'static str, caching: &'static str, bytes: bytes::Bytes) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (CACHE_CONTROL, HeaderValue::from_static(caching)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        SAME_SITE_ONLY,
    ];
    (headers, bytes).into_response()
}

/// An image of the initial letter, for an application without a logo.
fn letter(initial: &str) -> String {
    let letter: String = initial.chars().filter(|it| it.is_alphanumeric()).take(2).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 48 48\"><rect width=\"48\" height=\"48\" fill=\"#e4f1ef\"/>\
         <text x=\"24\" y=\"32\" text-anchor=\"middle\" font-family=\"sans-serif\" font-size=\"22\" font-weight=\"650\" \
         fill=\"#073b37\">{letter}</text></svg>"
    )
}
