//! Dynamic client registration: a TPP registers software of the directory, reads, replaces and deletes its registration.
//! Source: DCR-001 to DCR-054.
//!
//! | Module | Turns | Into |
//! |---|---|---|
//! | `statement` | the software statement | a statement that a configured directory signed and that this server accepts |
//! | `request` | the signed request | claims that the software signed, for this server, once |
//! | `members` | further members of the claims | refusals of what cannot be honoured |
//! | `metadata` | those claims and the certificate | what is registered |
//! | `approval` | a replaced registration | what takes effect, and what waits for an operator |
//! | `response` | a registered client | the answer |
//!
//! A request is used only after the signature of the directory and then that of the software have been verified, in that order (DCR-003).

mod approval;
mod error;
mod members;
mod metadata;
mod request;
mod response;
mod statement;

pub use crate::settings::{
    Directory, DirectoryKeys, RegistrationPolicy, RegistrationSettings, SOFTWARE_REGISTRATIONS_MAX,
};
pub use request::{RegistrationRequest, registration_request_schema};
pub use response::{RegistrationResponse, registration_response_schema};

use crate::AuthorisationServer;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::software_statement::read_statement;
use approval::split_for_approval;
use error::refused;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::client::{Client, ClientStatus, Jwks};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::ClientId;
use lombard_domain::operator_changes::{ChangeReason, OperatorChanges};
use lombard_domain::pending_registration::PendingRegistration;
use lombard_domain::registration::ResponseType;
use lombard_domain::security_profile::SecurityProfile;
use lombard_jose::{base64url, sha256};
use lombard_ports::store::{ClientRegistration, ReplayPurpose, ServerTransaction, SoftwareClientLimits, StoreError};
use lombard_service::audit::digest_client;
use lombard_service::clients::{ClientError, delete_client};
use members::check_members;
use metadata::RegisteredMetadata;
use request::SignedRequest;

/// The most live clients of one software. Source: DCR-017.
pub const SOFTWARE_CLIENTS_MAX: u32 = 10;
/// How long a registration counts against [`RegistrationSettings::software_registrations_max`].
const RECENT: SignedDuration = SignedDuration::from_hours(24);
/// The most bytes of a registration request. Source: DCR-002.
pub const REQUEST_BYTES_MAX: usize = 64 * 1024;

/// The recorded reason for disabling a client that waits for approval.
const WAITS: &str = "waits for approval of its registration";
/// The recorded reason for deleting a client that deleted its registration.
const DEREGISTERED: &str = "deleted by the TPP";

/// The result of a transaction that commits even if it refuses the request.
type Decision<T> = Result<Result<T, OAuthError>, StoreError>;

/// Registers a client. Under `RegistrationPolicy::Approval` the client is disabled until an operator enables it.
///
/// # Errors
/// The errors of RFC 7591 section 3.2.2; `invalid_client` for a certificate that is not the software's (DCR-032); storage's failure. After
/// an error nothing is registered.
pub async fn register_client(
    auth: &AuthorisationServer,
    request: RegistrationRequest<'_>,
) -> Result<RegistrationResponse, OAuthError> {
    let settings = settings_of(auth)?;
    let signed = SignedRequest::verify(auth, settings, request).await?;
    let metadata = metadata::check_metadata(auth, &signed, request.certificate)?;
    check_members(&signed.claims.others, SecurityProfile::default())?;
    let waits = settings.policy == RegistrationPolicy::Approval;
    let now = auth.context.clocks.wall_now();
    let client = Client {
        id: ClientId::new(auth.context.ids.random_id().to_string()),
        status: if waits { ClientStatus::Disabled } else { ClientStatus::Active },
        created_at: now,
        ..new_client(&signed, metadata, now)
    };
    let registered = client.clone();
    let limits = SoftwareClientLimits {
        live_max: SOFTWARE_CLIENTS_MAX,
        recent_max: settings.software_registrations_max,
        recent_since: now - RECENT,
    };
    let record = auth.context.tpp_record(&registered.id, AuditAction::TppRegister);
    let record = record.with_digests(None, Some(digest_client(&registered)));
    let decided = auth.context.store.write::<_, StoreError, _>(move |tx| {
        if let Err(replayed) = claim_request(tx, &signed)? {
            return Ok(Err(replayed));
        }
        match tx.client_register(&client, &signed.statement.directory, limits)? {
            ClientRegistration::Added => {}
            ClientRegistration::TooManyLive => {
                let description = "The software has ten clients; delete one of them first.";
                return Ok(Err(refused(description, "software_clients")));
            }
            ClientRegistration::TooManyRecent => {
                let description =
                    "The software has registered as often as it may within a day; register again tomorrow.";
                return Ok(Err(refused(description, "software_registrations")));
            }
        }
        if waits {
            let changes = OperatorChanges { status_reason: ChangeReason::parse(WAITS), ..OperatorChanges::default() };
            tx.operator_changes_put(&client.id, &changes)?;
        }
        tx.audit_append(&record)?;
        Ok(Ok(()))
    });
    decided.await??;
    retain_keys(auth, &registered);
    tracing::info!(
        audit.action = AuditAction::TppRegister.code(),
        audit.actor = "tpp",
        client.id = registered.id.as_str(),
        client.status = registered.status.name(),
        software.id = registered.software_id.as_str(),
        "a TPP registered"
    );
    response::registration_response(&registered, None)
}

