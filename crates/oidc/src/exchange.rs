//! The end of a login: the code is exchanged for an ID token, and that is checked.

use crate::client::Client;
use crate::error::ProviderError;
use crate::id_token::{ExpectedToken, check};
use crate::request::{Memory, authentication};
use crate::{answer, purpose};
use http::StatusCode;
use lombard_jose::{CompactJws, from_json};
use lombard_ports::identity::{AuthenticatedCustomer, AuthenticationPurpose, ProviderAnswer};
use serde::Deserialize;

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

/// The customer of a login that this answer ends.
pub(crate) async fn finish(
    client: &Client,
    memory: &str,
    for_purpose: &AuthenticationPurpose,
    answered: &ProviderAnswer,
) -> Result<AuthenticatedCustomer, ProviderError> {
    let memory: Memory =
        serde_json::from_str(memory).map_err(|_| ProviderError::Unusable("a stored login cannot be read"))?;
    let metadata = client.metadata().await?;
    let code = answer::code(answered, &client.settings.issuer, &metadata)?;
    let mut form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", code.to_owned()),
        ("redirect_uri", client.settings.redirect_uri.clone()),
        ("code_verifier", memory.verifier),
        ("client_id", client.settings.client_id.clone()),
    ];
    form.extend(authentication(client).await?);
    let borrowed: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let endpoint = metadata.token_endpoint(client.fetcher.has_certificate());
    let fetched = client.fetcher.post_form(endpoint, &borrowed).await?;
    match fetched.status {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST => return Err(ProviderError::Refused("the provider does not take the code")),
        _ => return Err(ProviderError::Unusable("its token endpoint answers with an error")),
    }
    let tokens: Tokens = from_json(&fetched.body).map_err(|_| ProviderError::Refused("there is no ID token"))?;
    let token = CompactJws::parse(&tokens.id_token).map_err(|_| ProviderError::Refused("the ID token is malformed"))?;
    let keys = client.keys(&metadata, token.header().kid.as_deref()).await?;
    let purpose = purpose::claim(for_purpose, &client.settings.details_type, &metadata);
    let expected = ExpectedToken {
        settings: &client.settings,
        nonce: Some(&memory.nonce),
        asked_at: memory.asked_at,
        now: client.clocks.wall_now(),
        purpose: purpose.as_ref(),
    };
    check(&token, &keys, &expected).map_err(ProviderError::Refused)
}
