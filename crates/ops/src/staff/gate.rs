//! Admits callers to the routes of the ops listener, by the table of permissions.

use super::act::{required_reason, respond};
use super::door::{StaffDoor, Unidentified, address, status_of};
use super::pages;
use super::permissions::{Access, FoundPermission, StaffPermission, find_permission};
use super::visit::StaffVisit;
use axum::Json;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT, ORIGIN, SET_COOKIE, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use lombard_domain::staff::StaffRole;
use serde_json::json;
use std::error::Error;

/// Admits a request to its route, or refuses it. A path without a route goes on to its 404.
pub(crate) async fn admit(State(door): State<StaffDoor>, request: Request, next: Next) -> Response {
    let Some(path) = request.extensions().get::<MatchedPath>().cloned() else { return next.run(request).await };
    let permission = match find_permission(request.method(), path.as_str()) {
        FoundPermission::Row(permission) => permission,
        FoundPermission::OtherMethods => return StatusCode::METHOD_NOT_ALLOWED.into_response(),
        FoundPermission::None => return refused(StatusCode::FORBIDDEN, "no role may use this route"),
    };
    let Some(roles) = roles_now(permission, &door) else { return next.run(request).await };
    let (mut parts, body) = request.into_parts();
    let visit = match door.identify(&parts).await {
        Ok(visit) => visit,
        Err(unidentified) => return respond_unidentified(&door, &parts, unidentified).await,
    };
    if let Err(response) = check(&visit, permission, roles, &parts) {
        return *response;
    }
    let cookie = pages::cookie_of_new_browser(&door, &visit, &parts.method);
    parts.extensions.insert(visit);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// The roles that may use a route; `None` if everybody may.
fn roles_now(permission: StaffPermission, door: &StaffDoor) -> Option<&'static [StaffRole]> {
    match permission.access {
        Access::OpenSandbox(_) if door.is_open_sandbox() => None,
        access => access.roles(),
    }
}

/// Checks what an identified caller asks for.
fn check(
    visit: &StaffVisit,
    permission: StaffPermission,
    roles: &[StaffRole],
    request: &Parts,
) -> Result<(), Box<Response>> {
    if !roles.contains(&visit.member.role) {
        tracing::info!(
            security.refusal = "staff-role",
            staff.name = visit.member.name.as_str(),
            staff.role = visit.member.role.name(),
            method = permission.method,
            route = permission.path,
            "a staff member was refused"
        );
        let names: Vec<_> = roles.iter().map(|role| role.name()).collect();
        let text = format!("your role is {}; this needs {}", visit.member.role.name(), names.join(" or "));
        return Err(Box::new(refused(StatusCode::FORBIDDEN, &text)));
    }
    // A browser sends its cookie by itself. A page of this listener names its origin with every request that changes something.
    let is_read = matches!(request.method, Method::GET | Method::HEAD);
    if visit.by_cookie && !is_read && !names_origin(&request.headers) {
        return Err(Box::new(refused(StatusCode::FORBIDDEN, "a browser must say which page sends the request")));
    }
    if permission.access.needs_reason() {
        required_reason(request.uri.query()).map_err(|error| Box::new(respond(error)))?;
    }
    Ok(())
}

/// Whether a browser names the page that sends the request. The listener has refused foreign pages already.
fn names_origin(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin")
}

/// Responds to a caller that was not identified: with the login page to a browser that opens a page, with JSON to others.
async fn respond_unidentified(door: &StaffDoor, request: &Parts, unidentified: Unidentified) -> Response {
    let status = status_of(&unidentified);
    let text = match &unidentified {
        Unidentified::Nothing => pages::how_to_identify(door.method()).to_owned(),
        Unidentified::Refused(reason) => {
            let from = address(request).map(|address| address.to_string());
            tracing::info!(
                security.refusal = "staff-identity",
                from,
                reason,
                "a caller of the ops listener was refused"
            );
            metrics::counter!("lombard_staff_refusals_total").increment(1);
            reason.clone()
        }
        Unidentified::Failed(cause) => {
            tracing::error!(error = cause.as_ref() as &dyn Error, "a staff member could not be identified");
            "who you are cannot be found out now; the server's log says why".to_owned()
        }
    };
    if status == StatusCode::UNAUTHORIZED && opens_page(request) {
        return pages::login_page(door, &request.headers, status, None).await;
    }
    let mut response = refused(status, &text);
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"operations\""));
    }
    response
}

/// Whether a browser opens a page.
fn opens_page(request: &Parts) -> bool {
    let accepts = request.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
    request.method == Method::GET && accepts.is_some_and(|accept| accept.contains("text/html"))
}

fn refused(status: StatusCode, text: &str) -> Response {
    (status, Json(json!({ "error": text }))).into_response()
}
