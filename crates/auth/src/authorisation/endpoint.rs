//! The authorisation endpoint itself: one request in, one reply out.

use super::answer::Redirect;
use super::headless;
use super::journey::{self, Started};
use super::rules::{self, LocalProblem, Located, RawRequest, Refused};
use crate::Auth;
use crate::error::OAuthErrorCode;

/// What the browser gets for an authorisation request.
#[derive(Debug)]
pub enum Reply {
    /// A journey began: show its first page.
    Journey(Started),
    /// The client is answered at its redirect URI.
    Leave(Redirect),
    /// Nothing about the request can be trusted: an error page, and no redirect. Source: AS-064.
    Stay(LocalProblem),
}

/// Answers an authorisation request: every rule, then a journey, or at once for a headless client.
pub async fn authorise(auth: &Auth, raw: &RawRequest) -> Reply {
    let located = match rules::locate(auth, raw).await {
        Ok(located) => located,
        Err(problem) => {
            log_refusal(problem.rule, problem.error.code, None);
            return Reply::Stay(problem);
        }
    };
    match proceed(auth, &located).await {
        Ok(reply) => reply,
        Err(refused) => refuse(auth, &located, refused).await,
    }
}

async fn proceed(auth: &Auth, located: &Located) -> Result<Reply, Refused> {
    let checked = rules::check(auth, located)?;
    let authorisable = rules::authorisable(auth, checked).await?;
    match (&located.client.headless, &auth.settings.headless) {
        (Some(psu), Some(headless)) => Ok(Reply::Leave(headless::decide(auth, authorisable, psu, headless).await?)),
        _ => Ok(Reply::Journey(journey::begin(auth, authorisable).await?)),
    }
}

/// Turns a refusal into the answer at the client's address and uses the request object up (AS-080), unless the fault is
/// ours and may pass.
async fn refuse(auth: &Auth, located: &Located, refused: Refused) -> Reply {
    let Refused { rule, error } = refused;
    log_refusal(rule, error.code, Some(located));
    match error.code {
        OAuthErrorCode::ServerError | OAuthErrorCode::TemporarilyUnavailable => {
            tracing::error!(error = &error as &dyn std::error::Error, "an authorisation request failed");
        }
        _ => rules::spend(auth, located).await,
    }
    match located.return_to().error(auth, &error).await {
        Ok(redirect) => Reply::Leave(redirect),
        // A client that wants signed answers must not get another.
        Err(error) => Reply::Stay(LocalProblem { rule: "internal", error, too_long: false }),
    }
}

fn log_refusal(rule: &'static str, code: OAuthErrorCode, located: Option<&Located>) {
    let client = located.map(|located| located.client.id.as_str());
    tracing::info!(client.id = client, rule, error.code = code.name(), "authorisation request refused");
    metrics::counter!("lombard_authorisation_refusals_total", "rule" => rule, "error" => code.name()).increment(1);
}
