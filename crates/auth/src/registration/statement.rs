//! Verifies the software statement of a request: it must be signed by a configured directory and be about active software. Source: DCR-020
//! to DCR-023.

use crate::AuthorisationServer;
use crate::addresses::is_callable_address;
use crate::claims::{NumericDate, is_from_future, read_claims};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::settings::{Directory, DirectoryKeys, RegistrationPolicy, RegistrationSettings};
use crate::software_statement::{ACTIVE, AuthorityRegistration, SoftwareStatement};
use jiff::Timestamp;
use lombard_domain::client::KeySetAddress;
use lombard_domain::scope::TppRole;
use lombard_jose::CompactJws;
use std::sync::Arc;

/// The most characters of a software's id. Source: DCR-005.
const SOFTWARE_ID_CHARS_MAX: usize = 22;
/// The most characters of an organisation's id.
const ORG_ID_CHARS_MAX: usize = 18;
/// The most characters of the name of a software or an organisation.
const NAME_CHARS_MAX: usize = 255;
/// The most characters of the address of a key set.
const URL_CHARS_MAX: usize = 512;

/// A statement that its directory signed and that this server accepts.
#[derive(Debug, Clone)]
pub(super) struct AcceptedStatement {
    /// The `iss` of the directory that signed it.
    pub(super) directory: String,
    /// The statement as it was signed.
    pub(super) text: String,
    pub(super) software_id: String,
    pub(super) software_name: String,
    pub(super) org_id: String,
    pub(super) org_name: String,
    pub(super) on_behalf_of: Option<String>,
    /// The roles of the software, at least one.
    pub(super) roles: Vec<TppRole>,
    pub(super) redirect_uris: Vec<String>,
    /// The address at which the software publishes its keys.
    pub(super) key_set: KeySetAddress,
    /// The organisation's registrations with authorities.
    pub(super) authorities: Vec<AuthorityRegistration>,
}

/// Verifies the directory's signature, then checks the claims.
pub(super) async fn accept(
    auth: &AuthorisationServer,
    settings: &RegistrationSettings,
    text: &str,
) -> Result<AcceptedStatement, OAuthError> {
    let jws = CompactJws::parse(text).map_err(|_| invalid("software_statement is not a signed JWT."))?;
    let jws = Arc::new(jws);
    let claims: SoftwareStatement = read_claims(&jws).map_err(|sentence| {
        invalid(sentence.unwrap_or("software_statement is not one JSON object without repeated names."))
    })?;
    let directory = settings.directories.iter().find(|directory| Some(&directory.issuer) == claims.iss.as_ref());
    let Some(directory) = directory else {
        return Err(unapproved("The issuer of the software statement is no directory of this server."));
    };
    verify(auth, directory, jws).await?;
    check_times(&claims, settings, auth.context.clocks.wall_now())?;
    read(text, claims, directory, settings)
}

async fn verify(auth: &AuthorisationServer, directory: &Directory, jws: Arc<CompactJws>) -> Result<(), OAuthError> {
    let Some(kid) = jws.header().kid.as_deref() else { return Err(invalid("software_statement has no kid.")) };
    let keys = match &directory.keys {
        DirectoryKeys::Local(keys) => Arc::clone(keys),
        DirectoryKeys::Published(address) => {
            let published = auth.client_keys.published_keys(address, Some(kid)).await;
            published.ok_or_else(|| OAuthError::unavailable(DirectoryKeysMissing))?
        }
    };
    let verified = auth.client_keys.verify_compact(Arc::clone(&jws), keys).await;
    verified.map_err(|_| invalid("software_statement is not signed with PS256 by a key of its directory."))
}

/// The keys of a directory could not be fetched.
#[derive(Debug, thiserror::Error)]
#[error("the keys of a directory are not known")]
struct DirectoryKeysMissing;

