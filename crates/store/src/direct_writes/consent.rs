//! The creation of consents.

use super::parts::{claim_from, clock_as_known, clock_parameters, postgres_alone};
use crate::consents::{consent_columns, insert_parameters};
use crate::idempotency::claim_parameters;
use lombard_database::statement::SqlStatement;
use lombard_database::value::SqlValue;
use lombard_ports::store::{ConsentCreation, KeyClaim};

pub(super) static CREATE_BY_KEY: SqlStatement = postgres_alone(
    "consents",
    concat!(
        "WITH ",
        claim_from!(concat!("WHERE ", clock_as_known!("$8", "$9"))),
        ", created AS (INSERT INTO consents (",
        consent_columns!(""),
        ", kind) \
         SELECT $10::text, $11::text, $12::text, $13::text, $14::text, $15::bigint, $16::bigint, $17::text, $18::bigint, $19::bigint, \
           $20::text, $21::bigint, $22::bigint, $23::text, $24::bigint, $25::text, $26::text, $27::text FROM claimed) \
         SELECT resource FROM claimed"
    ),
);

pub(super) static CREATE: SqlStatement = postgres_alone(
    "consents",
    concat!(
        "INSERT INTO consents (",
        consent_columns!(""),
        ", kind) \
         SELECT $3::text, $4::text, $5::text, $6::text, $7::text, $8::bigint, $9::bigint, $10::text, $11::bigint, $12::bigint, \
           $13::text, $14::bigint, $15::bigint, $16::text, $17::bigint, $18::text, $19::text, $20::text \
         WHERE ",
        clock_as_known!("$1", "$2"),
        " RETURNING id"
    ),
);

/// The parameters of [`CREATE_BY_KEY`].
pub(super) fn parameters_by_key<'a>(creation: &ConsentCreation<'a>, claim: &'a KeyClaim<'a>) -> Vec<SqlValue<'a>> {
    let claim = claim_parameters(claim).into_iter();
    claim.chain(clock_parameters(&creation.time)).chain(insert_parameters(creation.consent)).collect()
}

/// The parameters of [`CREATE`].
pub(super) fn parameters<'a>(creation: &ConsentCreation<'a>) -> Vec<SqlValue<'a>> {
    clock_parameters(&creation.time).into_iter().chain(insert_parameters(creation.consent)).collect()
}
