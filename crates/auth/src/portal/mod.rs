//! The login of a TPP's developers at the portal.
//!
//! A link with a secret of 256 bits opens one session, once and within minutes. Operators can create links for any client; a caller with a
//! client's certificate can create one for that client. A session shows only the data of its client. It ends when it is idle, after some
//! hours, at logout, or when the client is not active.

use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::certificates::{ClientCertificate, DistinguishedName};
use crate::error::OAuthError;
use crate::submission::SubmittedPage;
use crate::submission::{FORM_LIFETIME, new_salt};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::audit::AuditRecord;
use lombard_domain::client::{Client, ClientAuthentication};
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;
use lombard_domain::portal::{PortalLink, PortalSession};
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{ServerTransaction, Store, StoreError};

/// The lifetime of a link.
pub const LINK_LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// The lifetime of a session without activity.
const IDLE: SignedDuration = SignedDuration::from_mins(60);

/// The longest lifetime of a session.
const LIFETIME: SignedDuration = SignedDuration::from_hours(12);

/// The shortest time between two writes of a session's activity.
const EXTENDED_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// The server's half of the form token of a browser without a session; the browser's secret alone makes that token unique.
pub(crate) const NO_SESSION: Digest = Digest([0; 32]);

/// A logged-in developer of a client.
#[derive(Debug)]
pub struct PortalLogin {
    /// The current registration of the client.
    pub client: Client,
    /// The form token for the page's forms.
    pub form_token: String,
    browser: BrowserSecret,
    /// The server's half of the tokens of the session's forms.
    server_half: Digest,
    now: Timestamp,
}

impl PortalLogin {
    /// Whether a form token was made for this session within the last hour.
    pub fn owns_form(&self, form_token: &str) -> bool {
        is_form_token(&self.browser, &self.server_half, form_token, self.now)
    }

    /// The digest that identifies the session for rate limits.
    pub fn session_digest(&self) -> Digest {
        self.browser.digest()
    }
}

/// Creates a link for a client, and stores the record if staff make it. Returns the secret of the link, of which only a digest is stored; `None`
/// if the client is not active.
///
/// # Errors
/// [`StoreError`].
pub async fn create_portal_link(
    (store, ids, now): (&Store, &IdGenerator, Timestamp),
    client: &ClientId,
    record: Option<AuditRecord>,
) -> Result<Option<String>, StoreError> {
    let secret = ids.random_secret();
    let link = PortalLink {
        secret: lombard_jose::sha256(&secret),
        client: client.clone(),
        expires_at: now.saturating_add(LINK_LIFETIME).unwrap_or(now),
    };
    let insert = move |tx: &mut dyn ServerTransaction| {
        if !tx.client_may_act(&link.client)? {
            return Ok(false);
        }
        record.iter().try_for_each(|record| tx.audit_append(record))?;
        tx.portal_link_insert(&link).map(|()| true)
    };
    let is_made = store.write::<_, StoreError, _>(insert).await?;
    Ok(is_made.then(|| lombard_jose::base64url(&secret)))
}

/// The client of a link; `None` if the link was used or has expired, or the client is not active. The link stays valid.
///
/// # Errors
/// [`StoreError`].
pub async fn find_linked_client(auth: &AuthorisationServer, secret: &str) -> Result<Option<Client>, StoreError> {
    let (Some(digest), now) = (link_digest(secret), auth.context.clocks.wall_now()) else { return Ok(None) };
    auth.context.store.read(move |tx| linked_client(tx, &digest, now)).await
}

/// Makes the login form's token, without which a page of another site could log a browser in. Returns it with the browser's secret, which
/// is the known one or a new one.
pub fn make_portal_login_form(auth: &AuthorisationServer, known: Option<BrowserSecret>) -> (BrowserSecret, String) {
    let browser = known.unwrap_or_else(|| BrowserSecret::fresh(&auth.context.ids));
    let token = browser.token(&NO_SESSION);
    (browser, token)
}

/// Opens a session, which marks the link as used, and returns the secret for the browser's cookie. `None` as in
/// [`find_linked_client`], and for a form that was not made for this browser. An earlier session of the browser ends.
///
/// # Errors
/// [`OAuthError`] of the server.
pub async fn open_portal_session(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    secret: &str,
) -> Result<Option<(BrowserSecret, Client)>, OAuthError> {
    let Some(digest) = link_digest(secret).filter(|_| submission.holds(&NO_SESSION)) else { return Ok(None) };
    let former = submission.browser.digest();
    let (ids, now) = (&auth.context.ids, auth.context.clocks.wall_now());
    let browser = BrowserSecret::fresh(ids);
    let after = |duration| now.saturating_add(duration).map_err(OAuthError::server_error);
    let (form_token, idle_at, ends_at) = (lombard_jose::sha256(&ids.random_secret()), after(IDLE)?, after(LIFETIME)?);
    let key = browser.digest();
    let open = move |tx: &mut dyn ServerTransaction| {
        let Some(client) = linked_client(tx, &digest, now)? else { return Ok(None) };
        if !tx.portal_link_remove(&digest)? {
            return Ok(None);
        }
        let session = PortalSession { browser: key, client: client.id.clone(), form_token, idle_at, ends_at };
        tx.portal_session_remove(&former)?;
        tx.portal_session_insert(&session)?;
        Ok::<_, StoreError>(Some(client))
    };
    Ok(auth.context.store.write(open).await?.map(|client| (browser, client)))
}

