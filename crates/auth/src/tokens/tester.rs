//! Issues access tokens for the testers of a sandbox, whose pages call the API in the name of an application. Never used in production.

use super::issue::TokenRequest;
use crate::AuthorisationServer;
use crate::certificates::ClientCertificate;
use jiff::SignedDuration;
use lombard_domain::client::Client;
use lombard_domain::ids::ConsentId;
use lombard_domain::instant;
use lombard_ports::store::StoreError;
use std::sync::Arc;

/// The lifetime of such a token, which is for one call.
const LIFETIME: SignedDuration = SignedDuration::from_mins(1);

/// Issues an access token for a minute, on the newest grant of a consent of this client, bound to this certificate. Other tokens of the
/// grant stay valid. `None` if the consent is not the client's or gives no access, or if no code of it was exchanged.
///
/// # Errors
/// [`StoreError`].
pub async fn issue_tester_token(
    auth: &AuthorisationServer,
    client: &Client,
    certificate: &ClientCertificate,
    consent: &ConsentId,
) -> Result<Option<String>, StoreError> {
    let mut request = TokenRequest::of_client(auth, Arc::new(client.clone()), certificate);
    let ends_by = request.wall.checked_add(LIFETIME).map_or(request.wall, instant::truncate_to_micros);
    request.ends_by = Some(ends_by);
    let consent = consent.clone();
    let issue = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
        let Some(newest) = tx.grants_of_consent(&consent)?.pop() else { return Ok(None) };
        let Some(grant) = tx.grant(&newest)? else { return Ok(None) };
        let Some(consent) = request.find_live_consent(tx, &grant)? else { return Ok(None) };
        if !request.opens(grant.scopes) {
            return Ok(None);
        }
        request.issue_access(tx, &grant.id, grant.scopes, Some(&consent)).map(|issued| Some(issued.access_token))
    };
    auth.context.store.write::<_, StoreError, _>(issue).await
}
