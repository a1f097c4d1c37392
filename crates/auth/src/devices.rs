//! Known devices: browsers in which a customer has logged in with both factors before. Source: AS-143.
//!
//! Such a browser keeps a cookie that proves it, so that wrong passwords from elsewhere cannot lock the customer out of it. The cookie
//! gives no access: it only determines against which subject a failed attempt counts ([`throttle`]). The server stores nothing for it; the
//! entries of the cookie are authenticated with a key that all nodes share.
//!
//! [`throttle`]: crate::throttle

use crate::subject_digests::user_digest;
use aws_lc_rs::hmac;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_ports::entropy::IdGenerator;
use std::fmt;

/// The most customers of one cookie; the one who logged in least recently is dropped.
const CUSTOMERS_MAX: usize = 4;

/// The character between the entries of a cookie, which is not one of base64url.
const SEPARATOR: char = '.';

const NONCE_BYTES: usize = 16;
const TIME_BYTES: usize = 8;
const TAG_BYTES: usize = 32;
const ENTRY_BYTES: usize = NONCE_BYTES + TIME_BYTES + TAG_BYTES;

/// The key that authenticates the entries of cookies; all nodes share it.
#[derive(Clone)]
pub struct DeviceKey(hmac::Key);

impl fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeviceKey(…)")
    }
}

/// The parsed cookie of a browser: one entry for each customer, the latest login first. The entries are not verified.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct DeviceCookie(Vec<DeviceEntry>);

impl fmt::Debug for DeviceCookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeviceCookie").field(&self.0.len()).finish()
    }
}

/// A nonce that names the device, the second of the login (wall clock), and the tag over both and the user's name.
#[derive(Clone, PartialEq, Eq)]
struct DeviceEntry {
    nonce: [u8; NONCE_BYTES],
    logged_in: i64,
    tag: [u8; TAG_BYTES],
}

impl DeviceCookie {
    /// Parses the value of a cookie. Parts that are not entries are left out.
    pub fn parse(value: &str) -> Self {
        Self(value.split(SEPARATOR).take(CUSTOMERS_MAX).filter_map(DeviceEntry::parse).collect())
    }

    /// The value of the cookie.
    pub fn to_cookie_value(&self) -> String {
        let entries: Vec<_> = self.0.iter().map(DeviceEntry::to_cookie_value).collect();
        entries.join(&SEPARATOR.to_string())
    }
}

impl DeviceKey {
    /// A key made of these bytes.
    pub fn new(secret: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// The digest of the device, if this user logged in there within the given period.
    pub(crate) fn recognise(
        &self,
        cookie: &DeviceCookie,
        user: &str,
        now: Timestamp,
        lifetime: SignedDuration,
    ) -> Option<Digest> {
        let entry = cookie.0.iter().find(|entry| self.is_authentic(entry, user))?;
        entry.is_alive(now, lifetime).then(|| lombard_jose::sha256(&entry.nonce))
    }

    /// The new cookie of a browser in which this user has just logged in. A known device keeps its identifier, so that repeated logins make
    /// no further devices.
    pub(crate) fn remember(
        &self,
        cookie: &DeviceCookie,
        user: &str,
        now: Timestamp,
        lifetime: SignedDuration,
        ids: &IdGenerator,
    ) -> DeviceCookie {
        let (known, others): (Vec<_>, Vec<_>) =
            cookie.0.iter().cloned().partition(|entry| self.is_authentic(entry, user));
        let known = known.into_iter().find(|entry| entry.is_alive(now, lifetime));
        let nonce = known.map_or_else(|| ids.random_id().into_bytes(), |entry| entry.nonce);
        let mut entry = DeviceEntry { nonce, logged_in: now.as_second(), tag: [0; TAG_BYTES] };
        let tag = hmac::sign(&self.0, &entry.material(user));
        entry.tag.iter_mut().zip(tag.as_ref()).for_each(|(to, from)| *to = *from);
        DeviceCookie(std::iter::once(entry).chain(others).take(CUSTOMERS_MAX).collect())
    }

    fn is_authentic(&self, entry: &DeviceEntry, user: &str) -> bool {
        hmac::verify(&self.0, &entry.material(user), &entry.tag).is_ok()
    }
}

impl DeviceEntry {
    fn parse(text: &str) -> Option<Self> {
        let bytes = lombard_jose::from_base64url(text).filter(|bytes| bytes.len() == ENTRY_BYTES)?;
        let (nonce, rest) = bytes.split_first_chunk()?;
        let (logged_in, tag) = rest.split_first_chunk()?;
        Some(Self { nonce: *nonce, logged_in: i64::from_be_bytes(*logged_in), tag: tag.try_into().ok()? })
    }

