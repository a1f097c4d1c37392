//! The callback to which the bank's identity provider sends browsers, and the keys with which the server signs its
//! requests to the provider.
//!
//! The URL contains only the provider's answer. The `state` identifies the login to which the answer belongs, and the next page is stored
//! with that login.

use super::apps::{self, AppsPath};
use super::form::PageRequest;
use super::interaction;
use super::problem;
use super::reply::Cookie;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::Method;
use http::header::CONTENT_TYPE;
use lombard_auth::authorisation::journey::{JourneyUnavailable, finish_provider_login};
use lombard_auth::provider_login::{LoginTarget, find_provider_login};
use lombard_auth::sessions::finish_session_login;
use lombard_auth::sessions::payments::finish_approval;
use lombard_edge::App;
use lombard_edge::routing::get;
use lombard_ports::identity::{LoginMethod, ProviderAnswer};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/identity/callback", get(callback)).route("/identity/jwks", get(keys))
}

/// Parses the parameters of an answer; `None` if `state` is missing or a parameter occurs twice.
fn read(query: &str) -> Option<(String, ProviderAnswer)> {
    let mut state = None;
    let mut answer = ProviderAnswer::default();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let place = match &*name {
            "state" => &mut state,
            "code" => &mut answer.code,
            "error" => &mut answer.error,
            "iss" => &mut answer.issuer,
            _ => continue,
        };
        if place.replace(value.into_owned()).is_some() {
            return None;
        }
    }
    Some((state?, answer))
}

async fn callback(visit: PageRequest) -> Response {
    let unknown = || problem::lost(&visit.app, JourneyUnavailable::Unknown, None);
    let Some((state, answer)) = read(visit.query()) else { return unknown() };
    let auth = visit.auth();
    let pending = match find_provider_login(&auth, &state).await {
        Ok(Some(pending)) => pending,
        Ok(None) => return unknown(),
        Err(error) => return problem::error_page(&visit.app, &error, &visit.reference, None),
    };
    match pending.target() {
        LoginTarget::Journey(id) => {
            let Some(browser) = visit.browser(&Cookie::name(id)) else { return unknown() };
            let step = finish_provider_login(&auth, id, &browser, &pending, &answer).await;
            interaction::follow(&visit, &Method::GET, id, &browser, step).await
        }
        LoginTarget::Session { to } => {
            let Some(browser) = visit.browser(Cookie::SESSION) else { return unknown() };
            let step = finish_session_login(&auth, &browser, &pending, &answer).await;
            apps::follow(&visit, &Method::GET, &AppsPath::read(to), step).await
        }
        LoginTarget::Approval(order) => {
            let Some(browser) = visit.browser(Cookie::SESSION) else { return unknown() };
            let decided = finish_approval(&auth, &browser, order, &pending, &answer).await;
            Box::pin(apps::follow_decision(&visit, &Method::GET, order, decided)).await
        }
    }
}

/// The public keys with which the provider verifies the server's requests. The set is empty if customers log in at this server.
async fn keys(State(app): State<App>) -> Response {
    match app.auth.identity.login_method() {
        LoginMethod::Redirect(provider) => {
            ([(CONTENT_TYPE, "application/jwk-set+json")], provider.published_keys()).into_response()
        }
        LoginMethod::Pages(_) => problem::not_found(&app),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_each_parameter_once_and_a_state() {
        let (state, answer) = read("code=c%2B1&state=s&iss=https%3A%2F%2Fidp.test&session_state=x").unwrap();
        assert_eq!(state, "s");
        let code = Some("c+1".to_owned());
        assert_eq!(answer, ProviderAnswer { code, error: None, issuer: Some("https://idp.test".to_owned()) });
        for bad in
            ["", "code=c", "state=s&state=s", "state=s&code=a&code=b", "state=s&iss=a&iss=b", "state=s&error=a&error=b"]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