/// Reads the registration of a client.
///
/// # Errors
/// `invalid_token` if the client is not registered any more; storage's failure.
pub async fn read_registration(auth: &AuthorisationServer, id: &ClientId) -> Result<RegistrationResponse, OAuthError> {
    settings_of(auth)?;
    let id = id.clone();
    let found = auth.context.store.read::<_, StoreError, _>(move |tx| Ok((tx.client(&id)?, tx.operator_changes(&id)?)));
    let (client, changes) = found.await?;
    let client = client.filter(Client::may_act).ok_or_else(not_registered)?;
    response::registration_response(&client, changes.pending_registration.as_ref())
}

/// Replaces the registration of a client. Its tokens stay valid, without the scopes that it no longer has. If an operator has restricted
/// roles or redirect URIs, the new registration cannot add any. The security profile does not change. Under the policy of approval, values
/// beyond the approved registration wait for an operator. Source: AS-154, DCR-042.
///
/// # Errors
/// As [`register_client`]; `invalid_token` if the client is not registered any more. After an error nothing has changed.
pub async fn replace_registration(
    auth: &AuthorisationServer,
    id: &ClientId,
    request: RegistrationRequest<'_>,
) -> Result<RegistrationResponse, OAuthError> {
    let settings = settings_of(auth)?;
    let signed = SignedRequest::verify(auth, settings, request).await?;
    let waits = settings.policy == RegistrationPolicy::Approval;
    let metadata = metadata::check_metadata(auth, &signed, request.certificate)?;
    let id = id.clone();
    let record = auth.context.tpp_record(&id, AuditAction::TppReplace);
    let decided = auth.context.store.write::<_, StoreError, _>(move |tx| {
        if let Err(replayed) = claim_request(tx, &signed)? {
            return Ok(Err(replayed));
        }
        replace(tx, &id, &signed, &metadata, waits, &record)
    });
    let (client, pending) = decided.await??;
    retain_keys(auth, &client);
    tracing::info!(
        audit.action = AuditAction::TppReplace.code(),
        audit.actor = "tpp",
        client.id = client.id.as_str(),
        client.registration_pending = pending.is_some(),
        "a TPP replaced its registration"
    );
    response::registration_response(&client, pending.as_ref())
}

fn replace(
    tx: &mut dyn ServerTransaction,
    id: &ClientId,
    signed: &SignedRequest,
    metadata: &RegisteredMetadata,
    waits: bool,
    record: &AuditRecord,
) -> Decision<(Client, Option<PendingRegistration>)> {
    let Some(before) = tx.client(id)?.filter(Client::may_act) else { return Ok(Err(not_registered())) };
    if before.software_id.as_str() != signed.statement.software_id {
        return Ok(Err(refused("The software_id of a registration cannot change.", "software_changed")));
    }
    if directory_of(&before).as_deref() != Some(signed.statement.directory.as_str()) {
        let description = "The software statement is not of the directory that this client was registered by.";
        return Ok(Err(refused(description, "directory_changed")));
    }
    if let Err(error) = check_members(&signed.claims.others, before.profile) {
        return Ok(Err(error));
    }
    let response_types = &metadata.registration.response_types;
    if before.profile.is_fapi2() && metadata.names_response_types && !response_types.contains(&ResponseType::Code) {
        let description = "The bank holds this client to FAPI 2.0, whose response type is code.";
        return Ok(Err(refused(description, "profile")));
    }
    let changes = tx.operator_changes(id)?;
    if changes.roles_changed_at.is_some() && metadata.roles.iter().any(|role| !before.roles.contains(role)) {
        let description = "The bank has narrowed the scope of this client; ask the bank to widen it again.";
        return Ok(Err(refused(description, "roles_of_operator")));
    }
    let is_new = |uri: &String| !before.redirect_uris.contains(uri);
    if changes.redirect_uris_changed_at.is_some() && metadata.redirect_uris.iter().any(is_new) {
        let description = "The bank has set the redirect URIs of this client; ask the bank to add this one.";
        return Ok(Err(OAuthError::new(OAuthErrorCode::InvalidRedirectUri, description)));
    }
    let asked = Client {
        id: before.id.clone(),
        status: before.status,
        profile: before.profile,
        signed_messages: metadata.signed_messages.unwrap_or(before.signed_messages),
        headless: before.headless.clone(),
        created_at: before.created_at,
        epoch: before.epoch.saturating_add(1),
        ..new_client(signed, metadata.clone(), record.at)
    };
    let (after, pending) = if waits { split_for_approval(&before, asked) } else { (asked, None) };
    tx.client_update(&after)?;
    if changes.pending_registration != pending {
        let changes = OperatorChanges { pending_registration: pending.clone(), ..changes };
        tx.operator_changes_put(id, &changes)?;
    }
    tx.audit_append(&record.clone().with_digests(Some(digest_client(&before)), Some(digest_client(&after))))?;
    Ok(Ok((after, pending)))
}

