//! Tests of what is masked in a recorded request, and what is shown.

use super::super::headers::MaskedHeaders;
use super::super::{json, text};
use super::{ACCOUNT, TOKEN};
use http::{HeaderMap, HeaderValue, Method, Uri};
use proptest::{prop_assert_eq, proptest};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn tls_018_words_that_could_be_secrets_or_account_numbers_are_masked() {
    for (written, shown) in [
        ("", ""),
        ("application/json; charset=utf-8", "application/json; charset=utf-8"),
        ("018f1e2a-0123-7456-8901-123456789012", "018f1e2a-0123-7456-8901-123456789012"),
        (TOKEN, "[masked]"),
        (&format!("a {TOKEN}, b"), "a [masked], b"),
        (&format!("/accounts/{TOKEN}/é"), "/accounts/[masked]/é"),
        (ACCOUNT, "[masked]"),
        ("GB29NWBK60161331926819", "[masked]"),
        ("£20.00", "£20.00"),
    ] {
        assert_eq!(text::without_secrets(written), shown, "{written}");
    }
    let target = |uri: String| text::target(&uri.parse::<Uri>().unwrap());
    assert_eq!(
        target("/a/b?fromBookingDateTime=2026-01-01T00%3A00".to_owned()),
        "/a/b?fromBookingDateTime=2026-01-01T00:00"
    );
    let authorize = format!("/authorize?client_id=c&request={TOKEN}&scope=openid+{TOKEN}&{TOKEN}=1");
    assert_eq!(target(authorize), "/authorize?client_id=c&request=[masked]&scope=openid [masked]&[masked]=[masked]");
    for name in ["Amelia+Smith", "x77991122", "%7B%22client_secret%22%3A%22hunter2%22%7D", ""] {
        assert_eq!(target(format!("/token?{name}=1")), "/token?[masked]=[masked]", "{name}");
    }
    let long = Method::from_bytes(&[b'A'; 60_000]).unwrap();
    assert_eq!((text::method(&long).as_str(), text::method(&Method::DELETE)), ("AAAAAAAAAAAAAAA", Method::DELETE));
    let back = "https://tpp.example/back?x=1#code=abc&error=access_denied&state=s";
    assert_eq!(
        text::address(back),
        "https://tpp.example/back?x=[masked]#code=[masked]&error=access_denied&state=[masked]"
    );
    assert_eq!((text::tail(ACCOUNT).as_str(), text::tail("1234567").as_str()), ("[masked]9911", "[masked]"));
    assert_eq!(text::tail("GB29NWBKabcd"), "[masked]");
}

fn shown(headers: &HeaderMap) -> BTreeMap<String, String> {
    MaskedHeaders::of(headers).view()
}

proptest! {
    #[test]
    fn tls_018_a_run_is_found_wherever_it_stands(before in "[a/]{0,60}", digits in 0_usize..20, after in "[a/]{0,60}") {
        let text = format!("{before}{}{after}", "7".repeat(digits));
        let longest = |is: fn(&char) -> bool| text.split(|it| !is(&it)).map(str::len).max().unwrap_or_default();
        let is_secret = longest(|it| it.is_ascii_alphanumeric()) >= 41 || longest(char::is_ascii_digit) >= 13;
        prop_assert_eq!(text::without_secrets(&text).contains("[masked]"), is_secret, "{}", text);
    }
}

#[test]
fn tls_018_headers_are_masked_unless_they_are_known_to_be_harmless() {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("accept", "application/json"),
        ("authorization", &format!("Bearer {TOKEN}")),
        ("cookie", "a=b"),
        ("client-cert", ":MIIB:"),
        ("x-fapi-customer-ip-address", "192.0.2.1"),
        ("x-unknown", "1"),
        ("x-jws-signature", "eyJhbGciOiJQUzI1NiJ9..c2lnbmF0dXJlLXRoYXQtaXMtbG9uZw"),
        ("location", "https://tpp.example/#code=abc"),
        ("x-idempotency-key", TOKEN),
    ] {
        headers.insert(http::HeaderName::try_from(name).unwrap(), value.parse().unwrap());
    }
    headers.append("accept", HeaderValue::from_static("text/csv"));
    assert_eq!(
        json!(shown(&headers)),
        json!({
            "accept": "application/json, text/csv",
            "authorization": "Bearer [masked]",
            "client-cert": "[masked]",
            "cookie": "[masked]",
            "location": "https://tpp.example/#code=[masked]",
            "x-fapi-customer-ip-address": "[masked]",
            "x-idempotency-key": "[masked]",
            "x-jws-signature": "eyJhbGciOiJQUzI1NiJ9..c2lnbmF0[masked]",
            "x-unknown": "[masked]",
        })
    );
    for (sent, kept) in [("Basic eDp5", "Basic [masked]"), (TOKEN, "[masked]"), ("hunter2 x", "[masked]")] {
        let headers = [(http::header::AUTHORIZATION, sent.parse().unwrap())].into_iter().collect();
        assert_eq!(shown(&headers)["authorization"], kept);
    }
    // Of a header without end the beginning is kept.
    let long = [(http::header::ACCEPT, "a ".repeat(4096).parse().unwrap())].into_iter().collect();
    assert_eq!(shown(&long)["accept"].len(), 1024);
}

