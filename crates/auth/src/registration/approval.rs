//! Separates the part of a replaced registration that exceeds what an operator approved and therefore waits for a new approval. Source:
//! DCR-042.

use crate::software_statement::read_logo_uri;
use lombard_domain::client::Client;
use lombard_domain::pending_registration::PendingRegistration;

/// Returns the client to serve from now on, and the part that waits. Approved values stay in force; values that are no longer requested end
/// at once.
pub(super) fn split_for_approval(approved: &Client, asked: Client) -> (Client, Option<PendingRegistration>) {
    if !goes_beyond(approved, &asked) {
        return (asked, None);
    }
    let pending = PendingRegistration::of_client(&asked);
    let mut served = Client { epoch: asked.epoch, ..approved.clone() };
    // A registration keeps at least one role and one address.
    let roles: Vec<_> = approved.roles.iter().copied().filter(|role| asked.roles.contains(role)).collect();
    if !roles.is_empty() {
        served.roles = roles;
    }
    let is_asked = |uri: &&String| asked.redirect_uris.contains(uri);
    let redirect_uris: Vec<_> = approved.redirect_uris.iter().filter(is_asked).cloned().collect();
    if !redirect_uris.is_empty() {
        served.redirect_uris = redirect_uris;
    }
    (served, Some(pending))
}

/// Whether a registration permits the client more than the approved one does, or changes what customers are shown.
fn goes_beyond(approved: &Client, asked: &Client) -> bool {
    let shown = |client: &Client| {
        (client.org_name.clone(), client.software_name.clone(), client.on_behalf_of.clone(), read_logo_uri(client))
    };
    let protocol = match (&approved.registration, &asked.registration) {
        (Some(approved), Some(asked)) => {
            asked.grant_types.iter().any(|grant| !approved.grant_types.contains(grant))
                || asked.response_types.iter().any(|kind| !approved.response_types.contains(kind))
        }
        // A client that an operator created has no such list and may use all of them.
        (None, _) => false,
        (Some(_), None) => true,
    };
    let adds_roles = asked.roles.iter().any(|role| !approved.roles.contains(role));
    let adds_addresses = asked.redirect_uris.iter().any(|uri| !approved.redirect_uris.contains(uri));
    let other_backchannel = asked.backchannel.is_some() && asked.backchannel != approved.backchannel;
    protocol
        || adds_roles
        || adds_addresses
        || other_backchannel
        || shown(asked) != shown(approved)
        || asked.org_id != approved.org_id
        || asked.authentication != approved.authentication
        || asked.jwks != approved.jwks
}
