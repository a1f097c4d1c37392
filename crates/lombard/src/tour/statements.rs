//! Reads statements: the list, the entries and balances of one statement, and its PDF.

use super::access::GrantedAccess;
use super::accounts::Account;
use super::checks::{array, format_amount, text};
use super::outcome::TourError;
use super::run::Tour;
use http::StatusCode;
use lombard_files::{FileAccess, FileLifetime, write_file};
use lombard_tpp::{HttpCall, TppError};
use serde_json::Value;
use std::path::Path;

/// The maximum number of transaction pages that are read for a statement.
const PAGES_MAX: usize = 20;

impl Tour<'_> {
    /// Reads each account's statements, checks the totals of the first account's newest statement, and saves this statement as a PDF in the
    /// given folder.
    pub(super) async fn statements(
        &mut self,
        access: &GrantedAccess,
        accounts: &[Account],
        folder: &Path,
    ) -> Result<(), TourError> {
        self.step("Statements: the list, the transactions and the PDF");
        let exchange = self.tpp.get(&access.token, "aisp/statements").await?;
        self.resource(exchange, StatusCode::OK)?;
        let mut newest = None;
        for account in accounts {
            let path = format!("aisp/accounts/{}/statements", account.id);
            let exchange = self.tpp.get(&access.token, &path).await?;
            let statements = array(&self.resource(exchange, StatusCode::OK)?, "/Data/Statement");
            let ends: Vec<_> = statements.iter().map(|it| text(it, "EndDateTime")).collect();
            self.check(ends.is_sorted_by(|newer, older| newer >= older), "newest first (RW-277)");
            self.check(statements.iter().all(is_dated), "a statement says when it starts and ends (AIS-140)");
            let days: Vec<_> = ends.iter().take(1).map(|it| it.get(..10).unwrap_or(it)).collect();
            self.fact(&format!("{}: {} statements, newest to {}", account.name, statements.len(), days.join("")));
            newest = newest.or_else(|| statements.into_iter().next().map(|statement| (account, statement)));
        }
        let Some((account, statement)) = newest else {
            return Err(TppError::Answer("no account has a statement".to_owned()).into());
        };
        self.adds_up(access, account, &statement).await?;
        self.print(access, account, &statement, folder).await
    }

    /// Checks that the opening balance and the transactions add up to the closing balance.
    async fn adds_up(&mut self, access: &GrantedAccess, account: &Account, statement: &Value) -> Result<(), TppError> {
        let path = format!("aisp/accounts/{}/statements/{}", account.id, text(statement, "StatementId"));
        let exchange = self.tpp.get(&access.token, &path).await?;
        let one = array(&self.resource(exchange, StatusCode::OK)?, "/Data/Statement");
        self.check(one.first() == Some(statement), "one statement by id is the same record (AIS-146)");
        let mut sum = 0_i128;
        let mut count = 0_usize;
        let mut url = Some(self.tpp.resource_url(&format!("{path}/transactions")));
        for _ in 0..PAGES_MAX {
            let Some(address) = url.take() else { break };
            let exchange = self.tpp.read_link(&access.token, &address).await?;
            let page = self.resource(exchange, StatusCode::OK)?;
            for entry in array(&page, "/Data/Transaction") {
                sum = sum.saturating_add(self.amount(&entry, None));
                count = count.saturating_add(1);
            }
            url = page.pointer("/Links/Next").and_then(Value::as_str).map(str::to_owned);
        }
        let before = self.statement_line(account, statement, "UK.OBIE.PreviousClosingBalance");
        let after = self.statement_line(account, statement, "UK.OBIE.ClosingBalance");
        let (Some(before), Some(after)) = (before, after) else {
            self.check(false, "Detail shows the balances before and after (AIS-051)");
            return Ok(());
        };
        let sentence =
            format!("{} + {} on {count} entries = {}", format_amount(before), format_amount(sum), format_amount(after));
        self.check(before.saturating_add(sum) == after, &format!("{sentence} (AIS-147)"));
        self.fact(&format!("{sentence} {}", account.currency));
        Ok(())
    }

    /// Returns the amount of this type on a statement.
    fn statement_line(&mut self, account: &Account, statement: &Value, kind: &str) -> Option<i128> {
        let amounts = array(statement, "/StatementAmount");
        let found = amounts.iter().find(|it| text(it, "Type") == kind)?;
        Some(self.amount(found, Some(&account.currency)))
    }

    /// Fetches the statement as a PDF and saves it.
    async fn print(
        &mut self,
        access: &GrantedAccess,
        account: &Account,
        statement: &Value,
        folder: &Path,
    ) -> Result<(), TourError> {
        let path = format!("aisp/accounts/{}/statements/{}/file", account.id, text(statement, "StatementId"));
        let call = HttpCall::get(self.tpp.resource_url(&path))
            .with_bearer(&access.token)
            .with_header("accept", "application/pdf");
        let exchange = self.tpp.send(call).await?.expect_status(StatusCode::OK)?;
        self.common_headers(&exchange);
        self.check(exchange.header("content-type") == Some("application/pdf"), "the file is a PDF (AIS-156)");
        self.check(exchange.body.starts_with(b"%PDF-"), "and begins as one");
        let attached = exchange.header("content-disposition").is_some_and(|value| value.starts_with("attachment"));
        self.check(attached, "to be saved, not shown (AIS-156)");
        let to = folder.join("statement.pdf");
        if let Err(source) = write_file(&to, &exchange.body, FileAccess::Everyone, FileLifetime::Durable) {
            return Err(TourError::NotSaved { path: to, source });
        }
        self.fact(&format!("saved to {}, {} bytes", to.display(), exchange.body.len()));
        Ok(())
    }
}

fn is_dated(statement: &Value) -> bool {
    let [from, to] = ["StartDateTime", "EndDateTime"].map(|name| text(statement, name));
    !from.is_empty() && from < to
}
