//! Resolves callers: the client, grant and scopes of an access token and a certificate, as they are now.
//!
//! A cached caller is never trusted without a check: every request reads from storage the epochs of the token's client, grant and consent.
//! If an epoch has changed, everything is read again. Only live callers are cached, so nobody can fill the cache without valid tokens. The
//! caller of a single payment's token is not cached, because that token is used for only one or two calls.

mod consent_use;
mod early;
mod known_clients;

use crate::certificates::ClientCertificate;
use crate::client_keys::ClientKeys;
use crate::error::FailedCheck;
use consent_use::{LastNoted, PendingUses};
pub use early::UnconfirmedCaller;
use jiff::Timestamp;
use known_clients::KnownClients;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentState, EffectiveConsentStatus, RevokedBy};
use lombard_domain::grant::{CallerEpochs, Digest, GrantSubject, TokenKind};
use lombard_domain::ids::{ClientId, GrantId};
use lombard_domain::scope::{Scope, Scopes};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{ServerTransaction, Store, StoreError, TokenContext};
use quick_cache::sync::Cache;
use std::fmt;
use std::sync::Arc;

/// The most cached callers; the least used are evicted first.
const CALLERS_MAX: usize = 16_384;

/// The authenticated caller of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The client.
    pub client: ClientId,
    /// The registration of the client: its names, and its keys, which verify its messages. Source: RW-221.
    pub registration: Arc<Client>,
    /// The grant of the token.
    pub grant: GrantId,
    /// The subject of the grant: the client alone, or a PSU and a consent.
    pub subject: GrantSubject,
    /// The scopes of the token that the client still has. Source: AS-052.
    pub scopes: Scopes,
    /// The consent, if the token is a PSU's.
    pub consent: Option<Arc<Consent>>,
    /// When the token was issued (wall clock).
    pub issued_at: Timestamp,
    /// When the token expires (wall clock).
    pub expires_at: Timestamp,
    /// The thumbprint of the certificate that the token is bound to. Source: AS-092.
    pub certificate: Digest,
    epochs: CallerEpochs,
}

impl Caller {
    /// The epochs of client, grant and consent, as read for this request.
    pub const fn epochs(&self) -> CallerEpochs {
        self.epochs
    }
}

/// Why a caller was not authenticated. The response to all but the last is 401. Source: AS-110, AS-111, RW-109.
#[derive(Debug, thiserror::Error)]
pub enum CallerProblem {
    /// No client certificate was presented.
    #[error("no client certificate")]
    NoCertificate,
    /// There is no `Authorization` header.
    #[error("no token")]
    Missing,
    /// The header is not a bearer token.
    #[error("not a bearer token")]
    Malformed,
    /// The token is not valid, or is bound to another certificate. The second value is for the log: the client, if the request
    /// had the certificate of the token.
    #[error("the token is not valid: {0:?}")]
    Invalid(InvalidToken, Option<ClientId>),
    /// Storage failed.
    #[error("storage failed")]
    Unavailable(#[from] StoreError),
}

/// Why a token is not valid. The response discloses only whether it has expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvalidToken {
    /// The token was never issued, or was purged.
    Unknown,
    /// The token is a refresh token.
    NotAnAccessToken,
    /// The token has expired.
    Expired,
    /// The token or its grant was revoked.
    Revoked,
    /// The client is disabled or deleted. Source: AS-113.
    ClientDisabled,
    /// The token is bound to another certificate. Source: AS-111.
    OtherCertificate,
    /// The certificate is outside its validity period, or is not for TLS. Source: AS-113.
    CertificateUnusable,
    /// The directory has revoked the certificate for the client's software. Source: TLS-006.
    CertificateRevoked,
    /// The directory publishes no keys of the client's software any more. Source: DCR-044.
    SoftwareWithdrawn,
    /// The consent was deleted, or access under it was ended. Source: AIS-066.
    AccessEnded,
    /// The bank ended access; the PSU can authorise it again. Source: AIS-066, RW-133.
    ConsentSuspended,
    /// The consent has expired. Source: AIS-077.
    ConsentExpired,
}

