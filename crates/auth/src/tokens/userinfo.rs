//! Userinfo: the claims about the subject, which is the consent. Source: AS-122, OIDC Core section 5.3.

use crate::callers::Caller;
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::grant::GrantSubject;
use lombard_domain::scope::Scope;
use schemars::JsonSchema;
use serde::Serialize;

/// What there is to say: nothing about the person. Source: AS-102.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Userinfo {
    /// The subject of the token, which is the consent.
    sub: String,
    /// The ConsentId.
    openbanking_intent_id: String,
}

/// The claims for a PSU's token with `openid`.
///
/// # Errors
/// `insufficient_scope` for any other token.
pub fn read_userinfo(caller: &Caller) -> Result<Userinfo, OAuthError> {
    match &caller.subject {
        GrantSubject::Psu { consent, .. } if caller.scopes.contains(Scope::OpenId) => {
            Ok(Userinfo { sub: consent.as_str().to_owned(), openbanking_intent_id: consent.as_str().to_owned() })
        }
        GrantSubject::Psu { .. } | GrantSubject::Client => {
            Err(OAuthError::new(OAuthErrorCode::InsufficientScope, "The token has no PSU or no openid scope."))
        }
    }
}
