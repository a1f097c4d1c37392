//! The operations that faults can strike: those of the catalogue, and the endpoints of the authorisation server.

use super::injection::{ErrorForm, FaultInjection, FaultOperation};
use crate::catalogue::list_operations;
use http::Method;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_ports::entropy::IdGenerator;

/// The faults of a sandbox's process; there are none yet. Only a sandbox may have them.
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
            is_authenticated: true,
        })
    })
}

/// An endpoint's operations are called by the last segment of its path, such as `token`.
fn oauth_operations() -> impl Iterator<Item = FaultOperation> {
    let operation = |endpoint: OAuthEndpoint, method, path: String, is_authenticated| FaultOperation {
        name: endpoint.path().rsplit('/').next().unwrap_or_default().to_owned(),
        method,
        path,
        unversioned: None,
        errors: ErrorForm::OAuth,
        signs_responses: false,
        is_authenticated,
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

/// The numbers of the operations that a name means: an operation's name, or a method and a path, with or without the version. Without
/// the version it means the operation in every version.
pub(super) fn resolve(injection: &FaultInjection, name: &str) -> Vec<usize> {
    let by_path = name.split_once(' ').map(|(method, path)| (method, path.trim()));
    let is_meant = |operation: &FaultOperation| {
        let at = |path: &str| by_path.is_some_and(|(_, asked)| is_path(path, asked));
        let by_method = by_path.is_some_and(|(method, _)| method == operation.method.as_str());
        operation.name == name
            || (by_method && (at(&operation.path) || operation.unversioned.as_deref().is_some_and(at)))
    };
    let numbered = injection.operations.iter().enumerate();
    numbered.filter(|(_, operation)| is_meant(operation)).map(|(number, _)| number).collect()
}

/// Whether any of these operations signs its answers.
pub(super) fn signs_responses(injection: &FaultInjection, operations: &[usize]) -> bool {
    operations.iter().filter_map(|number| injection.operations.get(*number)).any(|operation| operation.signs_responses)
}

/// Whether any of these operations writes its errors so.
pub(super) fn has_errors_of(injection: &FaultInjection, operations: &[usize], form: ErrorForm) -> bool {
    operations.iter().filter_map(|number| injection.operations.get(*number)).any(|operation| operation.errors == form)
}

/// Whether a path is the one that was asked for; an id in braces may have any name.
fn is_path(path: &str, asked: &str) -> bool {
    let asked = asked.strip_suffix('/').unwrap_or(asked);
    let is_id = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
    let segments = path.split('/').zip(asked.split('/'));
    path.split('/').count() == asked.split('/').count()
        && segments.into_iter().all(|(one, other)| one == other || (is_id(one) && is_id(other)))
}
