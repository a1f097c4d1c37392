//! The ids of orders, which are derived and not random: the same request gives the same id, even after a restore of the database
//! that removed the first order. The core takes an order once by its id, so it answers with the first payment (decision 20).

use aws_lc_rs::hmac;
use lombard_domain::consent::Consent;
use lombard_domain::ids::OrderId;

/// Distinguishes these codes from the aliases of accounts, which have the same key.
const PURPOSE: &[u8] = b"order\n";
/// The first byte of a UUID that is not of the time.
const TIME_BYTES: usize = 6;

/// The payment of a VRP consent that an order is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct VrpPaymentKey<'a> {
    /// The idempotency key of the request.
    pub(super) key: &'a str,
    /// How often the key was used for earlier payments under the consent.
    pub(super) uses_before: u32,
}

/// The id of the order of a consent that allows one, or of this payment under a VRP consent. It has the form of a UUID (version 8): the
/// time of the consent's creation, so that ids are local in indexes, and 74 bits that nobody can guess without the key. Source:
/// PIS-042, PIS-061.
pub(super) fn derive_order_id(key: &[u8], consent: &Consent, payment: Option<VrpPaymentKey<'_>>) -> OrderId {
    let mut mac = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    mac.update(PURPOSE);
    // The length prefix distinguishes ("ab", "c") from ("a", "bc").
    mac.update(&consent.id.as_str().len().to_be_bytes());
    mac.update(consent.id.as_str().as_bytes());
    if let Some(VrpPaymentKey { key, uses_before }) = payment {
        mac.update(&uses_before.to_be_bytes());
        mac.update(key.as_bytes());
    }
    let millis = u64::try_from(consent.created_at.as_millisecond()).unwrap_or(0).to_be_bytes();
    // The first two of the eight bytes are zero for every time until the year 10889.
    let time = millis.into_iter().skip(millis.len().saturating_sub(TIME_BYTES));
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(time.chain(mac.sign().as_ref().iter().copied())) {
        *byte = from;
    }
    OrderId::new(uuid::Builder::from_custom_bytes(bytes).into_uuid().hyphenated().to_string())
}
