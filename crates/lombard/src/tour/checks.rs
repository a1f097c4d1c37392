//! Checks every response of the Read/Write API.

use super::run::Tour;
use http::StatusCode;
use lombard_tpp::{HttpExchange, TppError};
use serde_json::Value;

/// The largest number of decimals of an amount; the tour counts in hundred-thousandths. Source: RW-251.
const DECIMALS_MAX: usize = 5;

impl Tour<'_> {
    /// Checks the common parts of a JSON response with this status and returns its body.
    pub(super) fn answer(&mut self, exchange: HttpExchange, status: StatusCode) -> Result<Value, TppError> {
        let exchange = exchange.expect_status(status)?;
        self.common_headers(&exchange);
        let json_type = exchange.header("content-type").is_some_and(|value| value.starts_with("application/json"));
        self.check(json_type, "the answer is application/json (RW-071)");
        exchange.json()
    }

    /// Checks a successful resource response, with links and meta, and returns its body.
    pub(super) fn resource(&mut self, exchange: HttpExchange, status: StatusCode) -> Result<Value, TppError> {
        let body = self.answer(exchange, status)?;
        let base = self.tpp.endpoints.resource_base.clone();
        let own = body.pointer("/Links/Self").and_then(Value::as_str).unwrap_or_default();
        self.check(own.starts_with(&base), "Links.Self is an absolute link to the bank (RW-241)");
        self.check(body.get("Meta").is_some_and(Value::is_object), "Meta is there (RW-242)");
        Ok(body)
    }

    /// Checks the headers that every response must have, including errors.
    pub(super) fn common_headers(&mut self, exchange: &HttpExchange) {
        let sent = exchange.request_headers.get("x-fapi-interaction-id");
        let echoed = exchange.headers.get("x-fapi-interaction-id");
        self.check(echoed.is_some_and(|echo| sent.is_none_or(|sent| sent == echo)), "x-fapi-interaction-id (RW-050)");
    }

    /// Checks the form and currency of an amount and returns it in hundred-thousandths.
    pub(super) fn amount(&mut self, holder: &Value, currency: Option<&str>) -> i128 {
        let text = holder.pointer("/Amount/Amount").and_then(Value::as_str).unwrap_or_default();
        let parsed = parse_amount(text);
        self.check(parsed.is_some(), "amounts are decimal text without sign (RW-251)");
        let written = holder.pointer("/Amount/Currency").and_then(Value::as_str).unwrap_or_default();
        let known = written.len() == 3 && written.bytes().all(|byte| byte.is_ascii_uppercase());
        self.check(known && currency.is_none_or(|it| it == written), "the currency is the account's (RW-251)");
        let units = parsed.unwrap_or_default();
        match holder.get("CreditDebitIndicator").and_then(Value::as_str) {
            Some("Credit") => units,
            Some("Debit") => {
                self.check(units > 0, "zero is a credit (RW-251)");
                units.saturating_neg()
            }
            _ => {
                self.check(false, "CreditDebitIndicator is Credit or Debit");
                units
            }
        }
    }
}

/// The text at a member, empty if absent.
pub(super) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// The value at a pointer, null if absent.
pub(super) fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

/// Whether a member is present.
pub(super) fn has(value: &Value, member: &str) -> bool {
    value.get(member).is_some()
}

/// The array at a pointer, empty if absent.
pub(super) fn array(value: &Value, pointer: &str) -> Vec<Value> {
    value.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Formats an amount in hundred-thousandths as a decimal number.
pub(super) fn format_amount(units: i128) -> String {
    let hundredths = units.unsigned_abs() / 1_000;
    let sign = if units < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Parses an amount in the standard's form to hundred-thousandths.
fn parse_amount(text: &str) -> Option<i128> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits =
        |text: &str, max: usize| (1..=max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole, 13) || !digits(part, DECIMALS_MAX) {
        return None;
    }
    format!("{whole}{part:0<DECIMALS_MAX$}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_251_amounts_have_one_form() {
        let good = [
            ("0.00", 0),
            ("12.34", 1_234_000),
            ("7", 700_000),
            ("0.00001", 1),
            ("1234567890123.5", 123_456_789_012_350_000),
        ];
        for (text, units) in good {
            assert_eq!(parse_amount(text), Some(units), "{text}");
        }
        for text in ["", "-1.00", "1.", ".5", "1.000001", "12345678901234", "1,00", "1e3", "+1"] {
            assert_eq!(parse_amount(text), None, "{text}");
        }
        assert_eq!(format_amount(-1_234_000), "-12.34");
    }
}
