//! Finds the accounts from which a customer can pay.

use crate::account_availability::is_shareable;
use crate::storage::{AccountSums, BankAccountRecord, BankTransaction as Tables};
use lombard_domain::account::AccountSubType;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::money::SignedAmount;
use lombard_ports::bank::Payer;
use lombard_ports::store::StoreError;

/// The accounts from which a customer may pay.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn payers_of_customer(tx: &mut dyn Tables, psu: &PsuId) -> Result<Vec<Payer>, StoreError> {
    let records = tx.bank_accounts_of(psu)?;
    among(tx, records)
}

/// Returns the account if payments from it are possible.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn find_payer(tx: &mut dyn Tables, account: &BankAccountId) -> Result<Option<Payer>, StoreError> {
    let records = tx.bank_accounts(std::slice::from_ref(account))?;
    Ok(among(tx, records)?.pop())
}

fn among(tx: &mut dyn Tables, mut records: Vec<BankAccountRecord>) -> Result<Vec<Payer>, StoreError> {
    records.retain(can_pay);
    let ids: Vec<_> = records.iter().map(|record| record.account.id.clone()).collect();
    let sums = tx.account_sums(&ids)?;
    let mut payers = Vec::with_capacity(records.len());
    for record in records {
        let Some(row) = sums.iter().find(|row| row.id == record.account.id) else { continue };
        let holder = holder(tx, &record)?;
        let (authorisers, signatories) = signing_rule(&record);
        payers.push(Payer { available: available(row), account: record.account, holder, authorisers, signatories });
    }
    Ok(payers)
}

/// Whether payments from an account are possible: the account is enabled, may be used by TPPs, and has a suitable type.
pub(super) fn can_pay(record: &BankAccountRecord) -> bool {
    let kind = match record.account.sub_type {
        AccountSubType::CurrentAccount
        | AccountSubType::Savings
        | AccountSubType::EMoney
        | AccountSubType::PrePaidCard
        | AccountSubType::ChargeCard
        | AccountSubType::CreditCard => true,
        AccountSubType::Loan | AccountSubType::Mortgage => false,
    };
    kind && is_shareable(record.account.status, record.eligible)
}

/// How many customers must authorise a payment, and the customers who may authorise it. Source: PIS-112.
fn signing_rule(record: &BankAccountRecord) -> (u16, Vec<PsuId>) {
    (record.authorisers, record.holders.clone())
}

/// The available balance: booked, less reservations, plus the credit line. Source: PIS-083.
fn available(row: &AccountSums) -> SignedAmount {
    let minor = row.sums.booked.saturating_add(row.sums.pending).saturating_add(row.credit_limit);
    SignedAmount::from_minor(minor, row.currency)
}

/// The name on the account, or else the name of its first holder.
fn holder(tx: &mut dyn Tables, record: &BankAccountRecord) -> Result<String, StoreError> {
    if let Some(name) = record.account.identifications.iter().find_map(|it| it.name.clone()) {
        return Ok(name);
    }
    let Some(first) = record.holders.first() else { return Ok(String::new()) };
    Ok(tx.customer(first)?.map(|customer| customer.name).unwrap_or_default())
}
