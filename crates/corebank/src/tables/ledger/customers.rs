//! Customers of the built-in bank.

use crate::storage::Customer;
use crate::tables::records::PartyRecord;
use lombard_database::Session;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{Row, Value, optional};
use lombard_domain::ids::PsuId;
use lombard_ports::store::StoreError;

statements! { "customers" =>
    INSERT = both("INSERT INTO customers (psu_id, name, about, party) VALUES ($1, $2, $3, $4)");
    ALL = both("SELECT psu_id, name, about, party FROM customers ORDER BY psu_id");
    BY_ID = both("SELECT psu_id, name, about, party FROM customers WHERE psu_id = $1");
}

pub(super) fn insert(session: &mut Session<'_>, customers: &[Customer]) -> Result<(), StoreError> {
    let rows: Vec<_> = customers.iter().map(row).collect();
    session.execute_many(&INSERT, &rows).map(drop)
}

fn row(customer: &Customer) -> Vec<Value<'_>> {
    let Customer { psu, name, about, party } = customer;
    vec![psu.into(), name.into(), about.into(), optional(party.as_ref().map(PartyRecord::write))]
}

pub(super) fn all(session: &mut Session<'_>) -> Result<Vec<Customer>, StoreError> {
    session.all(&ALL, &[], read)
}

pub(super) fn by_id(session: &mut Session<'_>, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
    session.one(&BY_ID, &[psu.into()], read)
}

fn read(row: &mut Row<'_>) -> Result<Customer, StoreError> {
    let (psu, name, about) = (row.id()?, row.id()?, row.id()?);
    let party = row.text_or_null()?.map(PartyRecord::read).transpose().map_err(|source| row.corrupt(source))?;
    Ok(Customer { psu, name, about, party })
}