impl CallerProblem {
    /// The reason as metrics and logs name it.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NoCertificate => "no_certificate",
            Self::Missing => "missing",
            Self::Malformed => "malformed",
            Self::Invalid(invalid, _) => invalid.reason(),
            Self::Unavailable(_) => "unavailable",
        }
    }

    /// The status of the consent whose end made the token unusable; `None` for the expiry of the token itself and for an end that the
    /// client or the PSU caused. Source: RW-109, RW-133, CON-30.
    pub const fn consent_ended(&self) -> Option<EffectiveConsentStatus> {
        match self {
            Self::Invalid(InvalidToken::ConsentExpired, _) => Some(EffectiveConsentStatus::Expired),
            Self::Invalid(InvalidToken::ConsentSuspended, _) => Some(EffectiveConsentStatus::Revoked(RevokedBy::Bank)),
            _ => None,
        }
    }

    /// The `WWW-Authenticate` header of the response. Source: AS-111, RFC 6750 section 3.
    pub const fn challenge(&self) -> &'static str {
        match self {
            Self::Missing => "Bearer",
            Self::Malformed => r#"Bearer error="invalid_request""#,
            Self::NoCertificate | Self::Invalid(..) | Self::Unavailable(_) => r#"Bearer error="invalid_token""#,
        }
    }

    /// The check that the caller did not pass. Source: AS-110.
    pub const fn failed_check(&self) -> FailedCheck {
        let (rule, reason) = match self {
            Self::NoCertificate => ("TLS-004", "The connection has no client certificate."),
            Self::Missing => ("RW-109", "There is no access token in the Authorization header."),
            Self::Malformed => ("AS-112", "The Authorization header is not a bearer token."),
            Self::Invalid(invalid, _) => return invalid.failed_check(),
            Self::Unavailable(_) => ("RW-114", "The token could not be looked up."),
        };
        FailedCheck { rule, reason }
    }

    /// The client of the token, if the request had the token's own certificate.
    pub const fn client(&self) -> Option<&ClientId> {
        match self {
            Self::Invalid(_, client) => client.as_ref(),
            Self::NoCertificate | Self::Missing | Self::Malformed | Self::Unavailable(_) => None,
        }
    }
}

impl InvalidToken {
    /// The check that the token did not pass.
    const fn failed_check(self) -> FailedCheck {
        let (rule, reason) = match self {
            Self::Unknown => ("RW-109", "The access token is not known here."),
            Self::NotAnAccessToken => ("RW-109", "The token is a refresh token, not an access token."),
            Self::Expired => ("RW-109", "The access token has expired."),
            Self::Revoked => ("RW-109", "The access token or its grant was revoked."),
            Self::ClientDisabled => ("AS-113", "The client of the access token is disabled or deleted."),
            Self::OtherCertificate => ("AS-111", "The access token is bound to another client certificate."),
            Self::CertificateUnusable => {
                ("AS-113", "The client certificate is not valid now, or not one for TLS clients.")
            }
            Self::CertificateRevoked => ("TLS-006", "The directory has revoked the client certificate."),
            Self::SoftwareWithdrawn => {
                ("DCR-044", "The directory publishes no keys of the client's software any more.")
            }
            Self::AccessEnded => ("AIS-066", "The consent of the access token gives no access any more."),
            Self::ConsentSuspended => ("RW-133", "The bank ended the access that the consent gave."),
            Self::ConsentExpired => ("AIS-077", "The consent of the access token has expired."),
        };
        FailedCheck { rule, reason }
    }

