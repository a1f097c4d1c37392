//! What the bank is called, and ids that follow from what they name.

use jiff::Timestamp;
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use uuid::Uuid;

/// What the bank is called.
pub(crate) const BANK_NAME: &str = "Lombard Sandbox Bank";
/// The bank's BIC.
pub(crate) const BANK_BIC: &str = "LMBDGB2LXXX";

/// The ledger account of somebody outside, in one currency. Never visible to TPPs.
pub(crate) fn outside(party: &str, currency: Currency) -> BankAccountId {
    BankAccountId::new(format!("outside:{party}:{}", currency.code()))
}

/// An id that follows from what it names and sorts by time (UUID version 7): named twice, it is the same.
pub(crate) fn derived(name: &str, at: Timestamp) -> String {
    let mut random = [0; 10];
    for (to, from) in random.iter_mut().zip(lombard_jose::sha256(name.as_bytes()).0) {
        *to = from;
    }
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
    let id: Uuid = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    id.to_string()
}

/// A number between two others, both included, that follows from a name.
pub(crate) fn drawn(name: &str, least: i64, most: i64) -> i64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(lombard_jose::sha256(name.as_bytes()).0) {
        *to = from;
    }
    let choices = most.abs_diff(least).saturating_add(1);
    let choice = u64::from_be_bytes(bytes).checked_rem(choices).unwrap_or(0);
    least.min(most).saturating_add_unsigned(choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_derived_repeats_and_differs_by_name() {
        let at = Timestamp::UNIX_EPOCH;
        assert_eq!(derived("a", at), derived("a", at));
        assert_ne!(derived("a", at), derived("b", at));
        let draws: Vec<_> = (0..200).map(|n| drawn(&format!("{n}"), -3, 3)).collect();
        assert_eq!((draws.iter().min(), draws.iter().max()), (Some(&-3), Some(&3)));
        assert_eq!(drawn("x", 5, 5), 5);
    }
}
