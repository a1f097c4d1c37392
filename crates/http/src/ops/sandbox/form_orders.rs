//! Orders as the forms of the portal make them: read as those that come as JSON.

use super::entries::EntryRequest;
use super::orders::{DECIDABLE, OutcomeRequest};
use super::request::{BadControlRequest, ClockRequest, DecisionRequest};
use lombard_domain::code::StoredCode;
use lombard_ports::controls::{ClockMove, ConsentDecision, NewEntry, OrderOutcome};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The members of an order, as its form has them; empty fields are left out.
fn order<T: DeserializeOwned, U>(
    fields: &[(&str, Value)],
    read: impl FnOnce(T) -> Result<U, BadControlRequest>,
) -> Result<U, String> {
    let given = fields.iter().filter(|(_, value)| !value.is_null() && value.as_str() != Some(""));
    let members: Map<String, Value> = given.map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let order = serde_json::from_value(Value::Object(members)).map_err(|error| error.to_string())?;
    read(order).map_err(BadControlRequest::into_text)
}

/// How the clock is moved.
///
/// # Errors
/// How to write it.
pub(crate) fn read_clock_move(fields: &[(&str, Value)]) -> Result<ClockMove, String> {
    order(fields, ClockRequest::read)
}

/// What a customer decides.
///
/// # Errors
/// How to write it.
pub(crate) fn read_decision(fields: &[(&str, Value)]) -> Result<ConsentDecision, String> {
    order(fields, DecisionRequest::read)
}

/// What becomes of an order.
///
/// # Errors
/// How to write it.
pub(crate) fn read_outcome(fields: &[(&str, Value)]) -> Result<OrderOutcome, String> {
    order(fields, OutcomeRequest::read)
}

/// Money that arrives or leaves.
///
/// # Errors
/// How to write it.
pub(crate) fn read_entry(fields: &[(&str, Value)]) -> Result<NewEntry, String> {
    order(fields, |request: EntryRequest| request.read().map(|order| order.entry))
}

/// How many events are raised: 1 to the most of a form.
///
/// # Errors
/// How to write it.
pub(crate) fn read_events_count(text: &str, count_max: u32) -> Result<u32, String> {
    let count = text.trim().parse().ok().filter(|count| (1..=count_max).contains(count));
    count.ok_or_else(|| format!("count: a number from 1 to {count_max}"))
}

/// The reasons that a rejection may have.
pub(crate) fn rejection_reasons() -> [&'static str; DECIDABLE.len()] {
    DECIDABLE.map(|reason| reason.code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        assert_eq!((read_events_count("3", 9), read_events_count("10", 9).is_err()), (Ok(3), true));
    }
}
