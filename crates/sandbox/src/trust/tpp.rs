//! TPP folders: `tpps/<name>/` contains all files that a TPP needs to call the bank.

use super::authority::CertificateAuthority;
use super::certificate::{self, CertificateProfile, RsaPublic, TppSubject, from_pem};
use super::directory::SandboxDirectory;
use super::files::TrustFolder;
use super::keys::{TransportKey, signing_key, transport_key};
use super::tpp_certificates::TppCertificates;
use super::tpp_json::TppJson;
use super::{TrustError, statement};
use jiff::Timestamp;
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::{Client, ClientAuthentication, ClientStatus, Jwks};
use lombard_domain::ids::{ClientId, KeyId, OrgId, PsuId, SoftwareId};
use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_jose::{KeySet, SigningKey};
use rcgen::KeyPair;

/// The client authentication method of a requested TPP. Source: AS-020.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TppAuth {
    /// `private_key_jwt`.
    PrivateKeyJwt,
    /// `tls_client_auth`, by the subject of the TPP's transport certificate.
    TlsClientAuth,
}

/// The request for a TPP.
#[derive(Debug, Clone)]
pub struct TppRequest {
    /// The name of the TPP's folder: 1 to 40 lower-case letters, digits and hyphens.
    pub name: String,
    /// The TPP's regulated roles, at least one.
    pub roles: Vec<TppRole>,
    /// The TPP's client authentication method.
    pub auth: TppAuth,
    /// How the TPP receives the results of backchannel authentication, if it may use that.
    pub backchannel: Option<BackchannelDelivery>,
    /// For a headless TPP, the PSU for whom its authorisation requests are decided at once.
    pub headless: Option<PsuId>,
    /// The security profile to which the TPP's requests must conform. Source: AS-154.
    pub profile: SecurityProfile,
    /// The TPP's redirect URIs, at least one, the default one first. [`is_sandbox_redirect_uri`] must hold for each of them.
    pub redirect_uris: Vec<String>,
    /// The form of the TPP's certificates.
    pub certificates: TppCertificates,
    /// The type of the key of the TPP's transport certificate. A folder that has a key keeps this key.
    pub transport_key: TransportKey,
    /// The TPP's client id.
    pub client_id: ClientId,
    /// The TPP's organisation in the directory: 18 alphanumeric characters.
    pub org_id: OrgId,
    /// The id of the TPP's software statement: at most 22 alphanumeric characters.
    pub software_id: SoftwareId,
}

/// Whether a TPP of this name has a folder.
pub(super) fn exists(folder: &TrustFolder, name: &str) -> Result<bool, TrustError> {
    check_name(name)?;
    Ok(folder.read(&file(name, "tpp.json"))?.is_some())
}

/// The client id in the folder of a TPP; `None` if the name is invalid or no folder has this name.
pub(super) fn client_of(folder: &TrustFolder, name: &str) -> Result<Option<ClientId>, TrustError> {
    if check_name(name).is_err() {
        return Ok(None);
    }
    Ok(read_card(folder, name)?.and_then(|card| card.client_id))
}

/// The certificates in the folder of a TPP, by the names of their files (DER).
pub(super) fn certificates(folder: &TrustFolder, name: &str) -> Result<Vec<(&'static str, Vec<u8>)>, TrustError> {
    let mut found = Vec::new();
    for certificate in ["transport.pem", "signing.pem"] {
        let der = folder.read(&file(name, certificate))?.as_deref().and_then(from_pem);
        found.extend(der.map(|der| (certificate, der)));
    }
    Ok(found)
}

/// Generates the keys of a TPP whose folder is not finished.
pub(super) fn make_keys(folder: &TrustFolder, name: &str, kind: TransportKey) -> Result<(), TrustError> {
    if !exists(folder, name)? {
        folder.create(&format!("tpps/{name}"))?;
        TppKeys::open_or_create(folder, name, kind)?;
    }
    Ok(())
}

