//! Sums of money with a sign.

use lombard_domain::code::Word;
use lombard_domain::money::{Currency, Signed};

/// A signed sum: minor units and currency.
pub(crate) type SignedRecord = (i64, Word<Currency>);

pub(crate) fn write_signed(sum: Signed) -> SignedRecord {
    (sum.minor(), Word(sum.currency()))
}

pub(crate) fn read_signed((minor, Word(currency)): SignedRecord) -> Signed {
    Signed::from_minor(minor, currency)
}
