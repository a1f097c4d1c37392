//! The end of a login: exchanges the code for an ID token and checks the token.

use crate::answer;
use crate::client::Client;
use crate::error::ProviderError;
use crate::id_token::{TokenRequestFacts, read_id_token};
use crate::meters::ProviderCall;
use crate::request::RedirectLoginState;
use http::StatusCode;
use lombard_ports::identity::{AuthenticatedCustomer, AuthenticationPurpose, ProviderAnswer};

/// Finishes a login with this answer and returns the customer.
pub(crate) async fn finish_login(
    client: &Client,
    memory: &str,
    purpose: &AuthenticationPurpose,
    answered: &ProviderAnswer,
) -> Result<AuthenticatedCustomer, ProviderError> {
    let state: RedirectLoginState =
        serde_json::from_str(memory).map_err(|_| ProviderError::Unusable("a stored login cannot be read"))?;
    let metadata = client.metadata().await?;
    let code = answer::code(answered, &client.settings.issuer, &metadata)?;
    let form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", code.to_owned()),
        ("redirect_uri", client.settings.redirect_uri.clone()),
        ("code_verifier", state.verifier),
        ("client_id", client.settings.client_id.clone()),
    ];
    let endpoint = metadata.token_endpoint(client.fetcher.has_certificate());
    let fetched = client.post(ProviderCall::Token, endpoint, form).await?;
    match fetched.status {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST => return Err(ProviderError::Refused("the provider does not take the code")),
        _ => return Err(ProviderError::Unusable("its token endpoint answers with an error")),
    }
    let asked = TokenRequestFacts { nonce: Some(&state.nonce), asked_at: state.asked_at, purpose };
    read_id_token(client, &metadata, &fetched.body, &asked).await
}
