//! Software statements, signed by the directory. Source: DCR-022.

use super::tpp_json::TppJson;
use jiff::Timestamp;
use lombard_jose::{JoseHeader, KeyError, SigningKey, SystemEntropy, base64url, sign_compact};
use serde_json::json;

/// The issuer of the sandbox's software statements.
const ISSUER: &str = "Lombard sandbox directory";

/// Signs the software statement of a TPP.
pub(super) fn sign(directory: &SigningKey, card: &TppJson, now: Timestamp) -> Result<String, KeyError> {
    let mut jti = [0; 16];
    SystemEntropy.fill(&mut jti);
    let roles: Vec<&str> = card.roles.iter().map(String::as_str).collect();
    let claims = json!({
        "iss": ISSUER,
        "iat": now.as_second(),
        "jti": base64url(&jti),
        "software_id": card.software_id,
        "software_client_id": card.client_id,
        "software_client_name": card.software_name(),
        "software_roles": roles,
        "software_redirect_uris": card.redirect_uris,
        "software_mode": "Test",
        "software_environment": "sandbox",
        "org_id": card.org_id,
        "org_name": card.org_name(),
        "org_status": "Active",
        "organisation_competent_authority_claims": {
            "authority_id": "OBGBR",
            "registration_id": format!("Unknown{}", card.org_id),
            "status": "Active",
            "authorisations": [{"member_state": "GB", "roles": roles}],
        },
    });
    sign_compact(directory, &JoseHeader::ps256(directory.id()).typ("JWT"), claims.to_string().as_bytes())
}