    /// The reason as metrics and logs name it.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::NotAnAccessToken => "not_an_access_token",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::ClientDisabled => "client_disabled",
            Self::OtherCertificate => "other_certificate",
            Self::CertificateUnusable => "certificate_unusable",
            Self::CertificateRevoked => "certificate_revoked",
            Self::SoftwareWithdrawn => "software_withdrawn",
            Self::AccessEnded => "access_ended",
            Self::ConsentSuspended => "consent_suspended",
            Self::ConsentExpired => "consent_expired",
        }
    }
}

/// The token of an `Authorization` header: `Bearer`, in any case, and one token. Source: AS-112.
///
/// # Errors
/// [`CallerProblem::Missing`] or [`CallerProblem::Malformed`].
pub fn bearer_token(authorization: Option<&str>) -> Result<&str, CallerProblem> {
    let header = authorization.ok_or(CallerProblem::Missing)?;
    let (scheme, token) = header.split_once(' ').ok_or(CallerProblem::Malformed)?;
    let token = token.trim_matches(' ');
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    let sound = scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && token.bytes().all(is_token);
    if sound { Ok(token) } else { Err(CallerProblem::Malformed) }
}

/// Finds callers by their tokens. Cloning shares the cache.
#[derive(Clone)]
pub struct CallerResolver {
    store: Store,
    clocks: Clocks,
    known: Arc<Cache<Digest, CachedCaller>>,
    shared: Arc<SharedByClones>,
}

struct SharedByClones {
    /// Registrations, which the cached callers of a client share to save memory.
    known_clients: KnownClients,
    uses: PendingUses,
    /// The published keys of clients, with which directories revoke certificates and withdraw software.
    client_keys: Option<ClientKeys>,
}

/// A cached caller, and when the use of its consent was last recorded.
#[derive(Debug, Clone)]
struct CachedCaller {
    caller: Arc<Caller>,
    noted: Arc<LastNoted>,
}

impl fmt::Debug for CallerResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallerResolver").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

impl CallerResolver {
    /// A resolver over this store, with an empty cache.
    pub fn new(store: Store, clocks: Clocks) -> Self {
        Self::with(store, clocks, None)
    }

    /// A resolver that also refuses certificates and software that the directories of these key sets have revoked or withdrawn. Source:
    /// TLS-006, DCR-044.
    pub fn with_client_keys(store: Store, clocks: Clocks, client_keys: ClientKeys) -> Self {
        Self::with(store, clocks, Some(client_keys))
    }

    fn with(store: Store, clocks: Clocks, client_keys: Option<ClientKeys>) -> Self {
        let known_clients = KnownClients::default();
        let shared = SharedByClones { known_clients, uses: PendingUses::default(), client_keys };
        Self { store, clocks, known: Arc::new(Cache::new(CALLERS_MAX)), shared: Arc::new(shared) }
    }

    /// The cached registrations of the clients that called.
    pub(crate) fn known_clients(&self) -> &KnownClients {
        &self.shared.known_clients
    }

    /// Resolves the caller of an `Authorization` header and a certificate. Counts and logs refusals.
    ///
    /// # Errors
    /// The [`CallerProblem`].
    pub async fn resolve_caller_from_header(
        &self,
        authorization: Option<&str>,
        certificate: Option<&ClientCertificate>,
    ) -> Result<Arc<Caller>, CallerProblem> {
        // The certificate comes first (AS-110): without one there is nothing a token could be bound to.
        let token = if certificate.is_none() { Err(CallerProblem::NoCertificate) } else { bearer_token(authorization) };
        match token {
            Ok(token) => self.resolve_caller(token, certificate).await,
            Err(problem) => {
                note(&problem, None);
                Err(problem)
            }
        }
    }

    /// Resolves the caller of a token and a certificate. Counts and logs refusals.
    ///
    /// # Errors
    /// The [`CallerProblem`], never [`CallerProblem::Missing`] or [`CallerProblem::Malformed`].
    pub async fn resolve_caller(
        &self,
        token: &str,
        certificate: Option<&ClientCertificate>,
    ) -> Result<Arc<Caller>, CallerProblem> {
        let hash = lombard_jose::sha256(token.as_bytes());
        let result = self.resolve_token(hash, certificate).await;
        if let Err(problem) = &result {
            note(problem, Some(hash));
        }
        result
    }

