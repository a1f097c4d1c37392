//! Registered clients as operators list, find and change them.
//!
//! A change is one transaction. It increments the client's epoch, so that every node notices the change at the client's next
//! request (AS-116), and it wakes the client's held polls. When a client is disabled, nothing else changes: once it is enabled,
//! its consents, grants and tokens are valid again, unless they have expired.
//!
//! A deleted client is marked as deleted, and all its requests are refused at once and for ever. Its row is kept, so that its id
//! is never reused (DCR-016). Workers end its consents, with their grants and journeys, and drop its events, one bounded batch at
//! a time (DCR-043). Accepted orders are still executed.

mod removal;

pub use removal::end_consents_of_deleted_clients;

use crate::audit::digest_client;
use jiff::Timestamp;
use lombard_domain::audit::AuditRecord;
use lombard_domain::client::{Client, ClientStatus};
use lombard_domain::ids::ClientId;
use lombard_domain::operator_changes::{ChangeReason, OperatorChanges};
use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{ServerTransaction, Store, StoreError};

/// The largest number of clients that a lookup by name reads; a name with more clients is ambiguous anyway.
const NAMED_MAX: u32 = 20;

/// The most clients in a page of the list.
pub const PAGE_CLIENTS_MAX: u32 = 200;

/// The most redirect URIs of a client.
pub const REDIRECT_URIS_MAX: usize = 32;

/// A client, with the changes that operators made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientDetails {
    /// The client.
    pub client: Client,
    /// The changes that operators made.
    pub changes: OperatorChanges,
}

/// A page of the list of clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientList {
    /// The clients of the page, by id.
    pub clients: Vec<ClientDetails>,
    /// The id after which the next page begins; `None` if this page is the last one.
    pub next: Option<ClientId>,
}

/// Why a client was not found or not changed. Each is a whole sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No client has this id or name.
    #[error("There is no TPP with this client id, software id or name.")]
    Unknown,
    /// Several clients have this name.
    #[error("Several TPPs have this name; use the client id of one of them: {}.", .0.join(", "))]
    Ambiguous(Vec<String>),
    /// The client was deleted.
    #[error("This TPP was deleted, which cannot be undone: the TPP must register again and gets another client id.")]
    Deleted,
    /// No role was named.
    #[error("A TPP has at least one role; disable the TPP to refuse all its requests.")]
    NoRole,
    /// A role is beyond the software statement.
    #[error(
        "The TPP's software statement does not grant the role {role}: roles can be narrowed, and widened up to those of the \
         statement ({granted})."
    )]
    RoleNotGranted {
        /// The role.
        role: &'static str,
        /// The roles that can be set.
        granted: String,
    },
    /// No redirect URI was named, or too many.
    #[error("A TPP has 1 to {REDIRECT_URIS_MAX} redirect URIs.")]
    RedirectUriCount,
    /// No registration waits for approval.
    #[error("Nothing of this TPP's registration waits for approval.")]
    NothingPending,
    /// A redirect URI is not acceptable.
    #[error("The redirect URI number {0} is not one that this TPP may have: {1}")]
    RedirectUri(usize, &'static str),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The limits that a client's registration sets for changes by an operator.
pub trait RegistrationBounds: Send {
    /// The roles that may be set.
    fn roles(&self, client: &Client) -> Vec<TppRole>;

    /// The redirect URIs that the client's statement grants.
    fn redirect_uris(&self, client: &Client) -> Vec<String>;

    /// Why a redirect URI must not be set, as a sentence; `None` if it may be set.
    fn redirect_uri_fault(&self, client: &Client, uri: &str) -> Option<&'static str>;
}

/// A page of the list of clients, with at most `limit` and at most [`PAGE_CLIENTS_MAX`] clients.
///
/// # Errors
/// [`StoreError`].
pub async fn list_clients(store: &Store, after: Option<ClientId>, limit: u32) -> Result<ClientList, StoreError> {
    let limit = limit.clamp(1, PAGE_CLIENTS_MAX);
    let read_page = move |tx: &mut dyn ServerTransaction| {
        let page = tx.clients_page(after.as_ref(), limit)?;
        let clients =
            page.clients.into_iter().map(|client| with_changes(tx, client)).collect::<Result<_, StoreError>>()?;
        Ok(ClientList { clients, next: page.next })
    };
    store.read(read_page).await
}

/// The client with this client id, or else the only client with this software id, software name, organisation name or alias.
/// `alias` is the id of the client that the operator calls by this name, if there is one. A deleted client is found by its id,
/// and by a name that no other client has.
///
/// # Errors
/// [`ClientError::Unknown`], [`ClientError::Ambiguous`], or storage's failure.
pub async fn find_client(store: &Store, name: &str, alias: Option<ClientId>) -> Result<ClientDetails, ClientError> {
    let name = name.to_owned();
    store.read(move |tx| find(tx, &name, alias.as_ref())).await
}

fn find(tx: &mut dyn ServerTransaction, name: &str, alias: Option<&ClientId>) -> Result<ClientDetails, ClientError> {
    let mut found = tx.clients_named(name, NAMED_MAX)?;
    if let Some(own) = found.iter().position(|client| client.id.as_str() == name) {
        let client = found.swap_remove(own);
        return Ok(with_changes(tx, client)?);
    }
    if let Some(alias) = alias
        && !found.iter().any(|client| client.id == *alias)
    {
        found.extend(tx.client(alias)?);
    }
    if found.iter().any(|client| client.status != ClientStatus::Deleted) {
        found.retain(|client| client.status != ClientStatus::Deleted);
    }
    match found.len() {
        0 => Err(ClientError::Unknown),
        1 => match found.pop() {
            Some(client) => Ok(with_changes(tx, client)?),
            None => Err(ClientError::Unknown),
        },
        _ => Err(ClientError::Ambiguous(found.iter().map(|client| client.id.to_string()).collect())),
    }
}

/// A change of a client by an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientChange {
    /// All requests of the client are refused until it is enabled.
    Disable,
    /// Requests of a disabled client are served again.
    Enable,
    /// The client has these roles. Source: DCR-042.
    SetRoles(Vec<TppRole>),
    /// The client has these redirect URIs. Source: DCR-042.
    SetRedirectUris(Vec<String>),
    /// The client's requests must meet this security profile. Existing codes, tokens and journeys stay valid. Source: AS-154.
    SetProfile(SecurityProfile),
    /// The registration that awaits approval takes effect. Source: DCR-042.
    ApproveRegistration,
    /// The registration that awaits approval is dropped. Source: DCR-042.
    RefuseRegistration,
    /// These messages are signed for the client, beyond what its profile demands. Source: AS-182.
    SetSignedMessages(SignedMessages),
    /// All requests of the client are refused for ever. Source: DCR-043.
    Delete,
}

