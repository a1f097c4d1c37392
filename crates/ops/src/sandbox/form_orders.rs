//! Parses commands that forms of the portal submit, by the same rules as commands in JSON.

use super::accounts::AccountRequest;
use super::customers::CustomerRequest;
use super::entries::EntryRequest;
use super::orders::{DECIDABLE, OutcomeRequest, PlanRequest};
use super::request::{ClockRequest, DecisionRequest, InvalidControlRequest};
use jiff::Timestamp;
use lombard_domain::money::Currency;
use lombard_domain::payment::order::RejectionReason;
use lombard_ports::controls::{
    AccountClosure, AccountEdit, ClockMove, ConsentDecision, CustomerChange, NewEntry, OrderOutcome, OrderPlan,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Parses a command from the fields of a form; empty fields are left out.
fn order<T: DeserializeOwned, U>(
    fields: &[(&str, Value)],
    read: impl FnOnce(T) -> Result<U, InvalidControlRequest>,
) -> Result<U, String> {
    let given = fields.iter().filter(|(_, value)| !value.is_null() && value.as_str() != Some(""));
    let members: Map<String, Value> = given.map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let order = serde_json::from_value(Value::Object(members)).map_err(|error| error.to_string())?;
    read(order).map_err(InvalidControlRequest::into_text)
}

/// Parses a move of the clock.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_clock_move(fields: &[(&str, Value)]) -> Result<ClockMove, String> {
    order(fields, ClockRequest::read)
}

/// Parses a customer's decision on a consent.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_decision(fields: &[(&str, Value)]) -> Result<ConsentDecision, String> {
    order(fields, DecisionRequest::read)
}

/// Parses the outcome of an order.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_outcome(fields: &[(&str, Value)]) -> Result<OrderOutcome, String> {
    order(fields, OutcomeRequest::read)
}

/// Parses a plan for the orders of a consent.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_order_plan(fields: &[(&str, Value)]) -> Result<OrderPlan, String> {
    order(fields, PlanRequest::read)
}

/// Parses a new entry of money that arrives or leaves.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_entry(fields: &[(&str, Value)]) -> Result<NewEntry, String> {
    order(fields, |request: EntryRequest| request.read().map(|order| order.entry))
}

/// Parses a change of an account.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_account_change(fields: &[(&str, Value)]) -> Result<AccountEdit, String> {
    order(fields, AccountRequest::read)
}

/// Parses a change of a customer.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_customer_change(fields: &[(&str, Value)]) -> Result<CustomerChange, String> {
    order(fields, CustomerRequest::read)
}

/// Parses the way in which an account ends, from the last segment of the control's path.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_account_end(text: &str) -> Result<AccountClosure, String> {
    let found = ACCOUNT_ENDS.iter().find(|(name, _)| *name == text).map(|(_, end)| *end);
    found.ok_or_else(|| format!("end: one of {}", ACCOUNT_ENDS.map(|(name, _)| name).join(", ")))
}

const ACCOUNT_ENDS: [(&str, AccountClosure); 3] =
    [("close", AccountClosure::Closed), ("switch", AccountClosure::Switched), ("bar", AccountClosure::Blocked)];

/// Makes a data file, of this time on the bank's clock, with a new customer who has a current account in pounds. The import reports faulty
/// values.
pub fn write_customer_file(fields: &NewCustomerFields<'_>, now: Timestamp) -> Vec<u8> {
    let NewCustomerFields { login, name, number, balance, credit_limit } = *fields;
    let about = format!("{name} was added on the portal.");
    let pounds = |amount: &str| json!({ "Amount": amount, "Currency": Currency::GBP.code() });
    let mut account = json!({
        "AccountId": login,
        "Status": "Enabled",
        "StatusUpdateDateTime": now.to_string(),
        "Currency": Currency::GBP.code(),
        "AccountType": "Personal",
        "AccountSubType": "CurrentAccount",
        "Description": "Current account",
        "Account": [{ "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": number, "Name": name }],
        "Holder": [login],
        "Shareable": true,
    });
    if let Some(members) = account.as_object_mut() {
        let balance = (!balance.is_empty()).then(|| {
            let balance = json!({ "CreditDebitIndicator": "Credit", "Amount": pounds(balance) });
            ("OpeningBalance".to_owned(), balance)
        });
        let limit = (!credit_limit.is_empty()).then(|| ("CreditLimit".to_owned(), pounds(credit_limit)));
        members.extend(balance.into_iter().chain(limit));
    }
    let file = json!({
        "Version": 1,
        "AsOf": now.to_string(),
        "Customer": [{ "Login": login, "Name": name, "About": about }],
        "Account": [account],
    });
    file.to_string().into_bytes()
}

/// The fields of a new customer; amounts may be empty.
#[derive(Debug, Clone, Copy)]
pub struct NewCustomerFields<'a> {
    /// The name that the customer logs in with.
    pub login: &'a str,
    /// The customer's name.
    pub name: &'a str,
    /// Sort code and account number.
    pub number: &'a str,
    /// The balance of the first account, as a decimal.
    pub balance: &'a str,
    /// The credit limit of the first account, as a decimal; empty for none.
    pub credit_limit: &'a str,
}

/// Parses the number of events to raise: 1 to `count_max`.
///
/// # Errors
/// A sentence that states how to write the command.
pub fn read_events_count(text: &str, count_max: u32) -> Result<u32, String> {
    let count = text.trim().parse().ok().filter(|count| (1..=count_max).contains(count));
    count.ok_or_else(|| format!("count: a number from 1 to {count_max}"))
}

/// The reasons that a tester can choose for a rejection.
pub const fn rejection_reasons() -> [RejectionReason; DECIDABLE.len()] {
    DECIDABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_forms_are_read_as_those_of_the_listener() {
        let by = read_clock_move(&[("advance_secs", json!(60)), ("set", json!(""))]).unwrap();
        assert_eq!(by, ClockMove::By(jiff::SignedDuration::from_secs(60)));
        assert!(read_clock_move(&[]).unwrap_err().starts_with("say either"));
        let entry = |amount: &str| {
            read_entry(&[("amount", json!(amount)), ("currency", json!("GBP")), ("indicator", json!("Debit"))])
        };
        assert_eq!(entry("12.50").unwrap().minor, -1_250);
        assert!(entry("0.00").unwrap_err().starts_with("amount:"));
        assert!(read_outcome(&[("outcome", json!("cancel")), ("reason", json!(""))]).is_ok());
        assert!(read_outcome(&[("outcome", json!("cancel")), ("reason", json!("unstated"))]).is_err());
        assert!(read_decision(&[("psu", json!("amelia")), ("decision", json!("approve"))]).is_ok());
        assert!(read_decision(&[("psu", json!("amelia")), ("decision", json!("shrug"))]).is_err());
        assert_eq!(read_account_end("bar"), Ok(AccountClosure::Blocked));
        assert!(read_account_end("burn").unwrap_err().contains("close, switch, bar"));
        assert_eq!((read_events_count("3", 9), read_events_count("10", 9).is_err()), (Ok(3), true));
    }
}
