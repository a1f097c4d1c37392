//! Customers of the built-in bank.

use crate::storage::Customer;
use lombard_database::SqlTransaction;
use lombard_database::document;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::ids::PsuId;
use lombard_ports::store::StoreError;

statements! { "customers" =>
    INSERT = both("INSERT INTO customers (psu_id, name, about, party) VALUES ($1, $2, $3, $4)");
    UPDATE = both("UPDATE customers SET name = $1, about = $2, party = $3 WHERE psu_id = $4");
    ALL = both("SELECT psu_id, name, about, party FROM customers ORDER BY psu_id");
    BY_ID = both("SELECT psu_id, name, about, party FROM customers WHERE psu_id = $1");
    BY_ID_LOCKED = SqlText {
        sqlite: "SELECT psu_id, name, about, party FROM customers WHERE psu_id = $1",
        postgres: "SELECT psu_id, name, about, party FROM customers WHERE psu_id = $1 FOR NO KEY UPDATE",
    };
}

pub(super) fn insert(session: &mut SqlTransaction<'_>, customers: &[Customer]) -> Result<(), StoreError> {
    let rows: Vec<_> = customers.iter().map(row).collect();
    session.execute_many_later(&INSERT, &rows)
}

fn row(customer: &Customer) -> Vec<SqlValue<'_>> {
    let Customer { psu, name, about, party } = customer;
    vec![psu.into(), name.into(), about.into(), optional(party.as_ref().map(document::write))]
}

pub(super) fn update(session: &mut SqlTransaction<'_>, customer: &Customer) -> Result<(), StoreError> {
    let Customer { psu, name, about, party } = customer;
    let party = optional(party.as_ref().map(document::write));
    session.execute(&UPDATE, &[name.into(), about.into(), party, psu.into()]).map(drop)
}

pub(super) fn all(session: &mut SqlTransaction<'_>) -> Result<Vec<Customer>, StoreError> {
    session.all(&ALL, &[], read)
}

pub(super) fn by_id(session: &mut SqlTransaction<'_>, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
    session.one(&BY_ID, &[psu.into()], read)
}

pub(super) fn for_update(session: &mut SqlTransaction<'_>, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
    session.one_locked(&BY_ID, &BY_ID_LOCKED, &[psu.into()], read)
}

fn read(row: &mut SqlRow<'_>) -> Result<Customer, StoreError> {
    let (psu, name, about) = (row.id()?, row.id()?, row.id()?);
    let party = row.parsed_or_null(document::read)?;
    Ok(Customer { psu, name, about, party })
}
