//! The direct writes of PostgreSQL: one hand-written statement for each.
//!
//! Each statement has the sequence of its use-case: the first parts check the rows on which the write depends, and all later
//! parts take their rows from those. If a checked row has changed, the first parts return no row, and the later parts write
//! nothing. The main query returns a row for each completed write.

mod client_token;
mod consent;
mod order;
mod parts;

use crate::rows::OnDatabase;
use async_trait::async_trait;
use lombard_database::SingleStatements;
use lombard_database::statement::SqlStatement;
use lombard_database::value::SqlValue;
use lombard_ports::store::{
    ClientTokenIssue, ConsentCreation, DirectWriteOutcome, DirectWrites, OrderPlacement, StoreError,
};
use lombard_traces::{Span, SpanKind};

#[async_trait]
impl DirectWrites for OnDatabase {
    async fn client_token_issue(&self, issue: ClientTokenIssue) -> Result<DirectWriteOutcome, StoreError> {
        let writing = self.single_statements()?.run_in_group(&client_token::ISSUE, client_token::row(&issue));
        let stored = span("client_token_issue").around(writing).await?;
        Ok(if stored { DirectWriteOutcome::Stored } else { DirectWriteOutcome::RowsChanged })
    }

    async fn consent_create(&self, creation: ConsentCreation<'_>) -> Result<DirectWriteOutcome, StoreError> {
        match creation.claim {
            Some(claim) => {
                let parameters = consent::parameters_by_key(&creation, &claim);
                span("consent_create").around(run(self, &consent::CREATE_BY_KEY, &parameters)).await
            }
            None => {
                let parameters = consent::parameters(&creation);
                span("consent_create").around(run(self, &consent::CREATE, &parameters)).await
            }
        }
    }

    async fn order_place(&self, placement: OrderPlacement<'_>) -> Result<DirectWriteOutcome, StoreError> {
        let parameters = order::parameters(&placement);
        span("order_place").around(run(self, &order::PLACE, &parameters)).await
    }
}

/// The span of a direct write.
fn span(operation: &'static str) -> Span {
    let span = Span::child("database write", SpanKind::Client);
    span.set("db.operation.name", operation);
    span
}

async fn run(
    database: &OnDatabase,
    statement: &SqlStatement,
    parameters: &[SqlValue<'_>],
) -> Result<DirectWriteOutcome, StoreError> {
    let rows = database.single_statements()?.run(statement, parameters).await?;
    Ok(if rows > 0 { DirectWriteOutcome::Stored } else { DirectWriteOutcome::RowsChanged })
}

impl OnDatabase {
    fn single_statements(&self) -> Result<&dyn SingleStatements, StoreError> {
        self.0.single_statements().ok_or_else(|| StoreError::Unavailable("the database has no server".into()))
    }
}