/// Changes a client, and stores this record of who does it and why. Returns whether it was changed; a repeated change has no effect.
/// `bounds` states what the client's registration allows.
///
/// # Errors
/// The [`ClientError`]; nothing has changed then.
pub async fn change_client(
    (store, ids, now): (&Store, &IdGenerator, Timestamp),
    id: &ClientId,
    change: ClientChange,
    record: AuditRecord,
    bounds: impl RegistrationBounds + 'static,
) -> Result<(ClientDetails, bool), ClientError> {
    let (id, ids) = (id.clone(), ids.clone());
    store
        .write(move |tx| {
            let client = tx.client(&id)?.ok_or(ClientError::Unknown)?;
            let before = with_changes(tx, client)?;
            let after = apply(&before, &change, record.reason.as_ref(), now, &bounds)?;
            let is_changed = after != before;
            if is_changed {
                if after.client != before.client {
                    tx.client_update(&after.client)?;
                }
                tx.operator_changes_put(&id, &after.changes)?;
                let digests = (Some(digest_client(&before.client)), Some(digest_client(&after.client)));
                tx.audit_append(&record.clone().with_digests(digests.0, digests.1))?;
                if change == ClientChange::Delete {
                    removal::enqueue(tx, &ids, &id, now)?;
                }
            }
            Ok((after, is_changed))
        })
        .await
}

/// Deletes a client that deleted its own registration, and stores this record. Of several concurrent deletions, only one succeeds. Source: DCR-043.
///
/// # Errors
/// [`ClientError::Unknown`], [`ClientError::Deleted`], or storage's failure.
pub async fn delete_client(
    stored: (&Store, &IdGenerator, Timestamp),
    id: &ClientId,
    record: AuditRecord,
) -> Result<(), ClientError> {
    /// Bounds for a deletion, which sets neither roles nor redirect URIs.
    struct NothingIsSet;

    impl RegistrationBounds for NothingIsSet {
        fn roles(&self, _: &Client) -> Vec<TppRole> {
            Vec::new()
        }

        fn redirect_uris(&self, _: &Client) -> Vec<String> {
            Vec::new()
        }

        fn redirect_uri_fault(&self, _: &Client, _: &str) -> Option<&'static str> {
            Some("it cannot be set by a deletion.")
        }
    }

    let (_, is_deleted_now) = change_client(stored, id, ClientChange::Delete, record, NothingIsSet).await?;
    if is_deleted_now { Ok(()) } else { Err(ClientError::Deleted) }
}

