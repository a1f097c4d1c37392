//! Software statements that the directory signs. Source: DCR-022.

use super::certificate::AuthorityNumber;
use super::directory::{ISSUER, SandboxDirectory};
use super::tpp_certificates::TppCertificates;
use super::tpp_json::TppJson;
use jiff::Timestamp;
use lombard_jose::{CompactJws, JoseHeader, KeyError, KeySet, SystemEntropy, base64url, sign_compact};
use serde_json::{Map, Value, json};

/// Signs the software statement of a TPP.
pub(super) fn sign(directory: &SandboxDirectory, card: &TppJson, now: Timestamp) -> Result<String, KeyError> {
    let mut jti = [0; 16];
    SystemEntropy.fill(&mut jti);
    let roles: Vec<&str> = card.roles.iter().map(String::as_str).collect();
    let (authority_id, registration_id) = match card.certificates {
        TppCertificates::Qwac => ("FCAGBR", AuthorityNumber::of(&card.org_id).to_string()),
        TppCertificates::Obwac | TppCertificates::Legacy => ("OBGBR", format!("Unknown{}", card.org_id)),
    };
    let mut claims = json!({
        "iss": ISSUER,
        "iat": now.as_second(),
        "jti": base64url(&jti),
        "software_id": card.software_id,
        "software_client_name": card.software_name(),
        "software_roles": roles,
        "software_redirect_uris": card.redirect_uris,
        "software_jwks_endpoint": directory.software_keys_url(&card.software_id),
        "software_jwks_revoked_endpoint": directory.software_revoked_keys_url(&card.software_id),
        "software_mode": "Test",
        "software_environment": "sandbox",
        "org_id": card.org_id,
        "org_name": card.org_name(),
        "org_status": "Active",
        "organisation_competent_authority_claims": {
            "authority_id": authority_id,
            "registration_id": registration_id,
            "status": "Active",
            "authorisations": [{"member_state": "GB", "roles": roles}],
        },
    });
    if let (Some(claims), Some(client)) = (claims.as_object_mut(), &card.client_id) {
        claims.insert("software_client_id".to_owned(), client.as_str().into());
    }
    let header = JoseHeader::ps256(directory.key.id()).typ("JWT");
    sign_compact(&directory.key, &header, claims.to_string().as_bytes())
}

/// Whether the directory signed this statement, and publishes the software's keys at the URL in the statement.
pub(super) fn is_current(directory: &SandboxDirectory, card: &TppJson, text: &str) -> bool {
    let keys = KeySet::from_iter([directory.key.public().clone()]);
    let Ok(jws) = CompactJws::parse(text) else { return false };
    let Ok(claims) = jws.claims::<Map<String, Value>>() else { return false };
    let named = claims.get("software_jwks_endpoint").and_then(Value::as_str);
    jws.verify(&keys).is_ok() && named == Some(directory.software_keys_url(&card.software_id).as_str())
}
