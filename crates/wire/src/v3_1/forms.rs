//! The forms of account information in v3.1.

use super::parts::{Bic, CashAccount, Institution, PartyAddress};
use super::{V3_1, names};
use crate::accounts::{AccountForms, NoMembers};
use lombard_domain::account::{BalanceType, BankIdentification, BankTransactionCode, EntryStatus, PostalAddress};

impl AccountForms for V3_1 {
    type Account<'a> = CashAccount<'a>;
    type Institution<'a> = Institution<'a>;
    type Agent<'a> = Bic<'a>;
    type PartyAddress<'a> = PartyAddress<'a>;
    type PartyMore<'a> = NoMembers;
    type Payment<'a> = NoMembers;

    fn institution(bank: &BankIdentification) -> Option<Institution<'_>> {
        Institution::of(bank)
    }

    fn agent(bank: &BankIdentification) -> Option<Bic<'_>> {
        Bic::of(bank)
    }

    fn party_address(address: &PostalAddress) -> Option<PartyAddress<'_>> {
        PartyAddress::of(address)
    }

    fn bank_code(code: &BankTransactionCode) -> (&str, &str) {
        (&code.code, &code.sub_code)
    }

    fn entry_status(status: EntryStatus) -> &'static str {
        names::entry_status(status)
    }

    fn balance_type(kind: BalanceType) -> &'static str {
        names::balance_type(kind)
    }

    fn entry_statuses() -> Vec<&'static str> {
        names::listed::entry_status()
    }

    fn balance_types() -> Vec<&'static str> {
        names::listed::balance_type()
    }
}