    async fn resolve_token(
        &self,
        hash: Digest,
        certificate: Option<&ClientCertificate>,
    ) -> Result<Arc<Caller>, CallerProblem> {
        let certificate = certificate.ok_or(CallerProblem::NoCertificate)?;
        if let Some(known) = self.unchanged(&hash).await? {
            return self.admit(known, certificate);
        }
        let thumbprint = certificate.thumbprint();
        let loaded = self.store.read_by_one_query(move |tx| load(tx, &hash, thumbprint)).await?;
        let mut caller = loaded.map_err(|(invalid, client)| CallerProblem::Invalid(invalid, client))?;
        caller.registration = self.shared.known_clients.keep(caller.registration);
        let calls_again = caller.consent.as_ref().is_none_or(|consent| consent.request.kind().is_long_lived());
        let caller = Arc::new(caller);
        let known = CachedCaller { caller, noted: Arc::default() };
        let caller = self.admit(known.clone(), certificate)?;
        if calls_again {
            self.known.insert(hash, known);
        }
        Ok(caller)
    }

    /// The cached caller, if the epochs of its client, grant and consent have not changed.
    async fn unchanged(&self, hash: &Digest) -> Result<Option<CachedCaller>, StoreError> {
        let Some(known) = self.known.get(hash) else { return Ok(None) };
        let grant = known.caller.grant.clone();
        let epochs = self.store.read_by_one_query(move |tx| tx.epochs(&grant)).await?;
        if epochs == Some(known.caller.epochs) {
            return Ok(Some(known));
        }
        self.known.remove(hash);
        Ok(None)
    }

    /// Stores when consents were last used, as recorded in memory since the previous call. Requests do not write this themselves;
    /// its precision is some minutes.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call writes it.
    pub async fn write_consent_uses(&self) -> Result<(), StoreError> {
        self.shared.uses.write(&self.store).await
    }

    /// Checks the conditions that change without a write to storage, and records the use of the consent.
    fn admit(&self, known: CachedCaller, certificate: &ClientCertificate) -> Result<Arc<Caller>, CallerProblem> {
        let bank = self.check(&known.caller, certificate)?;
        known.caller.consent.iter().for_each(|consent| self.shared.uses.note(&known.noted, consent, bank));
        Ok(known.caller)
    }

    /// Checks the conditions that change without a write to storage: the time, and the certificate of this connection. Returns the bank's
    /// time.
    fn check(&self, caller: &Caller, certificate: &ClientCertificate) -> Result<Timestamp, CallerProblem> {
        let (wall, bank) = self.clocks.wall_and_bank();
        let token_expired = wall >= caller.expires_at;
        // A VRP consent and its token end with the last day of the control parameters (ERR-007). Until then a late payment is refused with
        // the parameter that forbids it (VRP-031).
        let is_over = |consent: &Consent| consent.access_ends_at().is_some_and(|end| end <= bank);
        let consent_expired = caller
            .consent
            .as_ref()
            .is_some_and(|consent| consent.is_expired(bank) || (token_expired && is_over(consent)));
        let keys = self.shared.client_keys.as_ref();
        let is_revoked = keys.is_some_and(|keys| keys.is_revoked(&caller.registration, certificate));
        let is_withdrawn = keys.is_some_and(|keys| keys.is_withdrawn(&caller.registration));
        let checks = [
            (caller.certificate == certificate.thumbprint(), InvalidToken::OtherCertificate),
            (certificate.is_usable(wall), InvalidToken::CertificateUnusable),
            (!is_revoked, InvalidToken::CertificateRevoked),
            (!is_withdrawn, InvalidToken::SoftwareWithdrawn),
            // A token never outlives its consent (AIS-078), so the consent's expiry is reported for both.
            (!consent_expired, InvalidToken::ConsentExpired),
            (!token_expired, InvalidToken::Expired),
        ];
        match checks.into_iter().find(|(passed, _)| !passed) {
            Some((_, invalid)) => {
                let is_own = invalid != InvalidToken::OtherCertificate;
                Err(CallerProblem::Invalid(invalid, is_own.then(|| caller.client.clone())))
            }
            None => Ok(bank),
        }
    }
}

