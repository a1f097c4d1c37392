//! Fractions of a second: requests may have any number of digits, answers have at most five. Source: RW-091.

use crate::harness::{Bank, ExchangeExt};
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

/// Seven digits of a second.
const SENT: &str = "2999-01-01T00:00:00.1234567+00:00";

/// The same of a time that has passed.
const PAST: &str = "2020-01-01T00:00:00.7654321Z";

/// Every date-time of a document, with its path.
fn date_times(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| date_times(value, &format!("{path}.{name}"), found))
        }
        Value::Array(items) => items.iter().for_each(|item| date_times(item, path, found)),
        Value::String(text) if path.ends_with("DateTime") => found.push((path.to_owned(), text.clone())),
        _ => {}
    }
}

fn assert_short(answer: &Value) {
    let mut found = Vec::new();
    date_times(answer, "", &mut found);
    assert!(!found.is_empty(), "{answer}");
    for (path, text) in found {
        let fraction = text.split_once('.').map_or("", |(_, rest)| rest);
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        assert!(digits <= 5, "{path}: {text}");
        assert!(text.parse::<jiff::Timestamp>().is_ok(), "{path}: {text}");
    }
}

/// A consent of each kind, with every date-time that a request may have.
fn requests(version: &str) -> Vec<(&'static str, &'static str, Value)> {
    let account =
        json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "20000012345674", "Name": "Payee"});
    let access = json!({
        "Permissions": ["ReadAccountsBasic", "ReadTransactionsBasic", "ReadTransactionsCredits"],
        "ExpirationDateTime": SENT, "TransactionFromDateTime": PAST, "TransactionToDateTime": SENT
    });
    let funds = json!({"DebtorAccount": account, "ExpirationDateTime": SENT});
    let authorisation = json!({"AuthorisationType": "Any", "CompletionDateTime": SENT});
    let initiation = json!({
        "InstructionIdentification": "I", "EndToEndIdentification": "E", "CreditorAccount": account,
        "InstructedAmount": {"Amount": "1.00", "Currency": "GBP"}
    });
    let mut vrp_initiation = json!({"CreditorAccount": account});
    if version == "v3.1" {
        vrp_initiation["RemittanceInformation"] = json!({"Reference": "R"});
    }
    let vrp = json!({
        "ReadRefundAccount": "No",
        "ControlParameters": {
            "ValidFromDateTime": PAST, "ValidToDateTime": SENT,
            "MaximumIndividualAmount": {"Amount": "10.00", "Currency": "GBP"},
            "PeriodicLimits": [{"Amount": "20.00", "Currency": "GBP", "PeriodType": "Month", "PeriodAlignment": "Consent"}],
            "VRPType": ["UK.OBIE.VRPType.Sweeping"], "PSUAuthenticationMethods": ["UK.OBIE.SCANotRequired"],
            "PSUInteractionTypes": ["OffSession"]
        },
        "Initiation": vrp_initiation
    });
    vec![
        ("accounts", "aisp/account-access-consents", json!({"Data": access, "Risk": {}})),
        ("fundsconfirmations", "cbpii/funds-confirmation-consents", json!({"Data": funds})),
        (
            "payments",
            "pisp/domestic-payment-consents",
            json!({"Data": {"Initiation": initiation, "Authorisation": authorisation}, "Risk": {}}),
        ),
        ("payments", "pisp/domestic-vrp-consents", json!({"Data": vrp, "Risk": {}})),
    ]
}

#[tokio::test]
async fn rw_091_answers_have_at_most_five_digits_of_a_second() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    for version in ["v3.1", "v4.0"] {
        for (scope, path, body) in requests(version) {
            let own = tpp.client_credentials(scope).await.unwrap().access_token;
            let url = format!("{}/{version}/{path}", bank.endpoints().resource_base);
            let call = HttpCall::post(url)
                .with_bearer(&own)
                .with_header("x-idempotency-key", format!("{version}{}", path.len()));
            let call = tpp.signed(call, &body).unwrap();
            assert_short(&tpp.send(call).await.unwrap().ok(201));
        }
    }
}
