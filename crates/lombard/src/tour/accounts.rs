//! Reads accounts and their balances.

use super::access::GrantedAccess;
use super::checks::{array, format_amount, has, text};
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::TppError;
use serde_json::Value;

/// The data of an account that the tour needs.
#[derive(Debug)]
pub(super) struct Account {
    /// The account's id.
    pub(super) id: String,
    /// The account's currency.
    pub(super) currency: String,
    /// The account's nickname.
    pub(super) name: String,
    /// The sort code and account number; empty if the account has none.
    pub(super) number: String,
    /// The booked balance in hundred-thousandths; set after the balances were read.
    pub(super) booked: Option<i128>,
}

impl Tour<'_> {
    /// Reads all accounts, then a single account by its id.
    pub(super) async fn accounts(&mut self, access: &GrantedAccess) -> Result<Vec<Account>, TppError> {
        self.step("Accounts");
        let exchange = self.tpp.get(&access.token, "aisp/accounts").await?;
        let answer = self.resource(exchange, StatusCode::OK)?;
        let mut accounts = Vec::new();
        for account in array(&answer, "/Data/Account") {
            self.check(has(&account, "Account"), "Detail shows account numbers (AIS-051)");
            let name =
                [text(&account, "Nickname"), text(&account, "Description"), text(&account, self.names.account_kind)];
            accounts.push(Account {
                id: text(&account, "AccountId").to_owned(),
                currency: text(&account, "Currency").to_owned(),
                number: number(&account),
                name: (*name.iter().find(|it| !it.is_empty()).unwrap_or(&"")).to_owned(),
                booked: None,
            });
        }
        let Some(first) = accounts.first() else {
            return Err(TppError::Answer("the customer shared no account".to_owned()));
        };
        let exchange = self.tpp.get(&access.token, &format!("aisp/accounts/{}", first.id)).await?;
        let one = self.resource(exchange, StatusCode::OK)?;
        let alone = array(&one, "/Data/Account");
        let same = alone.len() == 1 && alone.first() == array(&answer, "/Data/Account").first();
        self.check(same, "one account by id is the same record (AIS-100)");
        let names: Vec<_> = accounts.iter().map(|it| format!("{} ({})", it.name, it.currency)).collect();
        self.fact(&names.join(", "));
        Ok(accounts)
    }

    /// Reads the balances of all accounts in bulk, then those of each account.
    pub(super) async fn balances(&mut self, access: &GrantedAccess, accounts: &mut [Account]) -> Result<(), TppError> {
        self.step("Balances");
        let exchange = self.tpp.get(&access.token, "aisp/balances").await?;
        let across = array(&self.resource(exchange, StatusCode::OK)?, "/Data/Balance");
        for account in accounts {
            let exchange = self.tpp.get(&access.token, &format!("aisp/accounts/{}/balances", account.id)).await?;
            let balances = array(&self.resource(exchange, StatusCode::OK)?, "/Data/Balance");
            self.check(!balances.is_empty(), "an account has a balance at least (AIS-110)");
            let in_bulk = across.iter().filter(|it| text(it, "AccountId") == account.id).count();
            self.check(in_bulk == balances.len(), "the bulk list covers the same balances (AIS-081)");
            let mut shown = Vec::new();
            for balance in &balances {
                let sum = self.amount(balance, Some(&account.currency));
                let kind = text(balance, "Type");
                if kind == self.names.interim_booked {
                    account.booked = Some(sum);
                }
                shown.push(format!("{kind} {}", format_amount(sum)));
            }
            self.fact(&format!("{}: {} {}", account.name, shown.join(", "), account.currency));
        }
        Ok(())
    }
}

/// The sort code and account number among an account's identifications.
fn number(account: &Value) -> String {
    let numbers = array(account, "/Account");
    let domestic = numbers.iter().find(|it| text(it, "SchemeName").ends_with("SortCodeAccountNumber"));
    domestic.map_or("", |it| text(it, "Identification")).to_owned()
}
