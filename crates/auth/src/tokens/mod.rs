//! The token endpoint: four grants, one transaction each. Source: AS-035 to AS-044, AS-093 to AS-099.
//!
//! [`issue_tokens`] takes an authenticated client and, in one durable transaction, marks its assertion as used, checks the grant
//! and stores the tokens. A refused grant marks the assertion as used too.

mod backchannel;
mod client_credentials;
mod code;
pub mod identity;
pub mod introspection;
mod issue;
mod pkce;
mod psu_grant;
mod refresh;
mod response;
pub mod revocation;
pub mod tester;
pub mod userinfo;

use crate::clients::{AuthenticatedClient, ClientRequest};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use crate::unsupported_parameters::UNSUPPORTED_PARAMETERS;
use crate::{AuthorisationServer, clients};
use issue::{GrantRefusal, TokenRequest};
use lombard_domain::client::Client;
use lombard_domain::registration::GrantType;
use lombard_ports::store::{ReplayPurpose, StoreError};
pub use response::TokenResponse;

/// The grant that a request exchanges for tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
enum GrantRequest {
    ClientCredentials { scope: Option<String> },
    Code(code::CodeRequest),
    Refresh(refresh::RefreshRequest),
    Backchannel(backchannel::BackchannelPoll),
}

impl GrantRequest {
    fn read(form: &Form) -> Result<Self, GrantRefusal> {
        // A client that sends an unsupported parameter expects tokens with less access than it would get. Source: AS-063.
        if let Some((_, description)) = UNSUPPORTED_PARAMETERS.iter().find(|(name, _)| form.value(name).is_some()) {
            return Err(GrantRefusal(OAuthErrorCode::InvalidRequest, description));
        }
        match form.value("grant_type") {
            Some("client_credentials") => Ok(Self::ClientCredentials { scope: form.value("scope").map(str::to_owned) }),
            Some("authorization_code") => code::CodeRequest::read(form).map(Self::Code),
            Some("refresh_token") => refresh::RefreshRequest::read(form).map(Self::Refresh),
            Some(backchannel::GRANT_TYPE) => backchannel::BackchannelPoll::read(form).map(Self::Backchannel),
            Some(_) => Err(GrantRefusal(
                OAuthErrorCode::UnsupportedGrantType,
                "grant_type must be client_credentials, authorization_code, refresh_token or that of CIBA.",
            )),
            None => Err(GrantRefusal(OAuthErrorCode::InvalidRequest, "grant_type is missing.")),
        }
    }

    /// The grant type that the client must have registered.
    const fn grant_type(&self) -> GrantType {
        match self {
            Self::ClientCredentials { .. } => GrantType::ClientCredentials,
            Self::Code(_) => GrantType::AuthorizationCode,
            Self::Refresh(_) => GrantType::RefreshToken,
            Self::Backchannel(_) => GrantType::Backchannel,
        }
    }

    /// Returns the request if the client registered for its grant. Source: AS-037, DCR-011.
    fn of_registered(self, client: &Client) -> Result<Self, GrantRefusal> {
        if client.may_use_grant(self.grant_type()) {
            return Ok(self);
        }
        Err(GrantRefusal(OAuthErrorCode::UnauthorizedClient, "The client has not registered for this grant_type."))
    }
}

/// Exchanges the grant of an authenticated client for tokens that are bound to the certificate of this call. If the client's registration
/// was changed meanwhile, the client is authenticated again by the same request.
///
/// # Errors
/// [`OAuthError`] with a code of RFC 6749 section 5.2; storage's and the signing pool's failures.
pub async fn issue_tokens(
    auth: &AuthorisationServer,
    authenticated: AuthenticatedClient,
    request: &ClientRequest<'_>,
) -> Result<TokenResponse, OAuthError> {
    let client = authenticated.shared_client();
    let failure = match exchange_grant(auth, authenticated, request.form).await? {
        Ok(tokens) => return Ok(tokens),
        Err(failure) => failure,
    };
    if !is_of_changed_client(&failure) {
        return Err(failure.into());
    }
    let Some(changed) = clients::authenticate_changed_client(auth, request, &client).await? else {
        return Err(failure.into());
    };
    exchange_grant(auth, changed, request.form).await?.map_err(|failure| {
        // The registration was changed again; the request may succeed later.
        if is_of_changed_client(&failure) { StoreError::Contended.into() } else { failure.into() }
    })
}

/// Whether a transaction failed because the client's registration was changed.
fn is_of_changed_client(failure: &StoreError) -> bool {
    matches!(failure, StoreError::Corrupt { table: ReplayPurpose::TABLE, .. })
}

/// Exchanges the grant. The inner error is storage's failure in the transaction, after which nothing is stored.
async fn exchange_grant(
    auth: &AuthorisationServer,
    authenticated: AuthenticatedClient,
    form: &Form,
) -> Result<Result<TokenResponse, StoreError>, OAuthError> {
    let wanted = GrantRequest::read(form).and_then(|wanted| wanted.of_registered(authenticated.client()));
    let exchange = TokenRequest::new(auth, &authenticated);
    if let Ok(GrantRequest::ClientCredentials { scope }) = &wanted {
        let store = &auth.context.store;
        match client_credentials::issue_as_known(store, &authenticated, &exchange, scope.as_deref()).await {
            Ok(Some(tokens)) => return Ok(Ok(tokens)),
            Ok(None) => {}
            Err(failure) => return Ok(Err(failure)),
        }
    }
    let prepared = match &wanted {
        Ok(GrantRequest::Code(code)) => code::prepare(auth, &exchange, code).await?,
        Ok(GrantRequest::Backchannel(poll)) => backchannel::prepare(auth, &exchange, poll).await?,
        _ => None,
    };
    let decided = auth.context.store.write::<_, StoreError, _>(move |tx| {
        authenticated.spend_assertion(tx)?;
        match &wanted {
            Ok(GrantRequest::ClientCredentials { scope }) => client_credentials::issue(tx, &exchange, scope.as_deref()),
            Ok(GrantRequest::Code(code)) => code::redeem(tx, &exchange, code, prepared.as_ref()),
            Ok(GrantRequest::Backchannel(poll)) => backchannel::redeem(tx, &exchange, poll, prepared.as_ref()),
            Ok(GrantRequest::Refresh(refresh)) => refresh::renew(tx, &exchange, refresh),
            Err(refusal) => Ok(Err(*refusal)),
        }
    });
    match decided.await {
        // A refusal commits, so that the used assertion and the revocations of a replayed code stay.
        Ok(decision) => decision.map(Ok).map_err(GrantRefusal::noted),
        Err(StoreError::Duplicate(ReplayPurpose::TABLE)) => Err(clients::replayed_assertion_error()),
        Err(failure) => Ok(Err(failure)),
    }
}

#[cfg(test)]
mod tests;
