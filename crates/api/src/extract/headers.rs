//! Step 9: checks the headers of the profile. Source: table T2, RW-051 to RW-058.

use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Refusal};
use lombard_edge::error::ApiError;
use lombard_edge::header_names::IDEMPOTENCY_KEY;
use lombard_edge::layers::{INTERACTION_ID, INTERACTION_ID_CHARS_MAX};
use std::net::IpAddr;

/// A header, the description of its value, and the check of the value.
struct HeaderRule {
    name: HeaderName,
    must: &'static str,
    holds: fn(&HeaderValue) -> bool,
}

const CUSTOMER_ADDRESS: HeaderName = HeaderName::from_static("x-fapi-customer-ip-address");
const CUSTOMER_USER_AGENT: HeaderName = HeaderName::from_static("x-customer-user-agent");

/// The headers that requests of every method may have; others are ignored (RW-055, RW-058).
static RULES: [HeaderRule; 4] = [
    HeaderRule { name: INTERACTION_ID, must: "Must be 1 to 128 visible ASCII characters.", holds: interaction_id },
    HeaderRule {
        name: HeaderName::from_static("x-fapi-auth-date"),
        must: "Must be a date as in RFC 7231, section 7.1.1.1.",
        holds: http_date,
    },
    HeaderRule { name: CUSTOMER_ADDRESS, must: "Must be an IPv4 or IPv6 address.", holds: ip_address },
    HeaderRule { name: CUSTOMER_USER_AGENT, must: "Must be text.", holds: |_| true },
];

/// The headers that a caller may send, each with the description of its value.
pub fn known_headers() -> impl Iterator<Item = (&'static str, &'static str)> {
    RULES.iter().map(|rule| (rule.name.as_str(), rule.must))
}

/// The most characters of an idempotency key. Source: RW-181.
const KEY_CHARS_MAX: usize = 40;

/// The description of an idempotency key.
pub const KEY_MUST: &str = "Must be 1 to 40 characters, without blanks around them.";

/// Checks the headers and reports all faults. Returns the idempotency key if `once` is set; otherwise a key is ignored (RW-186, PIS-166).
///
/// # Errors
/// 400 with one fault for each bad header.
pub(super) fn check(headers: &HeaderMap, once: bool) -> Result<Option<String>, ApiError> {
    let mut faults: Vec<_> = RULES.iter().filter_map(|rule| rule.fault(headers)).collect();
    let key = if once { key(headers).map_err(|fault| faults.push(fault)).ok() } else { None };
    if faults.is_empty() { Ok(key) } else { Err(ApiError::Refused(Refusal::invalid(faults))) }
}

/// Reads the idempotency key. Source: RW-181, RW-182, PIS-060.
fn key(headers: &HeaderMap) -> Result<String, Fault> {
    static RULE: HeaderRule =
        HeaderRule { name: HeaderName::from_static(IDEMPOTENCY_KEY), must: KEY_MUST, holds: is_key };
    if let Some(fault) = RULE.fault(headers) {
        return Err(fault);
    }
    let key = headers.get(&RULE.name).and_then(|key| key.to_str().ok()).map(str::to_owned);
    let missing =
        || Fault::at(FaultCode::HeaderMissing, FaultLocation::Header(IDEMPOTENCY_KEY), "This header is required.");
    key.ok_or_else(missing)
}

fn is_key(value: &HeaderValue) -> bool {
    value.to_str().is_ok_and(|key| (1..=KEY_CHARS_MAX).contains(&key.len()) && key.trim() == key)
}

impl HeaderRule {
    fn fault(&'static self, headers: &HeaderMap) -> Option<Fault> {
        let mut sent = headers.get_all(&self.name).iter();
        let first = sent.next()?;
        let message = if sent.any(|other| other != first) {
            "This header occurs twice with different values."
        } else if !(self.holds)(first) {
            self.must
        } else {
            return None;
        };
        Some(Fault::at(FaultCode::HeaderInvalid, FaultLocation::Header(self.name.as_str()), message))
    }
}

/// Whether a value is a valid interaction id. An empty one counts as absent (RW-051).
fn interaction_id(value: &HeaderValue) -> bool {
    value.len() <= INTERACTION_ID_CHARS_MAX && value.as_bytes().iter().all(u8::is_ascii_graphic)
}

/// Whether a value is a date such as `Tue, 11 Sep 2012 19:43:31 GMT`; the standard's pattern also allows `UTC` at the end.
fn http_date(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    let Some(date) = text.strip_suffix(" GMT").or_else(|| text.strip_suffix(" UTC")) else { return false };
    // The parser accepts single digits too; the standard does not.
    date.len() == "Tue, 11 Sep 2012 19:43:31".len()
        && strtime::parse("%a, %d %b %Y %H:%M:%S", date).and_then(|parts| parts.to_datetime()).is_ok_and(is_after_1900)
}

fn is_after_1900(date: DateTime) -> bool {
    date.year() >= 1900
}

fn ip_address(value: &HeaderValue) -> bool {
    address(value).is_some()
}

