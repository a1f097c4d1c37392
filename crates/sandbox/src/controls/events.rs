//! Raises test events, so that a TPP can be tested without a customer.

use lombard_domain::client::ClientStatus;
use lombard_domain::consent::Consent;
use lombard_domain::event::{ChangeKind, EventResource, ResourceChange, ResourceType};
use lombard_domain::ids::{ClientId, EventId};
use lombard_domain::version::Version;
use lombard_ports::controls::{ControlError, EVENTS_MAX};
use lombard_service::Context;
use std::sync::Arc;

/// The number of events raised per transaction, so that SQLite's writer is not blocked for long.
const BATCH: usize = 500;

/// Raises events for a client. Source: EVT-090.
pub(super) async fn raise(context: &Context, client: &ClientId, count: u32) -> Result<Vec<EventId>, ControlError> {
    if !(1..=EVENTS_MAX).contains(&count) {
        return Err(ControlError::refused("count: a number from 1 to 10000"));
    }
    let change = about_newest(context, client).await?;
    let changes: Vec<ResourceChange> = (0..count).map(|_| change.clone()).collect();
    let mut ids = Vec::with_capacity(changes.len());
    for some in changes.chunks(BATCH) {
        let (some, outbox): (Arc<[ResourceChange]>, _) = (some.into(), context.outbox.clone());
        ids.extend(context.store.write(move |tx| Ok::<_, ControlError>(outbox.raise_all(tx, &some)?)).await?);
    }
    Ok(ids)
}

/// A change of the client's newest consent, or of an invented consent if the client has none.
async fn about_newest(context: &Context, client: &ClientId) -> Result<ResourceChange, ControlError> {
    let asked = client.clone();
    let found: Option<Option<Consent>> = context
        .store
        .read(move |tx| match tx.client(&asked)?.filter(|client| client.status != ClientStatus::Deleted) {
            Some(_) => Ok::<_, ControlError>(Some(tx.consent_newest(&asked)?)),
            None => Ok(None),
        })
        .await?;
    let newest = found.ok_or(ControlError::not_found("client_id: there is no such client; see tpps/*/tpp.json"))?;
    let resource = newest.as_ref().map_or_else(|| invented_change(context), Consent::as_resource);
    Ok(ResourceChange { client: client.clone(), resource, kind: ChangeKind::Authorised, interaction_id: None })
}

fn invented_change(context: &Context) -> EventResource {
    let id: String = context.ids.ordered();
    EventResource { kind: ResourceType::AccountAccessConsent, id: id.into(), version: Version::V3_1 }
}