#[test]
fn tls_018_json_is_masked_unless_its_members_are_known_to_be_harmless() {
    let document = json!({
        "Data": {
            "ConsentId": "c-1", "Status": "Authorised", "Permissions": ["ReadBalances", TOKEN],
            "Initiation": {
                "InstructedAmount": {"Amount": "165.88", "Currency": "GBP"},
                "CreditorAccount": {"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": ACCOUNT,
                    "SecondaryIdentification": "0002", "Name": "ACME Inc"},
                "CreditorPostalAddress": {"AddressLine": ["1 High Street"], "PostCode": "AB1 2CD"},
                "Identification": 20_000_055_779_911_u64,
            },
            TOKEN: true,
        },
        "Risk": {"Unknown": 7, "Flag": false, "Nothing": null},
        "Links": {"Self": format!("https://bank.example/a?pg={TOKEN}")},
        "access_token": "short", "Amount": 20_000_055_779_911_u64, "expires_in": 3600,
    });
    let masked = json::mask(document.to_string().as_bytes());
    assert_eq!(
        masked.value,
        json!({
            "Data": {
                "ConsentId": "c-1", "Status": "Authorised", "Permissions": ["ReadBalances", "[masked]"],
                "Initiation": {
                    "InstructedAmount": {"Amount": "165.88", "Currency": "GBP"},
                    "CreditorAccount": {"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "[masked]9911",
                        "SecondaryIdentification": "[masked]", "Name": "[masked]"},
                    "CreditorPostalAddress": {"AddressLine": ["[masked]"], "PostCode": "[masked]"},
                    "Identification": "[masked]",
                },
                "[masked]": true,
            },
            "Risk": {"Unknown": "[masked]", "Flag": false, "Nothing": null},
            "Links": {"Self": "https://bank.example/a?pg=[masked]"},
            "access_token": "[masked]", "Amount": "[masked]", "expires_in": 3600,
        })
    );
    assert!(masked.is_complete);
    // Whatever breaks off, or is no JSON, shows what came before, masked.
    for (part, shown) in [
        (r#"{"Status":"a","Permissions":["b","c"#, json!({"Status": "a", "Permissions": ["b"]})),
        (r#"{"Status":{"Code":"a","Co"#, json!({"Status": {"Code": "a"}})),
        (r#"{"Status":"a"} x"#, json!({"Status": "a"})),
        ("", Value::Null),
        (TOKEN, Value::Null),
    ] {
        let masked = json::mask(part.as_bytes());
        assert_eq!((masked.value, masked.is_complete), (shown, false), "{part}");
    }
    assert!(!json::mask("[".repeat(10_000).as_bytes()).is_complete, "nesting is bounded");
}

#[test]
fn a_section_of_a_page_stays_and_parameters_of_a_fragment_are_masked() {
    for (address, shown) in [
        ("https://b/portal/docs/errors#u015", "https://b/portal/docs/errors#u015"),
        ("https://b/cb?code=1#forbiddenscope", "https://b/cb?code=[masked]#forbiddenscope"),
        ("https://b/cb#code=abc&state=x", "https://b/cb#code=[masked]&state=[masked]"),
        (&format!("https://b/cb#{TOKEN}"), "https://b/cb#[masked]=[masked]"),
        (&format!("https://b/cb#{ACCOUNT}"), "https://b/cb#[masked]=[masked]"),
    ] {
        assert_eq!(text::address(address), shown);
    }
}