/// Why a token is not valid, and its client if the request had the token's own certificate.
type RefusedToken = (InvalidToken, Option<ClientId>);

/// Reads a token with its client, grant and consent by one query. Only a request with the token's own certificate learns how the consent
/// ended.
fn load(
    tx: &mut dyn ServerTransaction,
    hash: &Digest,
    certificate: Digest,
) -> Result<Result<Caller, RefusedToken>, StoreError> {
    let Some(TokenContext { state, client, consent }) = tx.token_holder(hash)? else {
        return Ok(Err((InvalidToken::Unknown, None)));
    };
    let is_own = state.token.certificate == certificate;
    let holder = is_own.then(|| client.id.clone());
    let refused = |invalid| Ok(Err((invalid, holder.clone())));
    let (TokenKind::Access, Some(expires_at)) = (state.token.kind, state.token.expires_at) else {
        return refused(InvalidToken::NotAnAccessToken);
    };
    if is_own && consent.as_ref().is_some_and(is_suspended) {
        return refused(InvalidToken::ConsentSuspended);
    }
    if state.token.revoked_at.is_some() || state.grant.revoked_at.is_some() {
        return refused(InvalidToken::Revoked);
    }
    if !client.may_act() {
        return refused(InvalidToken::ClientDisabled);
    }
    let consent = match (&state.grant.subject, consent) {
        (GrantSubject::Client, _) => None,
        (GrantSubject::Psu { .. }, Some(it)) if it.client == client.id && has_access(&it) => Some(Arc::new(it)),
        (GrantSubject::Psu { .. }, _) => return refused(InvalidToken::AccessEnded),
    };
    let open = client.scopes().with_scope(Scope::OpenId);
    Ok(Ok(Caller {
        client: client.id.clone(),
        grant: state.grant.id,
        subject: state.grant.subject,
        scopes: state.token.scopes.iter().filter(|scope| open.contains(*scope)).collect(),
        consent,
        issued_at: state.token.issued_at,
        expires_at,
        certificate: state.token.certificate,
        epochs: state.epochs,
        registration: Arc::new(client),
    }))
}

/// Whether the stored consent gives access. Its expiry depends on the clock and is checked for each request.
fn has_access(consent: &Consent) -> bool {
    consent.check_access(Timestamp::MIN).is_ok()
}

/// Whether the bank ended access and the PSU can authorise it again.
fn is_suspended(consent: &Consent) -> bool {
    consent.state == ConsentState::Revoked(RevokedBy::Bank) && consent.deleted_at.is_none()
}

/// Counts and logs the refusal of a valid token that the called endpoint does not accept. `reason` comes from a closed list.
pub fn log_token_refusal(reason: &'static str) {
    note_refused(reason, None);
}

fn note(problem: &CallerProblem, token: Option<Digest>) {
    note_refused(problem.reason(), token);
}

/// Counts and logs a refusal. The log holds only the first 8 hex digits of the token's hash. Source: TLS-018.
fn note_refused(reason: &'static str, token: Option<Digest>) {
    metrics::counter!("lombard_token_refusals_total", "reason" => reason).increment(1);
    match token {
        Some(token) => tracing::info!(security.refusal = reason, token = ?token, "token refused"),
        None => tracing::info!(security.refusal = reason, "token refused"),
    }
}

#[cfg(test)]
mod tests;
