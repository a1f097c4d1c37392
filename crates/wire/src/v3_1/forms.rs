//! The forms of account information in v3.1.

use super::parts::{Institution, PartyAddress};
use super::{V3_1, names};
use crate::accounts::StandingOrderPayee;
use crate::accounts::standing_orders::instant;
use crate::accounts::{AccountForms, NoMembers};
use crate::parts::{Bic, CashAccount};
use crate::time::WireInstant;
use lombard_domain::account::{
    Account, ArrangementStatus, BalanceType, BankIdentification, BankTransactionCode, DirectDebit, EntryStatus,
    PostalAddress,
};
use schemars::JsonSchema;
use serde::Serialize;

impl AccountForms for V3_1 {
    const BALANCE_SUB_TYPES: [&'static str; 2] = ["BaseCurrency", "LocalCurrency"];

    type Account<'a> = CashAccount<'a>;
    type Institution<'a> = Institution<'a>;
    type Agent<'a> = Bic<'a>;
    type PartyAddress<'a> = PartyAddress<'a>;
    type Lei<'a> = NoMembers;
    type AccountType = AccountTypes;
    type AccountService<'a> = AccountService<'a>;
    type DirectDebitMandate<'a> = DirectDebitMandate<'a>;
    type StandingOrderSchedule<'a> = StandingOrderSchedule<'a>;
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

    fn entry_status(status: EntryStatus) -> Option<&'static str> {
        names::entry_status(status)
    }

    fn balance_type(kind: BalanceType) -> &'static str {
        names::balance_type(kind)
    }

    fn arrangement_status(status: ArrangementStatus) -> &'static str {
        names::arrangement_status(status)
    }

    fn entry_statuses() -> Vec<&'static str> {
        names::ENTRY_STATUSES.into()
    }

    fn balance_types() -> Vec<&'static str> {
        names::listed::balance_type()
    }
    fn arrangement_statuses() -> Vec<&'static str> {
        names::listed::arrangement_status()
    }
}

/// Source: AIS-102, `OBAccount6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct AccountTypes {
    #[schemars(extend("enum" = crate::names::listed::account_type()))]
    account_type: &'static str,
    #[schemars(extend("enum" = names::listed::account_sub_type()))]
    account_sub_type: &'static str,
}

impl From<&Account> for AccountTypes {
    fn from(account: &Account) -> Self {
        Self {
            account_type: names::account_type(account.account_type),
            account_sub_type: names::account_sub_type(account.sub_type),
        }
    }
}

/// Source: `OBAccount6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct AccountService<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    servicer: Option<Bic<'a>>,
}

impl<'a> From<&'a Account> for AccountService<'a> {
    fn from(account: &'a Account) -> Self {
        Self { servicer: account.servicer.as_ref().and_then(Bic::of) }
    }
}

/// Source: `OBReadDirectDebit2/Data/DirectDebit`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DirectDebitMandate<'a> {
    mandate_identification: &'a str,
    #[schemars(extend("enum" = names::listed::direct_debit_frequency()))]
    frequency: &'static str,
}

impl<'a> From<&'a DirectDebit> for DirectDebitMandate<'a> {
    fn from(debit: &'a DirectDebit) -> Self {
        Self { mandate_identification: &debit.mandate, frequency: names::direct_debit_frequency(debit.frequency) }
    }
}

/// Source: `OBStandingOrder6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StandingOrderSchedule<'a> {
    frequency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_payment_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_payment_date_time: Option<WireInstant>,
}

impl<'a> From<&'a StandingOrderPayee> for StandingOrderSchedule<'a> {
    fn from(order: &'a StandingOrderPayee) -> Self {
        Self {
            frequency: names::frequency(order.frequency),
            reference: order.reference.as_deref(),
            first_payment_date_time: instant(order.first),
            final_payment_date_time: instant(order.end),
        }
    }
}