/// The client after a change; equal to the given client if nothing is to be changed.
fn apply(
    before: &ClientDetails,
    change: &ClientChange,
    reason: Option<&ChangeReason>,
    now: Timestamp,
    bounds: &impl RegistrationBounds,
) -> Result<ClientDetails, ClientError> {
    if before.client.status == ClientStatus::Deleted {
        return if *change == ClientChange::Delete { Ok(before.clone()) } else { Err(ClientError::Deleted) };
    }
    let mut after = before.clone();
    match change {
        ClientChange::Disable => after.client.status = ClientStatus::Disabled,
        ClientChange::Enable => after.client.status = ClientStatus::Active,
        ClientChange::Delete => after.client.status = ClientStatus::Deleted,
        ClientChange::SetRoles(roles) => after.client.roles = allowed_roles(roles, &bounds.roles(&before.client))?,
        ClientChange::SetRedirectUris(uris) => {
            check_redirect_uris(uris, |uri| bounds.redirect_uri_fault(&before.client, uri))?;
            after.client.redirect_uris.clone_from(uris);
        }
        ClientChange::SetProfile(profile) => after.client.profile = *profile,
        ClientChange::ApproveRegistration => {
            let pending = after.changes.pending_registration.take().ok_or(ClientError::NothingPending)?;
            after.client = pending.apply_to(&before.client);
        }
        ClientChange::RefuseRegistration => {
            after.changes.pending_registration.take().ok_or(ClientError::NothingPending)?;
            return Ok(after);
        }
        ClientChange::SetSignedMessages(signed) => after.client.signed_messages = *signed,
    }
    if after.client == before.client {
        return Ok(before.clone());
    }
    after.client.epoch = before.client.epoch.saturating_add(1);
    match change {
        ClientChange::Disable | ClientChange::Enable | ClientChange::Delete => {
            after.changes.status_changed_at = Some(now);
            after.changes.status_reason = reason.cloned();
            if *change == ClientChange::Delete {
                after.changes.pending_registration = None;
            }
        }
        // The operator sets all that the statement grants, so nothing is narrowed any longer and the next registration may change
        // it.
        ClientChange::SetRoles(_) => {
            after.changes.roles_changed_at = (after.client.roles != bounds.roles(&before.client)).then_some(now);
        }
        ClientChange::SetRedirectUris(uris) => {
            let granted = bounds.redirect_uris(&before.client);
            let is_all = granted.iter().all(|uri| uris.contains(uri)) && granted.len() == uris.len();
            after.changes.redirect_uris_changed_at = (!is_all).then_some(now);
        }
        // Nothing distinguishes the value from the one that the client registered.
        ClientChange::SetProfile(_)
        | ClientChange::SetSignedMessages(_)
        | ClientChange::ApproveRegistration
        | ClientChange::RefuseRegistration => {}
    }
    Ok(after)
}

/// The roles in their usual order, each once, if all of them are granted.
fn allowed_roles(wanted: &[TppRole], granted: &[TppRole]) -> Result<Vec<TppRole>, ClientError> {
    if let Some(role) = wanted.iter().find(|role| !granted.contains(role)) {
        let names: Vec<_> = granted.iter().map(|role| role.name()).collect();
        return Err(ClientError::RoleNotGranted { role: role.name(), granted: names.join(", ") });
    }
    let roles: Vec<_> = TppRole::ALL.into_iter().filter(|role| wanted.contains(role)).collect();
    if roles.is_empty() { Err(ClientError::NoRole) } else { Ok(roles) }
}

fn check_redirect_uris(uris: &[String], fault: impl Fn(&str) -> Option<&'static str>) -> Result<(), ClientError> {
    if !(1..=REDIRECT_URIS_MAX).contains(&uris.len()) {
        return Err(ClientError::RedirectUriCount);
    }
    let refused = uris.iter().zip(1..).find_map(|(uri, number)| fault(uri).map(|why| (number, why)));
    refused.map_or(Ok(()), |(number, why)| Err(ClientError::RedirectUri(number, why)))
}

fn with_changes(tx: &mut dyn ServerTransaction, client: Client) -> Result<ClientDetails, StoreError> {
    let changes = tx.operator_changes(&client.id)?;
    Ok(ClientDetails { client, changes })
}

#[cfg(test)]
mod tests;
