//! Numbers of accounts and cards, and tokens, in the addresses of requests: none is readable in the log of requests, however it is
//! written. Source: RW-050, TLS-018.

use crate::harness::{Bank, ExchangeExt, ValueExt};
use http::Method;
use lombard_tpp::{HttpCall, Tpp};
use serde_json::Value;

/// A sort code with an account number, an IBAN of each of two lengths, and cards, in the groups in which people write them.
const NUMBERS: [&[&str]; 5] = [
    &["20", "00", "00", "12345671"],
    &["GB29", "NWBK", "6016", "1331", "9268", "19"],
    &["NL91", "ABNA", "0417", "1643", "00"],
    &["4929", "0000", "0000", "6774"],
    &["3714", "496353", "98431"],
];

/// What stands between the groups, as an address carries it.
const BETWEEN: [&str; 22] = [
    "",
    "-",
    "+",
    ".",
    "_",
    "%20",
    "%2D",
    "%2d",
    "%2B",
    "%2E",
    "%C2%A0",
    "%E2%80%93",
    "%E2%80%91",
    "%E2%80%AF",
    "%E3%80%80",
    "%2520",
    "%20-%20",
    "%09",
    "%0D%0A",
    "%20%20%20%20",
    "~",
    "%E2%80%89%E2%80%93%E2%80%89",
];

const TOKEN: &str = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5hJ7kL9m";

/// Ids that stay readable: a UUID whose groups are digits, one of ours, a name, a time.
const IDS: [&str; 4] =
    ["01234567-8901-4234-8567-890123456789", "018f1e2a-0123-7456-8901-123456789012", "payee-42", "2026-01-02"];

/// Every character percent-encoded.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A secret as it is sent, and the longest part of it that nobody may read.
struct Spelling {
    sent: String,
    parts: Vec<String>,
}

fn spellings() -> Vec<Spelling> {
    let mut all = Vec::new();
    for groups in NUMBERS {
        let parts: Vec<String> = vec![groups.concat()];
        for between in BETWEEN {
            all.push(Spelling { sent: groups.join(between), parts: parts.clone() });
        }
        all.push(Spelling { sent: encoded(&groups.concat()), parts: parts.clone() });
        all.push(Spelling { sent: encoded(&encoded(&groups.join(" "))), parts: parts.clone() });
        all.push(Spelling { sent: groups.join(" ").to_lowercase().replace(' ', "%20"), parts });
    }
    let (head, tail) = TOKEN.split_at(20);
    let parts = vec![TOKEN.to_owned()];
    for sent in [
        TOKEN.to_owned(),
        encoded(TOKEN),
        format!("{head}%{:02x}{}", tail.as_bytes()[0], &tail[1..]),
        encoded(&encoded(TOKEN)),
    ] {
        all.push(Spelling { sent, parts: parts.clone() });
    }
    all
}

/// Letters and digits alone, decoded as often as there is something to decode: what somebody finds who looks for a number.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..6 {
        text = url::form_urlencoded::parse(text.as_bytes()).map(|(name, value)| format!("{name}={value}&")).collect();
    }
    text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

/// Sends requests, and gives what the log has of their addresses, in their order.
async fn logged(bank: &Bank, tpp: &Tpp, name: &str, targets: &[String]) -> Vec<String> {
    let mut paths = Vec::new();
    for (round, targets) in targets.chunks(50).enumerate() {
        let id = format!("{name}-{round}");
        for target in targets {
            let url = format!("{}{target}", bank.endpoints().resource_base.trim_end_matches("/open-banking"));
            let call =
                HttpCall::new(Method::GET, url).with_header("x-fapi-interaction-id", id.clone()).with_bearer("none");
            tpp.send(call).await.unwrap();
        }
        let page =
            bank.ops_get(&format!("/operations/requests?interaction_id={id}&limit=100&reason=test")).await.ok(200);
        let mut found: Vec<_> = page.list("/requests").iter().map(|it: &Value| it.text("path").to_owned()).collect();
        found.reverse();
        assert_eq!(found.len(), targets.len(), "each request has a record");
        paths.extend(found);
    }
    paths
}

/// The places of an address in which a text can stand.
const PLACES: [&str; 5] = [
    "/open-banking/v3.1/aisp/accounts/*",
    "/open-banking/v4.0/aisp/accounts/*/balances",
    "/open-banking/v3.1/aisp/accounts?number=*&*=1",
    "/open-banking/v3.1/aisp/accounts?*",
    "/open-banking/v3.1/aisp/accounts/x/transactions?fromBookingDateTime=*",
];

#[tokio::test]
async fn tls_018_no_number_and_no_token_is_read_in_an_address_of_the_log() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let spellings = spellings();
    for (number, place) in PLACES.into_iter().enumerate() {
        let targets: Vec<_> = spellings.iter().map(|it| place.replace('*', &it.sent)).collect();
        for ((shown, sent), spelling) in
            logged(&bank, &tpp, &format!("place-{number}"), &targets).await.iter().zip(&targets).zip(&spellings)
        {
            for part in &spelling.parts {
                assert!(!plain(shown).contains(&part.to_lowercase()), "{sent} is {shown}");
            }
            let digits: Vec<_> = shown.split(|it: char| !it.is_ascii_digit()).filter(|run| run.len() >= 4).collect();
            assert!(digits.iter().all(|run| ["2026"].contains(run)), "{sent} is {shown}");
        }
    }
}

#[tokio::test]
async fn rw_050_ids_and_times_stay_readable_in_the_log() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    for (name, place) in [("one", PLACES[0]), ("two", PLACES[1]), ("three", PLACES[4])] {
        let targets: Vec<_> = IDS.iter().map(|id| place.replace('*', id)).collect();
        assert_eq!(logged(&bank, &tpp, name, &targets).await, targets);
    }
    let time = PLACES[4].replace('*', "2026-01-02T03%3A04%3A05.678%2B00%3A00");
    let shown = logged(&bank, &tpp, "time", &[time]).await;
    assert_eq!(shown, [PLACES[4].replace('*', "2026-01-02T03:04:05.678+00:00")]);
}
