//! The payees of payments.

use crate::random::SeededRandom;
use crate::world::{ACCOUNTS, numbered};
use lombard_domain::payment::transfer::NamedAccount;

/// A payee at this bank or at another one.
pub(super) fn payee(chance: &mut SeededRandom) -> NamedAccount {
    let here = if chance.one_in(3) { chance.pick(&ACCOUNTS) } else { None };
    let number = here.map_or("08080021325698", |account| account.number);
    NamedAccount::under_name(numbered(number), "Waterworks".to_owned())
}