/// Issues the requested files and writes the folder. An existing folder keeps its ids and keys, and also its certificates and statement if
/// they match the request. Tokens are bound to the certificate (AS-092), and a start must not invalidate them. `tpp.json` is written
/// last, so that a folder without it is known to be unfinished.
pub(super) fn issue(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    directory: &SandboxDirectory,
    order: &TppRequest,
    now: Timestamp,
) -> Result<Client, TrustError> {
    let files = issue_files(folder, authority, directory, (order, Some(&order.client_id)), now)?;
    let id = files.card.client_id.clone().unwrap_or_else(|| order.client_id.clone());
    Ok(client(order, id, &files, now))
}

/// Issues the requested files of a TPP that has no client id yet.
pub(super) fn issue_unregistered(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    directory: &SandboxDirectory,
    order: &TppRequest,
    now: Timestamp,
) -> Result<(), TrustError> {
    issue_files(folder, authority, directory, (order, None), now).map(drop)
}

/// The files that were issued for a TPP.
struct TppFiles {
    card: TppJson,
    signing: SigningKey,
    software_statement: String,
}

fn issue_files(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    directory: &SandboxDirectory,
    (order, client_id): (&TppRequest, Option<&ClientId>),
    now: Timestamp,
) -> Result<TppFiles, TrustError> {
    check(order)?;
    folder.create(&format!("tpps/{}", order.name))?;
    let keys = TppKeys::open_or_create(folder, &order.name, order.transport_key)?;
    let kept = read_card(folder, &order.name)?;
    let mut card = card(order, client_id, kept.clone(), keys.signing.id());
    if order.auth == TppAuth::TlsClientAuth {
        let subject_dn = TppSubject::of(&card, &card.org_name(), &order.roles).rfc_4514();
        card.tls_client_auth_subject_dn = Some(subject_dn);
    }
    let same_subject =
        kept.as_ref().is_some_and(|kept| kept.roles == card.roles && kept.certificates == card.certificates);
    if !same_subject || !certificates_stay(folder, authority, &order.name, &keys, now)? {
        issue_certificates(folder, authority, &card, &order.roles, &keys, now)?;
    }
    SandboxDirectory::publish(folder, &card.software_id, keys.signing.public())?;
    let software_statement = software_statement(folder, directory, &card, kept.as_ref() == Some(&card), now)?;
    let json = serde_json::to_string_pretty(&card).map_err(|error| folder.bad("tpp.json", error))?;
    folder.write(&file(&order.name, "tpp.json"), &format!("{json}\n"))?;
    Ok(TppFiles { card, signing: keys.signing, software_statement })
}

/// Renews the certificates and the statement of a folder if necessary. Returns whether certificates were renewed.
pub(super) fn renew(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    directory: &SandboxDirectory,
    name: &str,
    now: Timestamp,
) -> Result<bool, TrustError> {
    check_name(name)?;
    let Some(card) = read_card(folder, name)? else { return Ok(false) };
    let roles = card.roles().ok_or_else(|| folder.bad(&file(name, "tpp.json"), "a role is not known"))?;
    let keys = TppKeys::open_or_create(folder, name, TransportKey::default())?;
    if keys.signing.id() != &card.signing_kid {
        return Err(folder.bad(&file(name, "signing.key"), "it is not the key of signing_kid in tpp.json"));
    }
    SandboxDirectory::publish(folder, &card.software_id, keys.signing.public())?;
    software_statement(folder, directory, &card, true, now)?;
    if certificates_stay(folder, authority, name, &keys, now)? {
        return Ok(false);
    }
    issue_certificates(folder, authority, &card, &roles, &keys, now)?;
    Ok(true)
}

/// Whether both certificates of a folder exist, match these keys and this authority, and are not near expiry.
fn certificates_stay(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    name: &str,
    keys: &TppKeys,
    now: Timestamp,
) -> Result<bool, TrustError> {
    let kept = |certificate: &str| -> Result<Option<Vec<u8>>, TrustError> {
        Ok(folder.read(&file(name, certificate))?.as_deref().and_then(from_pem))
    };
    let transport_stays = kept("transport.pem")?
        .is_some_and(|der| certificate::can_be_kept(&der, &keys.transport, authority.key_id(), now));
    let signing_stays = kept("signing.pem")?
        .is_some_and(|der| certificate::can_be_kept(&der, &RsaPublic(&keys.signing), authority.key_id(), now));
    Ok(transport_stays && signing_stays)
}

