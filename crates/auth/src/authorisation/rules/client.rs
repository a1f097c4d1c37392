//! The rule that the client exists and is active.

use super::request::UnverifiedRequestError;
use crate::AuthorisationServer;
use crate::error::OAuthError;
use crate::form::Form;
use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;

/// Finds the active client that the request names. The caller chooses the error for an absent client, which must not differ from an error
/// that a known client would get (AS-064).
///
/// Source: AS-064, AS-113.
pub(super) async fn find_client(
    auth: &AuthorisationServer,
    parameters: &Form,
) -> Result<Option<Client>, UnverifiedRequestError> {
    let Some(id) = parameters.value("client_id").map(ClientId::from) else { return Ok(None) };
    let found = auth.context.store.read(move |tx| Ok::<_, OAuthError>(tx.client(&id)?)).await;
    match found {
        Ok(client) => Ok(client.filter(Client::may_act)),
        Err(error) => Err(UnverifiedRequestError::new("internal", error)),
    }
}