fn address(value: &HeaderValue) -> Option<IpAddr> {
    value.to_str().ok()?.parse().ok()
}

/// The customer's network address. If it is stated, the customer is present. Source: PIS-014.
pub(super) fn customer_address(headers: &HeaderMap) -> Option<IpAddr> {
    headers.get(CUSTOMER_ADDRESS).and_then(address)
}

/// The customer's user agent, if the caller states it as text. Source: RW-056.
pub(super) fn customer_user_agent(headers: &HeaderMap) -> Option<&str> {
    headers.get(CUSTOMER_USER_AGENT).and_then(|agent| agent.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faulty(name: &'static str, values: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        check(&headers, false).is_err()
    }

    #[test]
    fn rw_051_an_interaction_id_has_1_to_128_visible_characters() {
        let name = "x-fapi-interaction-id";
        assert!(!faulty(name, &["93bac548-d2de-4546-b106-880a5018460d"]));
        assert!(!faulty(name, &["not a uuid".replace(' ', "-").as_str()]));
        assert!(!faulty(name, &[""]), "empty counts as absent");
        assert!(!faulty(name, &["x".repeat(128).as_str()]));
        assert!(faulty(name, &["x".repeat(129).as_str()]));
        assert!(faulty(name, &["two words"]));
    }

    #[test]
    fn rw_052_the_auth_date_is_an_http_date() {
        let name = "x-fapi-auth-date";
        for good in ["Tue, 11 Sep 2012 19:43:31 GMT", "Tue, 11 Sep 2012 19:43:31 UTC", "Sun, 10 Sep 2017 19:43:31 GMT"]
        {
            assert!(!faulty(name, &[good]), "{good}");
        }
        for bad in [
            "2012-09-11T19:43:31Z",
            "Tue, 11 Sep 2012 19:43:31",
            "Tue, 11 Sep 2012 19:43:31 +0000",
            "Tue, 31 Feb 2012 19:43:31 GMT",
            "Tue, 1 Sep 2012 19:43:31 GMT",
            "yesterday",
            "",
        ] {
            assert!(faulty(name, &[bad]), "{bad}");
        }
    }

    #[test]
    fn rw_054_and_as_114_the_customers_address_is_an_ip_address() {
        let name = "x-fapi-customer-ip-address";
        for good in ["104.25.212.99", "2001:db8::1", "::ffff:1.2.3.4"] {
            assert!(!faulty(name, &[good]), "{good}");
        }
        for bad in ["256.1.1.1", "localhost", "1.2.3.4:80", ""] {
            assert!(faulty(name, &[bad]), "{bad}");
        }
    }

    #[test]
    fn rw_055_to_rw_058_what_is_free_or_unknown_is_not_judged() {
        assert!(!faulty("x-customer-user-agent", &["Mozilla/5.0 (anything)"]));
        assert!(!faulty("x-fapi-financial-id", &["whatever", "twice"]));
        assert!(!faulty("x-idempotency-key", &["x".repeat(60).as_str(), "twice"]), "RW-186");
        assert!(!faulty("x-jws-signature", &["garbage"]), "RW-226");
    }

    #[test]
    fn rw_181_182_pis_060_a_key_has_1_to_40_characters_and_no_outer_blanks() {
        let read = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(IDEMPOTENCY_KEY, HeaderValue::from_bytes(value.as_bytes()).unwrap());
            }
            match check(&headers, true) {
                Ok(key) => Ok(key.unwrap()),
                Err(ApiError::Refused(refusal)) => {
                    assert_eq!(refusal.faults.len(), 1);
                    assert_eq!(refusal.faults[0].at, Some(FaultLocation::Header(IDEMPOTENCY_KEY)));
                    Err(refusal.faults[0].code)
                }
                Err(other) => panic!("{other:?}"),
            }
        };
        let longest = "k".repeat(40);
        for good in ["k", "two words", "#!/~", &longest] {
            assert_eq!(read(&[good]), Ok(good.to_owned()));
        }
        assert_eq!(read(&["same", "same"]), Ok("same".to_owned()));
        assert_eq!(read(&[]), Err(FaultCode::HeaderMissing));
        for bad in ["", " ", " k", "k ", "\tk", "k\t", "ké", &"k".repeat(41)] {
            assert_eq!(read(&[bad]), Err(FaultCode::HeaderInvalid), "{bad:?}");
        }
        assert_eq!(read(&["one", "other"]), Err(FaultCode::HeaderInvalid), "RW-057");
    }

    #[test]
    fn rw_057_a_header_twice_with_different_values_is_refused() {
        let name = "x-customer-user-agent";
        assert!(!faulty(name, &["a", "a"]));
        assert!(faulty(name, &["a", "b"]));
        let mut headers = HeaderMap::new();
        headers.insert("x-fapi-auth-date", HeaderValue::from_static("x"));
        headers.insert("x-fapi-customer-ip-address", HeaderValue::from_static("x"));
        let Err(ApiError::Refused(refusal)) = check(&headers, false) else { panic!("must be refused") };
        assert_eq!(refusal.faults.len(), 2, "RW-123");
    }
}
