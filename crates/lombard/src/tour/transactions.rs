//! Reads two pages of transactions of each account, and checks the running balances.

use super::access::GrantedAccess;
use super::accounts::Account;
use super::checks::{array, format_amount, text};
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::TppError;
use serde_json::Value;
use std::collections::HashSet;

/// The number of pages that are read for an account.
const PAGES: usize = 2;

impl Tour<'_> {
    /// Reads the first pages of every account.
    pub(super) async fn transactions(&mut self, access: &GrantedAccess, accounts: &[Account]) -> Result<(), TppError> {
        self.step("Transactions: a page, then the next one");
        let mut credits = 0_usize;
        let mut debits = 0_usize;
        for account in accounts {
            let entries = self.entries(access, account).await?;
            credits = credits.saturating_add(side(&entries, "Credit"));
            debits = debits.saturating_add(side(&entries, "Debit"));
            self.check_order(&entries);
            self.check_running_balance(account, &entries);
        }
        self.check(credits > 0 && debits > 0, "credits and debits are both shown (AIS-041)");
        self.fact(&format!("{credits} credits and {debits} debits; every running balance adds up to the one before"));
        Ok(())
    }

    async fn entries(&mut self, access: &GrantedAccess, account: &Account) -> Result<Vec<Value>, TppError> {
        let mut url = Some(self.tpp.resource_url(&format!("aisp/accounts/{}/transactions", account.id)));
        let mut entries = Vec::new();
        for page in 0..PAGES {
            let Some(address) = url.take() else { break };
            let exchange = self.tpp.read_link(&access.token, &address).await?;
            let answer = self.resource(exchange, StatusCode::OK)?;
            self.check(answer.pointer("/Links/Prev").is_some() == (page > 0), "the first page has no Prev (RW-272)");
            entries.extend(array(&answer, "/Data/Transaction"));
            url = answer.pointer("/Links/Next").and_then(Value::as_str).map(str::to_owned);
        }
        self.fact(&format!("{}: {} entries, newest {}", account.name, entries.len(), newest(&entries)));
        Ok(entries)
    }

    fn check_order(&mut self, entries: &[Value]) {
        let ids: HashSet<_> = entries.iter().map(|entry| text(entry, "TransactionId")).collect();
        self.check(ids.len() == entries.len(), "no entry is shown twice (RW-275)");
        let newest_first = entries.is_sorted_by(|a, b| text(a, "BookingDateTime") >= text(b, "BookingDateTime"));
        self.check(newest_first, "newest first (RW-277)");
    }

    /// Checks that each booked entry's balance is the previous one plus its amount, and that the newest equals the booked
    /// balance.
    fn check_running_balance(&mut self, account: &Account, entries: &[Value]) {
        let mut newer: Option<(i128, i128)> = None;
        for entry in entries {
            let sum = self.amount(entry, None);
            let Some(balance) = entry.get("Balance").filter(|_| text(entry, "Status") == self.names.booked) else {
                continue;
            };
            let after = self.amount(balance, Some(&account.currency));
            match newer {
                None => {
                    let wanted = account.booked.map_or_else(|| "unknown".to_owned(), format_amount);
                    let what = format!("the newest balance {} is the booked one, {wanted}", format_amount(after));
                    self.check(account.booked == Some(after), &what);
                }
                Some((newer_sum, newer_after)) => {
                    let adds_up = after.saturating_add(newer_sum) == newer_after;
                    self.check(
                        adds_up,
                        &format!(
                            "{} + {} = {}",
                            format_amount(after),
                            format_amount(newer_sum),
                            format_amount(newer_after)
                        ),
                    );
                }
            }
            newer = Some((sum, after));
        }
    }
}

fn side(entries: &[Value], indicator: &str) -> usize {
    entries.iter().filter(|entry| text(entry, "CreditDebitIndicator") == indicator).count()
}

fn newest(entries: &[Value]) -> &str {
    entries.first().map_or("none", |entry| text(entry, "BookingDateTime"))
}
