//! The client exists and may act.

use super::request::LocalProblem;
use crate::Auth;
use crate::error::OAuthError;
use crate::form::Form;
use lombard_domain::client::{Client, ClientStatus};
use lombard_domain::ids::ClientId;

/// The client the request claims to be from.
///
/// Source: AS-064, AS-113.
pub(super) async fn known(auth: &Auth, parameters: &Form) -> Result<Client, LocalProblem> {
    let id = parameters.value("client_id").ok_or_else(|| LocalProblem::unidentified("AS-064"))?;
    let id = ClientId::from(id);
    let found = auth.context.store.read(move |tx| Ok::<_, OAuthError>(tx.client(&id)?)).await;
    match found {
        Ok(Some(client)) if client.status == ClientStatus::Active => Ok(client),
        Ok(_) => Err(LocalProblem::unidentified("AS-064")),
        Err(error) => Err(LocalProblem::new("internal", error)),
    }
}
