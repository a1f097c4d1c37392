//! The operations into which faults can be injected: those of the catalogue, and the endpoints of the authorisation server.

use http::Method;
use lombard_api::catalogue::list_operations;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::faults::{ErrorForm, FaultInjection, FaultOperation};
use lombard_oauth::injected_response;
use lombard_ports::entropy::IdGenerator;

/// The empty fault injection of a sandbox process. Only a sandbox may have one.
pub fn sandbox_faults(ids: IdGenerator) -> FaultInjection {
    FaultInjection::new(ids, api_operations().chain(oauth_operations()).collect())
}

fn api_operations() -> impl Iterator<Item = FaultOperation> {
    list_operations().filter_map(|operation| {
        let endpoint = operation.endpoint;
        Some(FaultOperation {
            name: endpoint.name.to_owned(),
            method: Method::from_bytes(endpoint.method.name().as_bytes()).ok()?,
            path: operation.path(),
            unversioned: Some(format!("{}{}", endpoint.group.segment(), endpoint.path)),
            errors: ErrorForm::Api,
            signs_responses: endpoint.signs_responses(),
            unauthenticated: None,
        })
    })
}

/// The operations of the OAuth endpoints, each named by the last segment of its path, such as `token`.
fn oauth_operations() -> impl Iterator<Item = FaultOperation> {
    let operation = |endpoint: OAuthEndpoint, method, path: String, is_authenticated| FaultOperation {
        name: endpoint.path().rsplit('/').next().unwrap_or_default().to_owned(),
        method,
        path,
        unversioned: None,
        errors: ErrorForm::OAuth,
        signs_responses: false,
        unauthenticated: if is_authenticated { None } else { Some(injected_response) },
    };
    let at_path = move |endpoint: OAuthEndpoint, method, is_authenticated| {
        operation(endpoint, method, endpoint.path().to_owned(), is_authenticated)
    };
    let managed = move |method| {
        let endpoint = OAuthEndpoint::Registration;
        operation(endpoint, method, format!("{}/{{client_id}}", endpoint.path()), true)
    };
    [
        at_path(OAuthEndpoint::Discovery, Method::GET, false),
        at_path(OAuthEndpoint::Metadata, Method::GET, false),
        at_path(OAuthEndpoint::Jwks, Method::GET, false),
        at_path(OAuthEndpoint::Authorization, Method::GET, false),
        at_path(OAuthEndpoint::Authorization, Method::POST, false),
        at_path(OAuthEndpoint::PushedAuthorization, Method::POST, true),
        at_path(OAuthEndpoint::BackchannelAuthentication, Method::POST, true),
        at_path(OAuthEndpoint::Token, Method::POST, true),
        at_path(OAuthEndpoint::Revocation, Method::POST, true),
        at_path(OAuthEndpoint::Introspection, Method::POST, true),
        at_path(OAuthEndpoint::Userinfo, Method::GET, true),
        at_path(OAuthEndpoint::Userinfo, Method::POST, true),
        at_path(OAuthEndpoint::Registration, Method::POST, false),
        managed(Method::GET),
        managed(Method::PUT),
        managed(Method::DELETE),
    ]
    .into_iter()
}
