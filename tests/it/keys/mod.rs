//! The bank's signing keys.

mod certified;
mod pkcs11;
mod reseal;
mod retire;
mod rotate;
mod withdraw;

use crate::harness::{EVERYTHING, access};
use lombard_jose::CompactJws;
use lombard_tpp::{ExpectedIdToken, Tpp};

/// The key a fresh identity token is signed with; the token is checked against the published keys.
async fn signing_key(tpp: &Tpp) -> String {
    let token = access(tpp, &EVERYTHING).await.tokens.id_token.unwrap();
    tpp.check_id_token(&token, &tpp.bank_keys().await.unwrap(), &ExpectedIdToken::default()).await.unwrap();
    CompactJws::parse(&token).unwrap().header().kid.clone().unwrap()
}

/// The ids of the published keys.
async fn published_kids(tpp: &Tpp) -> Vec<String> {
    let keys = tpp.bank_keys().await.unwrap();
    keys.iter().map(|key| key.id().unwrap().to_string()).collect()
}
