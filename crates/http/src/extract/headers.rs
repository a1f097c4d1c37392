//! Step 9: the headers of the profile. Source: table T2, RW-051 to RW-058.

use crate::error::ApiError;
use crate::layers::INTERACTION_ID_CHARS_MAX;
use http::{HeaderMap, HeaderValue};
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use lombard_domain::refusal::{Fault, FaultCode, Place, Refusal};
use std::net::IpAddr;

/// A header, what it must be, and how that is checked.
struct Rule {
    name: &'static str,
    must: &'static str,
    holds: fn(&HeaderValue) -> bool,
}

/// Headers every method of ours may carry; others are ignored (RW-055, RW-058).
const RULES: [Rule; 4] = [
    Rule { name: "x-fapi-interaction-id", must: "Must be 1 to 128 visible ASCII characters.", holds: interaction_id },
    Rule { name: "x-fapi-auth-date", must: "Must be a date as in RFC 7231, section 7.1.1.1.", holds: http_date },
    Rule { name: "x-fapi-customer-ip-address", must: "Must be an IPv4 or IPv6 address.", holds: ip_address },
    Rule { name: "x-customer-user-agent", must: "Must be text.", holds: |_| true },
];

/// The headers a caller may send, each with what it must be.
pub(crate) fn known_headers() -> impl Iterator<Item = (&'static str, &'static str)> {
    RULES.iter().map(|rule| (rule.name, rule.must))
}

/// Checks the headers and reports every fault of them.
///
/// # Errors
/// 400 with one fault for each bad header.
pub(super) fn check(headers: &HeaderMap) -> Result<(), ApiError> {
    let faults: Vec<_> = RULES.iter().filter_map(|rule| rule.fault(headers)).collect();
    if faults.is_empty() { Ok(()) } else { Err(ApiError::Refused(Refusal::invalid(faults))) }
}

impl Rule {
    fn fault(&self, headers: &HeaderMap) -> Option<Fault> {
        let mut sent = headers.get_all(self.name).iter();
        let first = sent.next()?;
        let message = if sent.any(|other| other != first) {
            "This header occurs twice with different values."
        } else if !(self.holds)(first) {
            self.must
        } else {
            return None;
        };
        Some(Fault::at(FaultCode::HeaderInvalid, Place::Header(self.name), message))
    }
}

/// Empty counts as absent (RW-051).
fn interaction_id(value: &HeaderValue) -> bool {
    value.len() <= INTERACTION_ID_CHARS_MAX && value.as_bytes().iter().all(u8::is_ascii_graphic)
}

/// `Tue, 11 Sep 2012 19:43:31 GMT`; the standard's pattern allows `UTC` at the end.
fn http_date(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    let Some(date) = text.strip_suffix(" GMT").or_else(|| text.strip_suffix(" UTC")) else { return false };
    // The reader of the pattern takes single digits too; the standard does not.
    date.len() == "Tue, 11 Sep 2012 19:43:31".len()
        && strtime::parse("%a, %d %b %Y %H:%M:%S", date).and_then(|parts| parts.to_datetime()).is_ok_and(is_after_1900)
}

fn is_after_1900(date: DateTime) -> bool {
    date.year() >= 1900
}

fn ip_address(value: &HeaderValue) -> bool {
    value.to_str().is_ok_and(|text| text.parse::<IpAddr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faulty(name: &'static str, values: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        check(&headers).is_err()
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
    fn rw_057_a_header_twice_with_different_values_is_refused() {
        let name = "x-customer-user-agent";
        assert!(!faulty(name, &["a", "a"]));
        assert!(faulty(name, &["a", "b"]));
        let mut headers = HeaderMap::new();
        headers.insert("x-fapi-auth-date", HeaderValue::from_static("x"));
        headers.insert("x-fapi-customer-ip-address", HeaderValue::from_static("x"));
        let Err(ApiError::Refused(refusal)) = check(&headers) else { panic!("must be refused") };
        assert_eq!(refusal.faults.len(), 2, "RW-123");
    }
}