/// The login of this browser, if there is one. Viewing a page postpones the end of the session for idleness.
///
/// # Errors
/// [`OAuthError`] of the server.
pub async fn view_portal_session(
    auth: &AuthorisationServer,
    browser: &BrowserSecret,
) -> Result<Option<PortalLogin>, OAuthError> {
    let (digest, now) = (browser.digest(), auth.context.clocks.wall_now());
    let find = move |tx: &mut dyn ServerTransaction| {
        let Some(session) = tx.portal_session(&digest)?.filter(|session| session.is_alive(now)) else {
            return Ok(None);
        };
        let client = tx.client(&session.client)?.filter(Client::may_act);
        Ok::<_, StoreError>(client.map(|client| (session, client)))
    };
    let Some((session, client)) = auth.context.store.read(find).await? else { return Ok(None) };
    let idle_at = now.saturating_add(IDLE).map_err(OAuthError::server_error)?;
    if idle_at.duration_since(session.idle_at) >= EXTENDED_EVERY {
        let extend = move |tx: &mut dyn ServerTransaction| tx.portal_session_extend(&digest, idle_at);
        auth.context.store.write::<_, StoreError, _>(extend).await?;
    }
    let salt = format!("{}-{}", now.as_second(), new_salt(&auth.context.ids));
    let (form_token, server_half) = (browser.salted_token(&session.form_token, &salt), session.form_token);
    Ok(Some(PortalLogin { client, form_token, browser: browser.clone(), server_half, now }))
}

/// Ends the session.
///
/// # Errors
/// [`StoreError`].
pub async fn close_portal_session(auth: &AuthorisationServer, login: &PortalLogin) -> Result<(), StoreError> {
    let browser = login.browser.digest();
    auth.context.store.write(move |tx| tx.portal_session_remove(&browser)).await
}

/// The most clients that are found for a certificate.
const CLIENTS_FOUND_MAX: u32 = 50;

/// Finds the active clients that authenticate with this certificate, sorted by id: the `wanted` client, or else at most fifty of the
/// organisation or software that the subject names. If the subject names neither, as in some qualified certificates, only the `wanted`
/// client can be found. A client is left out if the directory has revoked the certificate or withdrawn the client's software. Source:
/// AS-022, AS-029, TLS-006, DCR-044.
///
/// # Errors
/// [`StoreError`].
pub async fn find_clients_of_certificate(
    auth: &AuthorisationServer,
    certificate: &ClientCertificate,
    wanted: Option<ClientId>,
) -> Result<Vec<Client>, StoreError> {
    if !certificate.is_usable(auth.context.clocks.wall_now()) {
        return Ok(Vec::new());
    }
    let holder = certificate.owner_of_clients();
    let found = auth.context.store.read::<_, StoreError, _>(move |tx| match (&wanted, &holder) {
        (Some(id), _) => Ok(tx.client(id)?.into_iter().collect()),
        (None, Some(holder)) => tx.clients_of(holder, CLIENTS_FOUND_MAX),
        (None, None) => Ok(Vec::new()),
    });
    let clients = found.await?;
    let keys = &auth.client_keys;
    let is_usable = |client: &Client| {
        client.may_act()
            && is_held_by(certificate, client)
            && !keys.is_revoked(client, certificate)
            && !keys.is_withdrawn(client)
    };
    Ok(clients.into_iter().filter(is_usable).collect())
}

/// Whether the client authenticates with this certificate.
fn is_held_by(certificate: &ClientCertificate, client: &Client) -> bool {
    match &client.authentication {
        ClientAuthentication::PrivateKeyJwt => certificate.belongs_to(client),
        ClientAuthentication::TlsClientAuth { subject_dn } => {
            DistinguishedName::parse(subject_dn).is_ok_and(|name| name.is_same(certificate.subject()))
        }
    }
}

/// Whether a form token was made for this browser and this server half, and has not expired. Each page has its own token, which holds the
/// time at which it was made.
pub(crate) fn is_form_token(browser: &BrowserSecret, server_half: &Digest, form_token: &str, now: Timestamp) -> bool {
    let Some((salt, _)) = form_token.split_once('.') else { return false };
    let made_at = salt.split_once('-').and_then(|(made_at, _)| made_at.parse().ok());
    let Some(made_at) = made_at.and_then(|second| Timestamp::from_second(second).ok()) else { return false };
    let is_fresh = now.duration_since(made_at) < FORM_LIFETIME;
    let expected = browser.salted_token(server_half, salt);
    is_fresh && lombard_jose::secrets_are_equal(expected.as_bytes(), form_token.as_bytes())
}

/// The digest of a link's secret; `None` if the text is not a secret.
pub(crate) fn link_digest(secret: &str) -> Option<Digest> {
    let secret: [u8; 32] = lombard_jose::from_base64url(secret)?.try_into().ok()?;
    Some(lombard_jose::sha256(&secret))
}

fn linked_client(
    tx: &mut dyn ServerTransaction,
    secret: &Digest,
    now: Timestamp,
) -> Result<Option<Client>, StoreError> {
    let Some(link) = tx.portal_link(secret)?.filter(|link| link.is_alive(now)) else { return Ok(None) };
    Ok(tx.client(&link.client)?.filter(Client::may_act))
}

#[cfg(test)]
mod tests;
