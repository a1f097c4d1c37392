//! The authorisation endpoint: answers one authorisation request.

use super::headless;
use super::journey::{self, StartedJourney};
use super::response::{Redirect, is_unregistered_return};
use super::rules::{self, IdentifiedRequest, RawRequest, RuleRefusal, UnverifiedRequestError};
use crate::AuthorisationServer;
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::ids::ClientId;

/// The response to the browser that sent an authorisation request.
#[derive(Debug)]
pub enum AuthorisationReply {
    /// A journey began; its first page is to be shown.
    Journey(StartedJourney),
    /// The browser is redirected to the client's redirect URI with the response.
    Redirect(Redirect),
    /// The request has no verified redirect URI: an error page is shown, without a redirect. Source: AS-064.
    ErrorPage(UnverifiedRequestError),
    /// The client exceeds its rate: an error page is shown and the request has no effect. Source: RW-112.
    TooMany {
        /// Seconds after which the client may send the next request.
        retry_after_secs: i64,
    },
}

/// Answers an authorisation request: checks every rule, then begins a journey, or decides at once for a headless client.
pub async fn handle_authorisation_request(auth: &AuthorisationServer, raw: &RawRequest) -> AuthorisationReply {
    handle_rate_limited_request(auth, raw, |_| Ok(())).await
}

/// As [`handle_authorisation_request`], with a rate limit that is applied once the client is identified. `admit` returns the seconds to
/// wait if the request exceeds the limit.
pub async fn handle_rate_limited_request(
    auth: &AuthorisationServer,
    raw: &RawRequest,
    admit: impl FnOnce(&ClientId) -> Result<(), i64> + Send,
) -> AuthorisationReply {
    let located = match rules::identify_request(auth, raw).await {
        Ok(located) => located,
        Err(problem) => {
            log_refusal(problem.rule, &problem.error, None);
            return AuthorisationReply::ErrorPage(problem);
        }
    };
    if let Err(retry_after_secs) = admit(&located.client.id) {
        return AuthorisationReply::TooMany { retry_after_secs };
    }
    match proceed(auth, &located).await {
        Ok(reply) => reply,
        Err(refused) => refuse(auth, &located, refused).await,
    }
}

async fn proceed(auth: &AuthorisationServer, located: &IdentifiedRequest) -> Result<AuthorisationReply, RuleRefusal> {
    let checked = rules::check(auth, located)?;
    let authorisable = rules::find_authorisable_request(auth, checked).await?;
    match (&located.client.headless, &auth.settings.headless) {
        (Some(psu), Some(headless)) => {
            Ok(AuthorisationReply::Redirect(headless::decide(auth, authorisable, psu, headless).await?))
        }
        _ => Ok(AuthorisationReply::Journey(journey::begin(auth, authorisable).await?)),
    }
}

/// Turns a refusal into the response at the client's address and marks the request object as used (AS-080), unless the server failed
/// temporarily.
async fn refuse(auth: &AuthorisationServer, located: &IdentifiedRequest, refused: RuleRefusal) -> AuthorisationReply {
    let check = refused.failed_check();
    let RuleRefusal { rule, error } = refused;
    log_refusal(rule, &error, Some(located));
    match error.code {
        OAuthErrorCode::ServerError | OAuthErrorCode::TemporarilyUnavailable => {
            tracing::error!(error = &error as &dyn std::error::Error, "an authorisation request failed");
        }
        _ => rules::mark_request_object_used(auth, located).await,
    }
    match located.return_to().error(auth, &error).await {
        Ok(redirect) => AuthorisationReply::Redirect(redirect.refused_by(check)),
        // A client that requires signed responses must not get an unsigned one, and a client whose address was removed gets no response.
        Err(error) => {
            let rule = if is_unregistered_return(&error) { error.failed_check().rule } else { "internal" };
            AuthorisationReply::ErrorPage(UnverifiedRequestError { rule, error, too_long: false })
        }
    }
}

fn log_refusal(rule: &'static str, error: &OAuthError, located: Option<&IdentifiedRequest>) {
    let (client, code) = (located.map(|located| located.client.id.as_str()), error.code.name());
    tracing::info!(client.id = client, rule, error.code = code, "authorisation request refused");
    rules::count_refusal(rule, error);
}
