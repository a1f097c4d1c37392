//! The account ids that are given to TPPs.

use aws_lc_rs::hmac;
use lombard_domain::ids::{AccountId, BankAccountId, ClientId};

/// The `AccountId` of this account for this TPP: the same in all of the TPP's consents, different for every other TPP, and not
/// guessable without the key. It has the form of a UUID, which fits into the standard's 40 characters. Source: AIS-087, AIS-088.
pub fn assign_account_alias(key: &[u8], client: &ClientId, account: &BankAccountId) -> AccountId {
    let mut mac = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    // The length prefix distinguishes ("ab", "c") from ("a", "bc").
    mac.update(&client.as_str().len().to_be_bytes());
    mac.update(client.as_str().as_bytes());
    mac.update(account.as_str().as_bytes());
    let tag = mac.sign();
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(tag.as_ref()) {
        *byte = *from;
    }
    AccountId::new(uuid::Builder::from_custom_bytes(bytes).into_uuid().hyphenated().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ais_087_an_alias_is_stable_per_tpp_and_account() {
        let alias = |key: &str, client: &str, account: &str| {
            assign_account_alias(key.as_bytes(), &ClientId::from(client), &BankAccountId::from(account))
        };
        let one = alias("key", "acme", "acc-1");
        assert_eq!(one, alias("key", "acme", "acc-1"));
        for other in [alias("key", "rival", "acc-1"), alias("key", "acme", "acc-2"), alias("yek", "acme", "acc-1")] {
            assert_ne!(one, other);
        }
        assert_ne!(alias("key", "ab", "c"), alias("key", "a", "bc"));
        assert_eq!(one.as_str().len(), 36);
    }
}