    fn to_cookie_value(&self) -> String {
        lombard_jose::base64url(&[&self.nonce[..], &self.logged_in.to_be_bytes(), &self.tag].concat())
    }

    /// The bytes that the tag authenticates. Every part has a fixed length.
    fn material(&self, user: &str) -> Vec<u8> {
        let user = user_digest(user);
        [b"lombard device", &user.0[..], &self.nonce[..], &self.logged_in.to_be_bytes()].concat()
    }

    fn is_alive(&self, now: Timestamp, lifetime: SignedDuration) -> bool {
        let age = now.as_second().saturating_sub(self.logged_in);
        (0..lifetime.as_secs()).contains(&age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_ports::clock::Clocks;
    use lombard_ports::entropy::CountingEntropy;
    use proptest::prelude::*;
    use std::sync::Arc;

    const DAY: SignedDuration = SignedDuration::from_hours(24);

    fn ids() -> IdGenerator {
        IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system())
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn again(cookie: &DeviceCookie) -> DeviceCookie {
        DeviceCookie::parse(&cookie.to_cookie_value())
    }

    #[test]
    fn as_143_a_device_is_known_on_all_nodes_for_its_customer_until_expiry() {
        let (key, other_node) = (DeviceKey::new(&[7; 32]), DeviceKey::new(&[7; 32]));
        let cookie = again(&key.remember(&DeviceCookie::default(), "amelia", at(0), DAY, &ids()));
        let known = |key: &DeviceKey, user: &str, second| key.recognise(&cookie, user, at(second), DAY);
        let device = known(&key, "amelia", 0);
        assert!(device.is_some());
        assert_eq!(known(&other_node, " Amelia", 86_399), device, "however the name is written");
        assert_eq!(known(&key, "amelia", 86_400), None, "the boundary instant is too late");
        assert_eq!(known(&key, "amelia", -1), None);
        assert_eq!(known(&key, "bashir", 0), None, "for nobody else");
        assert_eq!(known(&DeviceKey::new(&[8; 32]), "amelia", 0), None);
        assert!(!format!("{key:?} {cookie:?}").contains('7'), "neither shows what it holds");
    }

    #[test]
    fn as_143_repeated_login_keeps_one_device_and_a_browser_keeps_four_users() {
        let (key, ids) = (DeviceKey::new(&[7; 32]), ids());
        let first = key.remember(&DeviceCookie::default(), "amelia", at(0), DAY, &ids);
        let second = key.remember(&again(&first), "amelia", at(80_000), DAY, &ids);
        let named = |cookie: &DeviceCookie, user: &str| key.recognise(cookie, user, at(90_000), DAY);
        assert_eq!(named(&first, "amelia"), None, "a day later");
        assert_eq!(named(&second, "amelia"), key.recognise(&first, "amelia", at(0), DAY));
        let mut cookie = second;
        for user in ["b", "c", "d"] {
            cookie = key.remember(&again(&cookie), user, at(90_000), DAY, &ids);
        }
        assert!(["amelia", "b", "c", "d"].into_iter().all(|user| named(&cookie, user).is_some()));
        cookie = key.remember(&again(&cookie), "e", at(90_000), DAY, &ids);
        assert!(named(&cookie, "amelia").is_none() && named(&cookie, "e").is_some());
    }

    proptest! {
        #[test]
        fn as_143_any_device_cookie_is_parsed_and_a_forged_one_is_not_recognised(text in "[A-Za-z0-9_.=-]{0,400}", at_byte in 0usize..ENTRY_BYTES, bit in 0u8..8) {
            prop_assert!(DeviceCookie::parse(&text).0.len() <= CUSTOMERS_MAX);
            let key = DeviceKey::new(&[7; 32]);
            let cookie = key.remember(&DeviceCookie::default(), "amelia", at(0), DAY, &ids());
            let mut bytes = lombard_jose::from_base64url(&cookie.to_cookie_value()).unwrap();
            bytes[at_byte] ^= 1 << bit;
            let forged = DeviceCookie::parse(&lombard_jose::base64url(&bytes));
            prop_assert_eq!(key.recognise(&forged, "amelia", at(0), DAY), None);
        }
    }
}
