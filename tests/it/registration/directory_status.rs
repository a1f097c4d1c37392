//! What the directory says of a software after its registration: certificates that it revokes, and software that it withdraws.
//! Source: TLS-006, DCR-022, DCR-044.

use super::*;
use crate::harness::until;
use jiff::SignedDuration;
use lombard_jose::{KeySet, base64url, sha256};
use std::path::PathBuf;

/// After so many seconds key sets are fetched again although nobody signs.
const REFRESH_SECS: i64 = 50 * 60;
const CREDENTIALS: [(&str, &str); 1] = [("grant_type", "client_credentials")];

/// A file of the directory about the software of a TPP.
fn file(bank: &Bank, tpp: &Tpp, kind: &str) -> PathBuf {
    bank.data_dir().join(format!("directory/software/{}{kind}.jwks", tpp.folder.details.software_id))
}

/// The status of a call with a token.
async fn status(tpp: &Tpp, token: &str) -> u16 {
    tpp.get(token, "aisp/account-access-consents/none").await.unwrap().status.as_u16()
}

/// Two clients, one of each method of authentication.
async fn clients(bank: &Bank) -> Vec<Tpp> {
    let mut clients = Vec::new();
    for auth in ["tls_client_auth", "private_key_jwt"] {
        clients.push(registered(bank, &auth.replace('_', "-"), &json!({"auth": auth})).await);
    }
    clients
}

/// The status of a login to the portal by the certificate of a TPP.
async fn portal_login(tpp: &Tpp) -> u16 {
    let address = format!("{}/portal/login", tpp.endpoints.mtls);
    tpp.send(HttpCall::get(address)).await.unwrap().status.as_u16()
}

async fn fresh_token(tpp: &Tpp) -> String {
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    assert_eq!(status(tpp, &token).await, 400, "there is no such consent");
    token
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_006_a_certificate_the_directory_revokes_is_refused_within_an_hour() {
    for bank in Bank::each_engine().await {
        let other = registered(&bank, "other", &json!({})).await;
        for tpp in clients(&bank).await {
            let thumbprint = sha256(&tpp.folder.identity.chain[0]).0;
            let listed = json!({"keys": [{"kty": "RSA", "use": "tls", "x5t#S256": base64url(&thumbprint)}]});
            std::fs::write(file(&bank, &tpp, ".revoked"), listed.to_string()).unwrap();
            bank.clock.advance(SignedDuration::from_secs(REFRESH_SECS / 2));
            let token = fresh_token(&tpp).await;
            bank.clock.advance(SignedDuration::from_secs(REFRESH_SECS / 2));
            until(async || (status(&tpp, &token).await == 401).then_some(())).await;
            tpp.request_token(&CREDENTIALS).await.unwrap().oauth(401, "invalid_client");
            attempt(&tpp, |request| request).await.oauth(401, "invalid_client");
            assert_eq!(portal_login(&tpp).await, 403);
            other.request_token(&CREDENTIALS).await.unwrap().ok(200);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dcr_044_software_is_refused_while_the_directory_withdraws_its_keys() {
    for bank in Bank::each_engine().await {
        for tpp in clients(&bank).await {
            let token = fresh_token(&tpp).await;
            assert_eq!(portal_login(&tpp).await, 302);
            let before = std::fs::read_to_string(file(&bank, &tpp, "")).unwrap();
            let revoked = file(&bank, &tpp, ".revoked");
            std::fs::write(&revoked, &before).unwrap();
            bank.clock.advance(SignedDuration::from_secs(REFRESH_SECS));
            until(async || (status(&tpp, &token).await == 401).then_some(())).await;
            tpp.request_token(&CREDENTIALS).await.unwrap().oauth(401, "invalid_client");
            assert_eq!(portal_login(&tpp).await, 403);
            std::fs::write(&revoked, KeySet::default().to_json()).unwrap();
            bank.clock.advance(SignedDuration::from_secs(REFRESH_SECS));
            until(async || (tpp.request_token(&CREDENTIALS).await.unwrap().status == 200).then_some(())).await;
        }
    }
}