/// Deletes the registration of a client: its requests are refused from now on, and its consents, queue and subscriptions end.
/// Source: DCR-043.
///
/// # Errors
/// `invalid_token` if the client is not registered any more; storage's failure.
pub async fn delete_registration(auth: &AuthorisationServer, id: &ClientId) -> Result<(), OAuthError> {
    settings_of(auth)?;
    let context = &auth.context;
    let stored = (&context.store, &context.ids, context.clocks.wall_now());
    let record = context.tpp_record(id, AuditAction::TppDeregister);
    match delete_client(stored, id, AuditRecord { reason: ChangeReason::parse(DEREGISTERED), ..record }).await {
        Ok(()) => {}
        Err(ClientError::Store(error)) => return Err(error.into()),
        Err(_) => return Err(not_registered()),
    }
    tracing::info!(
        audit.action = AuditAction::TppDeregister.code(),
        audit.actor = "tpp",
        client.id = id.as_str(),
        "a TPP deleted its registration"
    );
    Ok(())
}

/// Revokes the token of a caller that named a client which is not its own. Source: DCR-041.
///
/// # Errors
/// Storage's failure.
pub async fn revoke_misused_token(
    auth: &AuthorisationServer,
    caller: &crate::callers::Caller,
) -> Result<(), OAuthError> {
    let (grant, now) = (caller.grant.clone(), auth.context.clocks.wall_now());
    auth.context.store.write::<_, StoreError, _>(move |tx| tx.grant_revoke(&grant, now)).await?;
    tracing::info!(security.refusal = "DCR-041", client.id = caller.client.as_str(), "a token is revoked");
    Ok(())
}

/// The client that a request describes, without the values that the server assigns.
fn new_client(signed: &SignedRequest, metadata: RegisteredMetadata, now: Timestamp) -> Client {
    let statement = &signed.statement;
    Client {
        id: ClientId::new(String::new()),
        status: ClientStatus::Active,
        org_id: statement.org_id.as_str().into(),
        org_name: statement.org_name.clone(),
        software_id: statement.software_id.as_str().into(),
        software_name: statement.software_name.clone(),
        on_behalf_of: statement.on_behalf_of.clone(),
        roles: metadata.roles,
        redirect_uris: metadata.redirect_uris,
        authentication: metadata.authentication,
        jwks: Jwks::Remote(statement.key_set.clone()),
        software_statement: statement.text.clone(),
        backchannel: metadata.backchannel,
        registration: Some(metadata.registration),
        profile: SecurityProfile::default(),
        signed_messages: metadata.signed_messages.unwrap_or_default(),
        headless: None,
        created_at: now,
        epoch: 0,
    }
}

/// The directory whose statement a client was registered with. Source: AS-187.
fn directory_of(client: &Client) -> Option<String> {
    read_statement(client)?.iss
}

/// Keeps the keys of a client in memory, including which of them were revoked. Source: TLS-006.
fn retain_keys(auth: &AuthorisationServer, client: &Client) {
    client.jwks.address().into_iter().for_each(|address| auth.client_keys.retain(address));
}

/// Claims the request's `jti`, so that no other request of the same directory's software can use it while this request could be replayed.
/// Source: AS-187, DCR-008.
fn claim_request(tx: &mut dyn ServerTransaction, signed: &SignedRequest) -> Decision<()> {
    let SignedRequest { statement, .. } = signed;
    // The key is a digest, because the names of directories may have any length.
    let names = sha256(format!("{}\n{}", statement.software_id, statement.directory).as_bytes());
    let issuer = ClientId::new(base64url(&names.0));
    let is_new =
        tx.one_time_value_claim(&issuer, ReplayPurpose::RegistrationRequest, &signed.jti, signed.expires_at)?;
    Ok(if is_new { Ok(()) } else { Err(refused("The request was used before; sign a new one.", "request_replayed")) })
}

fn settings_of(auth: &AuthorisationServer) -> Result<&RegistrationSettings, OAuthError> {
    let description = "This server registers no clients.";
    auth.settings.registration.as_ref().ok_or(OAuthError::new(OAuthErrorCode::InvalidRequest, description))
}

/// The error for a token whose client is not registered. Source: DCR-041.
fn not_registered() -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidToken, "The token is not one of this client.")
}

#[cfg(test)]
mod tests;