/// The software statement of a TPP: the existing one if it can be kept, verifies and names the URL of the keys; otherwise a new one.
fn software_statement(
    folder: &TrustFolder,
    directory: &SandboxDirectory,
    card: &TppJson,
    may_stay: bool,
    now: Timestamp,
) -> Result<String, TrustError> {
    let path = file(&card.name, "software_statement.jwt");
    if may_stay && let Some(kept) = folder.read(&path)?.filter(|text| statement::is_current(directory, card, text)) {
        return Ok(kept);
    }
    let statement = statement::sign(directory, card, now)?;
    folder.write(&path, &statement)?;
    Ok(statement)
}

/// A TPP's private keys.
struct TppKeys {
    transport: KeyPair,
    signing: SigningKey,
}

impl TppKeys {
    fn open_or_create(folder: &TrustFolder, name: &str, kind: TransportKey) -> Result<Self, TrustError> {
        Ok(Self {
            transport: transport_key(folder, &file(name, "transport.key"), kind)?,
            signing: signing_key(folder, &file(name, "signing.key"))?,
        })
    }
}

fn issue_certificates(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    card: &TppJson,
    roles: &[TppRole],
    keys: &TppKeys,
    now: Timestamp,
) -> Result<(), TrustError> {
    let org_name = card.org_name();
    let subject = TppSubject::of(card, &org_name, roles);
    let transport = authority.issue(&CertificateProfile::TppTransport(subject), &keys.transport, now)?;
    let seal = authority.issue(&CertificateProfile::TppSeal(subject), &RsaPublic(&keys.signing), now)?;
    folder.write(&file(&card.name, "transport.pem"), &transport.pem())?;
    folder.write(&file(&card.name, "signing.pem"), &seal.pem())
}

/// The contents of `tpp.json`: the requested values, with existing ids kept.
fn card(order: &TppRequest, client_id: Option<&ClientId>, kept: Option<TppJson>, signing_kid: &KeyId) -> TppJson {
    let (client_id, org_id, software_id) = match kept {
        Some(kept) => (kept.client_id.or_else(|| client_id.cloned()), kept.org_id, kept.software_id),
        None => (client_id.cloned(), order.org_id.clone(), order.software_id.clone()),
    };
    let method = match order.auth {
        TppAuth::PrivateKeyJwt => ClientAuthentication::PrivateKeyJwt.name(),
        TppAuth::TlsClientAuth => ClientAuthentication::TlsClientAuth { subject_dn: String::new() }.name(),
    };
    TppJson {
        client_id,
        org_id,
        software_id,
        roles: order.roles.iter().map(|role| role.name().to_owned()).collect(),
        redirect_uris: order.redirect_uris.clone(),
        token_endpoint_auth_method: method.to_owned(),
        tls_client_auth_subject_dn: None,
        signing_kid: signing_kid.clone(),
        backchannel_token_delivery_mode: order.backchannel.as_ref().map(|delivery| delivery.name().to_owned()),
        backchannel_client_notification_endpoint: notification_endpoint(order).map(str::to_owned),
        headless: order.headless.clone(),
        certificates: order.certificates,
        name: order.name.clone(),
    }
}

