//! The records of customers and TPPs, and the digests of consents and clients.

use super::digest_bytes;
use crate::Context;
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::client::Client;
use lombard_domain::code::StoredCode;
use lombard_domain::consent::Consent;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::payment::order::Order;
use serde_json::json;

impl Context {
    /// The record of a customer's decision by the request of this context.
    pub fn customer_record(&self, psu: &PsuId, action: AuditAction, target: &str) -> AuditRecord {
        self.of_call(AuditRecord::of_customer(psu, self.clocks.wall_now(), action, target))
    }

    /// The record of a TPP's act on its own registration by the request of this context.
    pub fn tpp_record(&self, client: &ClientId, action: AuditAction) -> AuditRecord {
        self.of_call(AuditRecord::of_tpp(client, self.clocks.wall_now(), action))
    }

    fn of_call(&self, record: AuditRecord) -> AuditRecord {
        let from = self.call.customer_address.map(|address| address.to_string()).unwrap_or_default();
        AuditRecord { from, interaction_id: self.call.interaction.clone(), ..record }
    }
}

/// The digest of who decided what about a consent.
pub fn digest_consent(consent: &Consent) -> Digest {
    let Consent { id, client, state, state_changed_at, psu, accounts, .. } = consent;
    let accounts: Vec<_> = accounts.iter().map(|selected| selected.account.as_str()).collect();
    let document = json!({
        "id": id.as_str(),
        "client": client.as_str(),
        "state": state.code(),
        "state_changed_at": state_changed_at.to_string(),
        "psu": psu.as_ref().map(PsuId::as_str),
        "accounts": accounts,
    });
    digest_bytes(document.to_string().as_bytes())
}

/// The digest of what a client may do.
pub fn digest_client(client: &Client) -> Digest {
    let roles: Vec<_> = client.roles.iter().map(|role| role.name()).collect();
    let document = json!({
        "id": client.id.as_str(),
        "status": client.status.name(),
        "roles": roles,
        "redirect_uris": client.redirect_uris,
        "profile": client.profile.name(),
        "software_statement": client.software_statement,
        "epoch": client.epoch,
    });
    digest_bytes(document.to_string().as_bytes())
}

/// The digest of who has approved an order.
pub fn digest_order(order: &Order) -> Digest {
    let approved = order.approvals.iter().flat_map(|approvals| &approvals.received);
    let document = json!({
        "id": order.id.as_str(),
        "client": order.client.as_str(),
        "approved_by": approved.map(PsuId::as_str).collect::<Vec<_>>(),
    });
    digest_bytes(document.to_string().as_bytes())
}
