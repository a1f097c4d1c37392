//! The login of developers with a certificate of their application, on the listener that asks for certificates. It redirects to a one-time
//! link on the public listener, whose pages need no certificate.

use super::paths::{LOGIN, escaped, link_address};
use axum::Router;
use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::header::RETRY_AFTER;
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::portal::{create_portal_link, find_clients_of_certificate};
use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::layers::ClientForLog;
use lombard_edge::listener::PeerAddress;
use lombard_edge::routing::get;
use lombard_pages::form::PageRequest;
use lombard_pages::reply::redirect_to_page;
use lombard_ports::store::StoreError;
use std::sync::Arc;

/// The message if no application is found by the certificate.
const NOT_FOUND: &str = "No registered application is found by this certificate. If it does not name the organisation by the directory's id, add \
    ?client_id= and the application's client id to the address.";

/// The route of the listener that asks for client certificates.
pub(super) fn routes() -> Router<App> {
    Router::new().route(LOGIN, get(log_in))
}

/// The certificate and the network address of a request.
struct CertificateVisit {
    page: PageRequest,
    certificate: Arc<ClientCertificate>,
    known: Option<ClientForLog>,
}

impl FromRequestParts<App> for CertificateVisit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let page = PageRequest::from_request_parts(parts, app).await?;
        let Some(certificate) = parts.extensions.get::<Arc<ClientCertificate>>().cloned() else {
            return Err(plain(StatusCode::UNAUTHORIZED, "This address needs the certificate of an application."));
        };
        let known = parts.extensions.get::<ClientForLog>().cloned();
        if let Some(PeerAddress(peer)) = parts.extensions.get() {
            // The rate limit for requests of one address. Source: RW-112.
            let now = app.context.clocks.wall_now();
            let counted = app.throttle.count_call(RateGroup::AuthorisationAddresses, peer.ip(), now);
            counted.map_err(|exceeded| {
                let mut response = plain(StatusCode::TOO_MANY_REQUESTS, "Please wait a moment and try again.");
                response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(exceeded.retry_after_secs));
                response
            })?;
        }
        Ok(Self { page, certificate, known })
    }
}

async fn log_in(visit: CertificateVisit) -> Response {
    let wanted = visit.page.parameter("client_id");
    let app = &visit.page.app;
    match find_clients_of_certificate(&app.auth, &visit.certificate, wanted.map(ClientId::new)).await {
        Ok(found) => match found.as_slice() {
            [] => plain(StatusCode::FORBIDDEN, NOT_FOUND),
            [client] => to_link(&visit, client).await,
            several => which(app, several),
        },
        Err(error) => failed(&visit, &error),
    }
}

async fn to_link(visit: &CertificateVisit, client: &Client) -> Response {
    let app = &visit.page.app;
    if let Some(known) = &visit.known {
        known.set(&client.id);
    }
    let context = &app.context;
    let stored = (&context.store, &context.ids, context.clocks.wall_now());
    let made = create_portal_link(stored, &client.id, None).await;
    match made {
        Ok(Some(secret)) => redirect_to_page(app, &Method::GET, &link_address(&app.settings.public_url, &secret), None),
        Ok(None) => plain(StatusCode::FORBIDDEN, "The application is not active."),
        Err(error) => failed(visit, &error),
    }
}

/// Asks for a choice if several applications have this certificate; a URL parameter then names the application.
fn which(app: &App, clients: &[Client]) -> Response {
    let mut text = "Several applications have this certificate. Open the address of one of them:\n".to_owned();
    for client in clients {
        text.push_str(&format!("{}{LOGIN}?client_id={}\n", app.settings.mtls_url, escaped(client.id.as_str())));
    }
    plain(StatusCode::CONFLICT, &text)
}

fn failed(visit: &CertificateVisit, error: &StoreError) -> Response {
    let id = visit.page.reference.as_str();
    tracing::error!(interaction.id = id, error = error as &dyn std::error::Error, "a login at the portal failed");
    plain(StatusCode::SERVICE_UNAVAILABLE, "The bank cannot answer right now.")
}

fn plain(status: StatusCode, text: &str) -> Response {
    (status, format!("{}\n", text.trim_end())).into_response()
}
