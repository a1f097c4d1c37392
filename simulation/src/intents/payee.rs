//! To whom payments go.

use crate::random::SeededRandom;
use crate::world::{ACCOUNTS, numbered};
use lombard_domain::order::NamedAccount;

/// Somebody here or elsewhere.
pub(super) fn payee(chance: &mut SeededRandom) -> NamedAccount {
    let here = if chance.one_in(3) { chance.pick(&ACCOUNTS) } else { None };
    let number = here.map_or("08080021325698", |account| account.number);
    NamedAccount::under_name(numbered(number), "Waterworks".to_owned())
}
