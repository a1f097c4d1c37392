//! The direct writes of PostgreSQL: one hand-written statement for each.
//!
//! Each statement reads from top to bottom as the use-case does: what it stands on comes first, and everything after it takes its rows from
//! there. Where something is not as it was known, the first parts return no row, and the parts behind them write nothing. The main query
//! returns a row for what was carried out.

mod client_token;
mod consent;
mod order;

use crate::rows::OnDatabase;
use async_trait::async_trait;
use lombard_database::SingleStatements;
use lombard_database::statement::SqlStatement;
use lombard_database::value::{SqlValue, optional};
use lombard_ports::clock::KnownBankTime;
use lombard_ports::store::{
    ClientTokenIssue, ConsentCreation, DirectWriteOutcome, DirectWrites, OrderPlacement, StoreError,
};

/// A statement of PostgreSQL alone.
const fn postgres_alone(table: &'static str, postgres: &'static str) -> SqlStatement {
    SqlStatement { table, sqlite: "", postgres }
}

/// The condition that the bank's clock stands as it is known, by two parameters, of [`clock_parameters`]: always true without a name.
macro_rules! clock_as_known {
    ($name:literal, $value:literal) => {
        concat!(
            "(",
            $name,
            "::text IS NULL OR COALESCE((SELECT value FROM settings WHERE name = ",
            $name,
            "::text), '0') = ",
            $value,
            "::text)"
        )
    };
}

/// A part that claims an idempotency key which is free, or whose window has passed, and returns its resource. It takes a row from what comes
/// before it. A key in use is not changed.
macro_rules! claim_from {
    ($from:expr) => {
        concat!(
            "claimed AS (\
               INSERT INTO idempotency_keys (client_id, operation, key, body, resource, first_used_at) \
               SELECT $1::text, $2::text, $3::text, $4::bytea, $5::text, $6::bigint ",
            $from,
            " ON CONFLICT (client_id, operation, key) DO UPDATE \
               SET body = excluded.body, resource = excluded.resource, first_used_at = excluded.first_used_at \
               WHERE idempotency_keys.first_used_at <= $7::bigint \
               RETURNING resource)"
        )
    };
}

use {claim_from, clock_as_known};

/// The parameters of `clock_as_known`.
fn clock_parameters(time: &KnownBankTime) -> [SqlValue<'static>; 2] {
    let (name, value) = time.setting().unzip();
    [optional(name), optional(value)]
}

#[async_trait]
impl DirectWrites for OnDatabase {
    async fn client_token_issue(&self, issue: ClientTokenIssue) -> Result<DirectWriteOutcome, StoreError> {
        let stored = self.single_statements()?.run_in_group(&client_token::ISSUE, client_token::row(&issue)).await?;
        Ok(if stored { DirectWriteOutcome::Stored } else { DirectWriteOutcome::NotAsKnown })
    }

    async fn consent_create(&self, creation: ConsentCreation<'_>) -> Result<DirectWriteOutcome, StoreError> {
        match creation.claim {
            Some(claim) => run(self, &consent::CREATE_BY_KEY, &consent::parameters_by_key(&creation, &claim)).await,
            None => run(self, &consent::CREATE, &consent::parameters(&creation)).await,
        }
    }

    async fn order_place(&self, placement: OrderPlacement<'_>) -> Result<DirectWriteOutcome, StoreError> {
        run(self, &order::PLACE, &order::parameters(&placement)).await
    }
}

async fn run(
    database: &OnDatabase,
    statement: &SqlStatement,
    parameters: &[SqlValue<'_>],
) -> Result<DirectWriteOutcome, StoreError> {
    let rows = database.single_statements()?.run(statement, parameters).await?;
    Ok(if rows > 0 { DirectWriteOutcome::Stored } else { DirectWriteOutcome::NotAsKnown })
}

impl OnDatabase {
    fn single_statements(&self) -> Result<&dyn SingleStatements, StoreError> {
        self.0.single_statements().ok_or_else(|| StoreError::Unavailable("the database has no server".into()))
    }
}
