//! The customers of the built-in bank, as listed for testers.

use lombard_corebank::is_open;
use lombard_corebank::storage::{BankAccountRecord, BankTransaction, Customer};
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::{Amount, SignedAmount};
use lombard_ports::controls::{AccountView, CustomerView};
use lombard_ports::store::StoreError;

/// All customers with their accounts, from one snapshot.
pub(super) fn all(tx: &mut dyn BankTransaction) -> Result<Vec<CustomerView>, StoreError> {
    tx.customers()?.into_iter().map(|customer| shown(tx, customer)).collect()
}

fn shown(tx: &mut dyn BankTransaction, customer: Customer) -> Result<CustomerView, StoreError> {
    let held = tx.bank_accounts_of(&customer.psu)?;
    let ids: Vec<_> = held.iter().map(|record| record.account.id.clone()).collect();
    let sums = tx.ledger_sums(&ids)?;
    Ok(CustomerView {
        login: customer.psu.as_str().to_owned(),
        psu: customer.psu,
        name: customer.name,
        about: customer.about,
        accounts: held.into_iter().zip(sums).map(|(record, sums)| account(record, sums)).collect(),
    })
}

fn account(record: BankAccountRecord, sums: LedgerSums) -> AccountView {
    let currency = record.account.currency;
    AccountView {
        shareable: is_open(record.account.status, record.eligible),
        booked: SignedAmount::from_minor(sums.booked, currency),
        pending: SignedAmount::from_minor(sums.pending, currency),
        credit_limit: Amount::from_minor(record.credit_limit.unsigned_abs(), currency),
        authorisers: record.authorisers,
        account: record.account,
    }
}
