//! Confirmation of Payee at the built-in bank, which answers only for its own accounts.

use crate::account_availability::enabled_account;
use crate::payee_names::compare_name;
use crate::storage::{BankAccountRecord, BankTransaction as Tables};
use lombard_domain::account::{AccountIdentification, AccountScheme, AccountType};
use lombard_domain::ids::PsuId;
use lombard_domain::payment::order::{PayeeConfirmation, UnconfirmedReason};
use lombard_domain::payment::transfer::NamedAccount;
use lombard_ports::store::StoreError;

/// Compares the given name with the names of the payee's account, for this payer.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn confirm_payee(
    tx: &mut dyn Tables,
    payer: Option<&PsuId>,
    payee: &NamedAccount,
) -> Result<PayeeConfirmation, StoreError> {
    let Some(id) = tx.bank_account_by_number(payee)? else {
        let is_ours = has_sort_code_of_payer(tx, payer, payee)?;
        let reason = if is_ours { UnconfirmedReason::AccountNotFound } else { UnconfirmedReason::BankNotTakingPart };
        return Ok(PayeeConfirmation::Unavailable(reason));
    };
    let Some(record) = enabled_account(tx, &id)? else {
        return Ok(PayeeConfirmation::Unavailable(UnconfirmedReason::AccountNotFound));
    };
    let is_person = record.account.account_type == AccountType::Personal;
    let names = names_of(tx, &record)?;
    Ok(compare_name(payee.holder_name(), &names, is_person))
}

/// The names to compare: those on the account, or else those of its holders. A person's account has both, because a payer may name any
/// one of several holders.
fn names_of(tx: &mut dyn Tables, record: &BankAccountRecord) -> Result<Vec<String>, StoreError> {
    let mut names: Vec<_> = record.account.identifications.iter().filter_map(|it| it.name.clone()).collect();
    if names.is_empty() || record.account.account_type == AccountType::Personal {
        for holder in &record.holders {
            names.extend(tx.customer(holder)?.map(|customer| customer.name));
        }
    }
    Ok(names)
}

/// Whether the number has the same sort code as an account of the payer. Such a number belongs to this bank.
fn has_sort_code_of_payer(
    tx: &mut dyn Tables,
    payer: Option<&PsuId>,
    payee: &NamedAccount,
) -> Result<bool, StoreError> {
    let (Some(payer), Some(wanted)) = (payer, sort_code(payee)) else { return Ok(false) };
    let records = tx.bank_accounts_of(payer)?;
    let numbers = records.iter().flat_map(|record| &record.account.identifications);
    Ok(numbers.filter_map(sort_code).any(|own| own == wanted))
}

/// The sort code of a United Kingdom account number.
fn sort_code(of: &AccountIdentification) -> Option<&str> {
    match of.scheme {
        AccountScheme::SortCodeAccountNumber => of.number.get(..6),
        AccountScheme::Iban => of.number.strip_prefix("GB").and_then(|rest| rest.get(6..12)),
        AccountScheme::Bban | AccountScheme::Pan | AccountScheme::Paym | AccountScheme::Wallet => None,
    }
}
