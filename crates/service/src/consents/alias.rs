//! The account ids that are given to TPPs.

use aws_lc_rs::hmac;
use lombard_domain::ids::{AccountId, BankAccountId, ClientId};

/// What this TPP calls this account: the same over all its consents, different for every other TPP, and not to be
/// guessed without the key. UUID-shaped, so it fits the 40 characters of the standard. Source: AIS-087, AIS-088.
pub fn assign_account_alias(key: &[u8], client: &ClientId, account: &BankAccountId) -> AccountId {
    let mut mac = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    // The length keeps ("ab", "c") apart from ("a", "bc").
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
