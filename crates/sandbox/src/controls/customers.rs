//! The customers of the built-in bank, as listed for testers.

use async_trait::async_trait;
use lombard_corebank::is_shareable;
use lombard_corebank::storage::{
    ArrangementKind, ArrangementVariant, BankAccountRecord, BankStore, BankTransaction, Customer,
};
use lombard_domain::account::{AccountParty, Party};
use lombard_domain::ids::{PsuId, RecordId};
use lombard_domain::ledger::LedgerSums;
use lombard_ports::controls::{
    AccountView, ControlError, CustomerChange, CustomerSource, CustomerView, SandboxCustomer,
};
use lombard_ports::store::StoreError;
use std::collections::BTreeMap;

/// The customers of the built-in bank in this store, for the sandbox's logins. Clones share the store.
#[derive(Debug, Clone)]
pub struct BuiltInCustomers(BankStore);

impl BuiltInCustomers {
    /// The customers in this store.
    pub const fn new(store: BankStore) -> Self {
        Self(store)
    }
}

#[async_trait]
impl CustomerSource for BuiltInCustomers {
    async fn find_customer(&self, psu: &PsuId) -> Result<Option<SandboxCustomer>, ControlError> {
        let psu = psu.clone();
        Ok(self.0.read(move |tx| tx.customer(&psu)).await?.map(login))
    }

    async fn list_customers(&self) -> Result<Vec<SandboxCustomer>, ControlError> {
        Ok(self.0.read(|tx| tx.customers()).await?.into_iter().map(login).collect())
    }
}

/// Reads all customers with their accounts from one snapshot, in three queries for any number of customers.
pub(super) fn all(tx: &mut dyn BankTransaction) -> Result<Vec<CustomerView>, StoreError> {
    let customers = tx.customers()?;
    views(tx, customers)
}

/// Adds the accounts to these customers, in two queries.
fn views(tx: &mut dyn BankTransaction, customers: Vec<Customer>) -> Result<Vec<CustomerView>, StoreError> {
    let psus: Vec<_> = customers.iter().map(|customer| customer.psu.clone()).collect();
    let records = tx.bank_accounts_of_any(&psus)?;
    let ids: Vec<_> = records.iter().map(|record| record.account.id.clone()).collect();
    let mut held: BTreeMap<PsuId, Vec<AccountView>> = BTreeMap::new();
    for (record, sums) in records.into_iter().zip(tx.ledger_sums(&ids)?) {
        let holders = record.holders.clone();
        let view = account(record, sums);
        holders.into_iter().for_each(|psu| held.entry(psu).or_default().push(view.clone()));
    }
    let shown = |customer: Customer| CustomerView {
        login: customer.psu.as_str().to_owned(),
        accounts: held.remove(&customer.psu).unwrap_or_default(),
        psu: customer.psu,
        name: customer.name,
        about: customer.about,
    };
    Ok(customers.into_iter().map(shown).collect())
}

/// Changes a customer's record in the bank's tables, and the party that represents the customer on the accounts.
pub(super) fn change_customer_in(
    tx: &mut dyn BankTransaction,
    psu: &PsuId,
    change: &CustomerChange,
) -> Result<CustomerView, ControlError> {
    let mut customer = tx.customer_for_update(psu)?.ok_or(NO_CUSTOMER)?;
    if let (None, Some(member)) = (&customer.party, change.personal_member()) {
        let text = format!("{member}: the customer has no personal data; a data file gives customers such data");
        return Err(ControlError::Refused(text.into()));
    }
    if let Some(name) = &change.name {
        customer.name.clone_from(name);
    }
    if let Some(about) = &change.about {
        customer.about.clone_from(about);
    }
    if let Some(party) = &mut customer.party {
        change_party(party, change);
        let id = RecordId::from(party.id.as_str());
        for held in tx.bank_accounts_of(psu)? {
            let found = tx.arrangement(ArrangementKind::Party, &held.account.id, &id)?;
            if let Some(mut owner) = found.and_then(AccountParty::from_arrangement) {
                change_party(&mut owner.party, change);
                tx.arrangements_put(&[owner.into()])?;
            }
        }
    }
    tx.customer_update(&customer)?;
    views(tx, vec![customer])?.pop().ok_or(NO_CUSTOMER)
}

/// The error for an unknown customer.
pub(super) const NO_CUSTOMER: ControlError =
    ControlError::not_found("there is no customer with this id; GET /sandbox/psus lists them");

fn change_party(party: &mut Party, change: &CustomerChange) {
    if let Some(name) = &change.name {
        party.name = Some(name.clone());
        party.full_legal_name = party.full_legal_name.is_some().then(|| name.clone());
    }
    if let Some(email) = &change.email {
        party.email = Some(email.clone());
    }
    if let Some(phone) = &change.phone {
        party.phone = Some(phone.clone());
    }
    if let Some(mobile) = &change.mobile {
        party.mobile = Some(mobile.clone());
    }
    if let Some(address) = &change.address {
        party.addresses = vec![address.clone()];
    }
}

/// An account with its present balances and state.
pub(super) fn view(tx: &mut dyn BankTransaction, record: BankAccountRecord) -> Result<AccountView, StoreError> {
    let sums = tx.ledger_sums(std::slice::from_ref(&record.account.id))?.pop().unwrap_or_default();
    Ok(account(record, sums))
}

fn account(record: BankAccountRecord, sums: LedgerSums) -> AccountView {
    let account = record.account;
    AccountView {
        shareable: is_shareable(account.status, record.eligible),
        booked: sums.booked,
        pending: sums.pending,
        credit_limit: record.credit_limit.unsigned_abs(),
        authorisers: record.authorisers,
        id: account.id,
        status: account.status,
        account_type: account.account_type,
        sub_type: account.sub_type,
        description: account.description,
        nickname: account.nickname,
        identifications: account.identifications,
        currency: account.currency,
    }
}

/// The data of a customer that the login page uses.
fn login(customer: Customer) -> SandboxCustomer {
    SandboxCustomer { psu: customer.psu, name: customer.name, about: customer.about }
}
