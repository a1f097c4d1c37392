//! Customers of the built-in bank.

use crate::shared::session::{Session, Sql};
use crate::shared::statement::{both, statements};
use crate::shared::value::Row;
use lombard_domain::ids::PsuId;
use lombard_ports::store::{Customer, StoreError};

statements! { "customers" =>
    INSERT = both("INSERT INTO customers (psu_id, name, about) VALUES ($1, $2, $3)");
    ALL = both("SELECT psu_id, name, about FROM customers ORDER BY psu_id");
    BY_ID = both("SELECT psu_id, name, about FROM customers WHERE psu_id = $1");
}

pub(super) fn insert<S: Sql>(session: &mut Session<S>, customers: &[Customer]) -> Result<(), StoreError> {
    let rows: Vec<_> =
        customers.iter().map(|it| vec![(&it.psu).into(), (&it.name).into(), (&it.about).into()]).collect();
    session.execute_many(&INSERT, &rows).map(drop)
}

pub(super) fn all<S: Sql>(session: &mut Session<S>) -> Result<Vec<Customer>, StoreError> {
    session.all(&ALL, &[], read)
}

pub(super) fn by_id<S: Sql>(session: &mut Session<S>, psu: &PsuId) -> Result<Option<Customer>, StoreError> {
    session.one(&BY_ID, &[psu.into()], read)
}

fn read(row: &mut Row<'_>) -> Result<Customer, StoreError> {
    Ok(Customer { psu: row.id()?, name: row.id()?, about: row.id()? })
}