fn client(order: &TppRequest, id: ClientId, files: &TppFiles, now: Timestamp) -> Client {
    let TppFiles { card, signing, software_statement } = files;
    let authentication = match &card.tls_client_auth_subject_dn {
        None => ClientAuthentication::PrivateKeyJwt,
        Some(subject_dn) => ClientAuthentication::TlsClientAuth { subject_dn: subject_dn.clone() },
    };
    Client {
        id,
        status: ClientStatus::Active,
        org_id: card.org_id.clone(),
        software_id: card.software_id.clone(),
        software_name: card.software_name(),
        on_behalf_of: None,
        roles: order.roles.clone(),
        redirect_uris: order.redirect_uris.clone(),
        authentication,
        jwks: Jwks::Local(KeySet::from_iter([signing.public().clone()]).to_json()),
        software_statement: software_statement.clone(),
        backchannel: order.backchannel.clone(),
        registration: None,
        profile: order.profile,
        signed_messages: SignedMessages::default(),
        headless: order.headless.clone(),
        created_at: now,
        epoch: 0,
        org_name: card.org_name(),
    }
}

fn read_card(folder: &TrustFolder, name: &str) -> Result<Option<TppJson>, TrustError> {
    let path = file(name, "tpp.json");
    let Some(json) = folder.read(&path)? else { return Ok(None) };
    let card: TppJson = serde_json::from_str(&json).map_err(|error| folder.bad(&path, error))?;
    Ok(Some(TppJson { name: name.to_owned(), ..card }))
}

fn file(name: &str, file: &str) -> String {
    format!("tpps/{name}/{file}")
}

fn check(order: &TppRequest) -> Result<(), TrustError> {
    check_name(&order.name)?;
    let alphanumeric = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if order.org_id.as_str().len() != 18 || !alphanumeric(order.org_id.as_str()) {
        return Err(TrustError::InvalidRequest("an organisation id has 18 letters and digits"));
    }
    if !(1..=22).contains(&order.software_id.as_str().len()) || !alphanumeric(order.software_id.as_str()) {
        return Err(TrustError::InvalidRequest("a software id has 1 to 22 letters and digits"));
    }
    if order.roles.is_empty() {
        return Err(TrustError::InvalidRequest("a TPP has at least one of the roles aisp, pisp, cbpii"));
    }
    if order.redirect_uris.is_empty() || !order.redirect_uris.iter().all(|uri| is_sandbox_redirect_uri(uri)) {
        return Err(TrustError::InvalidRequest(
            "a TPP has at least one redirect URI, and all are https:// URIs, or http:// URIs of localhost or 127.0.0.1, without \
             fragment",
        ));
    }
    if notification_endpoint(order).is_some_and(|uri| !is_redirect_uri(uri)) {
        return Err(TrustError::InvalidRequest("a notification endpoint is an https:// URI without fragment"));
    }
    Ok(())
}

fn notification_endpoint(order: &TppRequest) -> Option<&str> {
    order.backchannel.as_ref().and_then(BackchannelDelivery::endpoint)
}

/// Whether a URI is a valid redirect URI. It must have no fragment, because the response is added as one, and browsers must parse it in the
/// same way. Source: RFC 6749 section 3.1.2, RFC 3986 section 2.
pub fn is_redirect_uri(uri: &str) -> bool {
    let Some(rest) = uri.strip_prefix("https://") else { return false };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let may_stand = |byte: u8| byte.is_ascii_graphic() && !b"#\"<>\\^`{|}".contains(&byte);
    !authority.is_empty() && !authority.contains('@') && uri.bytes().all(may_stand)
}

/// Whether a TPP of a sandbox may have this redirect URI. A URI without TLS is allowed for a program on the same machine.
pub fn is_sandbox_redirect_uri(uri: &str) -> bool {
    let Some(rest) = uri.strip_prefix("http://") else { return is_redirect_uri(uri) };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    ["localhost", "127.0.0.1"].contains(&host)
        && port.parse::<u16>().is_ok()
        && is_redirect_uri(&format!("https://{rest}"))
}

/// Checks a TPP's name, which becomes a folder name and must not be a path.
fn check_name(name: &str) -> Result<(), TrustError> {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if (1..=40).contains(&name.len()) && name.bytes().all(letter) && name.bytes().any(|byte| byte != b'-') {
        return Ok(());
    }
    Err(TrustError::InvalidRequest(
        "a TPP's name has 1 to 40 lower-case letters, digits and hyphens, not hyphens alone",
    ))
}
