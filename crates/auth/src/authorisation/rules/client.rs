//! The rule that the client exists and may act.

use super::request::LocalProblem;
use crate::AuthorisationServer;
use crate::error::OAuthError;
use crate::form::Form;
use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;

/// The client the request claims to be from, if there is one that may act. Whoever asks decides what its absence is
/// called: it must not look like anything but what a known client would be told (AS-064).
///
/// Source: AS-064, AS-113.
pub(super) async fn known(auth: &AuthorisationServer, parameters: &Form) -> Result<Option<Client>, LocalProblem> {
    let Some(id) = parameters.value("client_id").map(ClientId::from) else { return Ok(None) };
    let found = auth.context.store.read(move |tx| Ok::<_, OAuthError>(tx.client(&id)?)).await;
    match found {
        Ok(client) => Ok(client.filter(Client::may_act)),
        Err(error) => Err(LocalProblem::new("internal", error)),
    }
}