fn check_times(claims: &SoftwareStatement, settings: &RegistrationSettings, now: Timestamp) -> Result<(), OAuthError> {
    let Some(NumericDate(issued)) = claims.iat else { return Err(invalid("software_statement has no iat.")) };
    if is_from_future(issued, now) {
        return Err(invalid("software_statement is from the future."));
    }
    let now = now.as_second();
    if settings.statement_age_secs_max.is_some_and(|age| now.saturating_sub(issued) > age) {
        return Err(invalid("software_statement is too old; get a new one from the directory."));
    }
    if claims.exp.is_some_and(|NumericDate(end)| end <= now) {
        return Err(invalid("software_statement has expired."));
    }
    Ok(())
}

fn read(
    text: &str,
    claims: SoftwareStatement,
    directory: &Directory,
    settings: &RegistrationSettings,
) -> Result<AcceptedStatement, OAuthError> {
    if claims.org_status.as_deref() != Some(ACTIVE) {
        return Err(unapproved("The organisation is not active in the directory (org_status)."));
    }
    if !claims.is_authorised() {
        return Err(unapproved(
            "The organisation's authorisation is not active (organisation_competent_authority_claims).",
        ));
    }
    if settings.live_software_only && claims.software_mode.as_deref() != Some("Live") {
        return Err(unapproved("The software is not live in the directory (software_mode)."));
    }
    let (roles, authorities) = (claims.roles(), claims.authorities());
    if roles.is_empty() {
        return Err(unapproved("software_roles has none of AISP, PISP and CBPII."));
    }
    let software_id = id(claims.software_id, SOFTWARE_ID_CHARS_MAX)
        .ok_or(invalid("software_id is not 1 to 22 letters and digits."))?;
    let org_id = id(claims.org_id, ORG_ID_CHARS_MAX).ok_or(invalid("org_id is not 1 to 18 letters and digits."))?;
    if settings.policy == RegistrationPolicy::AllowList
        && !settings.allowed.iter().any(|allowed| *allowed == software_id || *allowed == org_id)
    {
        return Err(unapproved("The bank has not admitted this software; ask the bank."));
    }
    let keys = url(claims.software_jwks_endpoint).ok_or(invalid("software_jwks_endpoint is not an https:// URL."))?;
    let revoked_url = match claims.software_jwks_revoked_endpoint {
        None => None,
        Some(given) => Some(url(Some(given)).ok_or(invalid("software_jwks_revoked_endpoint is not an https:// URL."))?),
    };
    let on_behalf_of = match claims.software_on_behalf_of_org.filter(|name| !name.is_empty()) {
        None => None,
        Some(given) => Some(name(Some(given)).ok_or(invalid("software_on_behalf_of_org is not a name."))?),
    };
    Ok(AcceptedStatement {
        directory: directory.issuer.clone(),
        text: text.to_owned(),
        software_id,
        software_name: name(claims.software_client_name).ok_or(invalid("software_client_name is not a name."))?,
        org_id,
        org_name: name(claims.org_name).ok_or(invalid("org_name is not a name."))?,
        on_behalf_of,
        roles,
        redirect_uris: claims.software_redirect_uris,
        key_set: KeySetAddress { url: keys, revoked_url },
        authorities,
    })
}

/// Checks an id of the directory, which consists of letters and digits.
fn id(given: Option<String>, chars_max: usize) -> Option<String> {
    let is_id =
        |text: &String| (1..=chars_max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    given.filter(is_id)
}

/// Checks a name that customers are shown: one line of bounded length.
fn name(given: Option<String>) -> Option<String> {
    let is_name = |text: &String| {
        let chars = text.chars().count();
        !text.trim().is_empty() && chars <= NAME_CHARS_MAX && !text.chars().any(char::is_control)
    };
    given.filter(is_name)
}

/// Checks the address of a key set. Its host is checked when the key set is fetched.
fn url(given: Option<String>) -> Option<String> {
    let is_url = |text: &String| text.len() <= URL_CHARS_MAX && is_callable_address(text);
    given.filter(is_url)
}

const fn invalid(description: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::InvalidSoftwareStatement, description)
}

const fn unapproved(description: &'static str) -> OAuthError {
    OAuthError::new(OAuthErrorCode::UnapprovedSoftwareStatement, description)
}
