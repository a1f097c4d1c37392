//! Requests of a client that authenticates by its certificate.

use crate::test_app::{Answer, Served};
use axum::Extension;
use axum::body::Body;
use axum::http::{Request, header};

pub(super) const FORM: &str = "application/x-www-form-urlencoded";
pub(super) const CLIENT_CREDENTIALS: &str = "grant_type=client_credentials&client_id=acme&scope=accounts";

impl Served {
    /// Sends a request to the listener with client certificates, with the client's certificate.
    pub(super) async fn mutual(&self, request: Request<Body>) -> Answer {
        self.ask_of(lombard_oauth::mtls_routes(), request).await
    }

    /// Sends a request to the listener with client certificates, without a certificate.
    pub(super) async fn without_certificate(&self, request: Request<Body>) -> Answer {
        self.send(lombard_oauth::mtls_routes(), request).await
    }

    /// Sends a request to the public listener.
    pub(super) async fn public(&self, request: Request<Body>) -> Answer {
        let reference = lombard_domain::ids::FapiInteractionId::new("reference");
        let routes = lombard_oauth::discovery_routes()
            .merge(lombard_oauth::key_routes())
            .merge(lombard_pages::authorize_routes());
        self.send(routes.layer(Extension(reference)), request).await
    }

    /// Posts a form to an endpoint, with the client's certificate.
    pub(super) async fn post(&self, path: &str, form: &str) -> Answer {
        self.mutual(posted(path, form)).await
    }
}

pub(super) fn posted(path: &str, form: &str) -> Request<Body> {
    let request = Request::post(path).header(header::CONTENT_TYPE, FORM);
    request.body(Body::from(form.to_owned())).unwrap()
}
