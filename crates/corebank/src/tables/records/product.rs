//! Tests of the stored JSON document of a product. `lombard-domain` defines its form, whose names and codes never change their
//! meaning.
//!
//! One document for each kind of product, with every member, is read and written again. The test fails if a name or a
//! code of the domain changes; the domain then keeps the stored name by `serde(rename)`.

use lombard_domain::account::AccountProduct;
use serde_json::{Value, json};

fn limit() -> Value {
    json!({ "bound": "maximum", "occurrences": 3, "amount": "20.00", "period": "academic-term", "notes": ["n"] })
}

fn odd() -> Value {
    json!({ "code": "ODD", "name": "Odd", "description": "Something odd" })
}

fn overdraft() -> Value {
    let charges = json!([{
        "fees": [{
            "what": { "kind": "temporary-overdraft", "overdraft_control": true, "increment": "100" },
            "negotiable": true, "amount": "5.00", "rate": "1.5", "rate_type": "loan-provider-base-rate",
            "applied": "per-transaction-percentage", "calculated": odd(), "limits": [limit()], "notes": ["n"],
        }],
        "caps": [{ "kinds": ["surcharge", odd()], "overdraft_control": false, "limit": limit() }],
    }]);
    json!({
        "sets": [{
            "id": "S", "method": "banded", "kind": "on-demand", "authorised": true, "buffer": "15.00",
            "tiers": [{
                "id": "T", "from": "0", "to": "1000.0000", "ear": "39.90", "apr": "39.9",
                "agreement": { "min": 1, "max": 12, "period": "half-year" }, "coverage": "whole",
                "guaranteed": false, "charges": charges, "notes": ["n"],
            }],
            "charges": charges, "notes": ["n"],
        }],
        "notes": ["n"],
    })
}

fn credit_interest(method: &str, destination: &Value) -> Value {
    json!([{
        "method": method, "calculation": "simple", "destination": destination,
        "tiers": [{
            "id": "T", "from": "0.01", "to": "2500.00", "calculated": "per-statement-date", "applied": "half-yearly",
            "coverage": method, "variation": "fixed", "aer": "4.2500", "rate_type": "linked-base-rate", "rate": "4.17",
            "notes": ["n"],
        }],
        "notes": ["n"],
    }])
}

fn charges() -> Value {
    json!({
        "fees": [{
            "what": {
                "kind": "minimum-monthly", "category": "servicing",
                "range": { "amount_min": "1", "amount_max": "2", "rate_min": "3", "rate_max": "4" },
            },
            "amount": "12.50", "applied": "statement-monthly",
        }],
        "caps": [{ "kinds": ["account-monthly"], "limit": { "bound": "minimum" } }],
    })
}

fn documents() -> Vec<Value> {
    let whole = |kind: Value| {
        json!({
            "account": "b", "id": "p", "secondary_id": "s", "name": "n", "marketing_state": "m", "kind": kind,
        })
    };
    vec![
        whole(json!("commercial-credit-card")),
        json!({ "account": "b", "id": "p", "kind": "sme-loan" }),
        whole(json!({ "personal-current-account": {
            "features": { "segments": ["young-adult", "other"], "monthly_charge_max": "60.00", "notes": ["n"] },
            "credit_interest": credit_interest("tiered", &json!("pay-away")), "overdraft": overdraft(),
            "charges": charges(),
        } })),
        whole(json!({ "business-current-account": {
            "features": {
                "segments": ["public-authority"], "fee_free": { "count": 18, "period": "month" }, "notes": ["n"],
            },
            "credit_interest": credit_interest("banded", &json!("self-credit")), "overdraft": overdraft(),
            "tariffs": [{ "kind": "electronic", "name": "n", "charges": charges() }],
        } })),
        whole(json!({ "other": {
            "name": "Loan", "description": "A loan",
            "features": {
                "segments": [{ "personal": "general" }, { "business": "charity" }, { "lending": "fixed-group" }],
                "other_segment": odd(), "fee_free": { "count": 1, "period": "week" }, "monthly_charge_max": "60",
                "notes": ["n"],
            },
            "credit_interest": credit_interest("whole", &odd()), "overdraft": overdraft(),
            "loan_interest": {
                "sets": [{
                    "id": "S", "method": "tiered", "calculation": "compound",
                    "tiers": [{
                        "id": "T", "from": "1000", "to": "25000", "term_min": { "count": 1, "period": "year" },
                        "term_max": { "count": 7, "period": "year" }, "variation": "variable", "apr": "6.1",
                        "rate_type": "fixed", "rate": "5.95", "charges": [charges()], "notes": ["n"],
                    }],
                    "charges": [charges()], "notes": ["n"],
                }],
                "notes": ["n"],
            },
            "repayment": {
                "kind": "fixed-capital-fully-amortising", "frequency": "fortnightly", "amount": "balance-to-date",
                "charges": charges(), "holidays": [{ "max": { "count": 3, "period": "quarter" }, "notes": ["n"] }],
                "notes": ["n"],
            },
            "tariffs": [{ "kind": odd(), "charges": charges() }],
        } })),
    ]
}

#[test]
fn a_product_s_document_says_what_it_said() {
    for document in documents() {
        let product: AccountProduct = serde_json::from_value(document.clone()).unwrap();
        assert_eq!(serde_json::to_value(&product).unwrap(), document);
    }
}

#[test]
fn a_number_beyond_the_standard_s_digits_is_not_read() {
    let mut document = documents().swap_remove(2);
    let max = document.pointer_mut("/kind/personal-current-account/features/monthly_charge_max").unwrap();
    *max = json!("100000000000000");
    assert!(serde_json::from_value::<AccountProduct>(document).is_err());
}
