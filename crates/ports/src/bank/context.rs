//! The context of a call of the bank: the client, the customer, the consent, and the headers of the request.
//!
//! A core uses the context for audit, fraud scoring and tracing. No answer depends on it: what a caller may see is decided above
//! the port.

use jiff::Timestamp;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::consent::{Consent, ConsentKind, SelectedAccount};
pub use lombard_domain::core_state::{CoreState, CoreStateTooLong};
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, FapiInteractionId, OrgId, PsuId};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::net::IpAddr;
use std::sync::Arc;

/// The largest size of a user agent in bytes; a longer one is truncated.
const USER_AGENT_BYTES_MAX: usize = 512;

/// The client, customer, consent and request for which the bank is called. If a worker calls the bank for no particular order,
/// all members are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallContext {
    /// The TPP, if the call serves a request of a TPP.
    pub client: Option<CallingClient>,
    /// The customer.
    pub psu: Option<PsuId>,
    /// The consent under which the call is made.
    pub consent: Option<CallConsent>,
    /// The states that the core keeps with the accounts that the consent selects.
    pub account_states: Vec<(BankAccountId, CoreState)>,
    /// The interaction id of the request that caused the call. Source: RW-050.
    pub interaction: Option<FapiInteractionId>,
    /// The `traceparent` of that request, as received. Source: W3C Trace Context, section 3.2.
    pub trace_parent: Option<TraceParent>,
    /// The customer's IP address, if the TPP sent it (PIS-014), or the address of the customer's browser on the pages.
    pub customer_address: Option<IpAddr>,
    /// The customer's user agent, likewise; at most 512 bytes.
    pub customer_user_agent: Option<Arc<str>>,
    /// For payments: the risk that the TPP states, and the authentication of the customer.
    pub payment: Option<Arc<PaymentRiskFacts>>,
}

/// The TPP of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallingClient {
    /// The client.
    pub id: ClientId,
    /// Its organisation in the directory.
    pub organisation: OrgId,
}

/// The consent of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallConsent {
    /// Its id.
    pub id: ConsentId,
    /// Its kind.
    pub kind: ConsentKind,
    /// The state that the core keeps with the consent.
    pub core_state: Option<CoreState>,
}

/// The facts about a payment by which a core scores fraud.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentRiskFacts {
    /// The TPP's `Risk`, if the product has one.
    pub risk: Option<SubmittedRisk>,
    /// How and when the customer authenticated to authorise the consent; `None` before.
    pub authentication: Option<Authentication>,
}

/// The `Risk` member of a request, as the TPP sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedRisk {
    /// The version of the endpoint that received it.
    pub version: Version,
    /// The JSON object.
    pub json: Arc<str>,
}

/// An authentication of the customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// When the customer authenticated (bank clock).
    pub at: Timestamp,
    /// The factors of the authentication; empty if they are unknown.
    pub factors: Vec<AuthenticationFactor>,
}

impl CallContext {
    /// The context of a call under a consent: the customer, the consent, and for payments the facts about them.
    pub fn under_consent(client: Option<CallingClient>, consent: &Consent) -> Self {
        let mut call = Self { client, ..Self::default() };
        call.set_consent(consent);
        call
    }

    /// Sets the members that follow from the consent; the client and the request stay.
    pub fn set_consent(&mut self, consent: &Consent) {
        self.psu.clone_from(&consent.psu);
        let kind = consent.request.kind();
        self.consent = Some(CallConsent { id: consent.id.clone(), kind, core_state: consent.core_state.clone() });
        let state = |it: &SelectedAccount| Some((it.account.clone(), it.core_state.clone()?));
        self.account_states = consent.accounts.iter().filter_map(state).collect();
        self.payment = matches!(kind, ConsentKind::Payment(_)).then(|| Arc::new(PaymentRiskFacts::of_consent(consent)));
    }

    /// Sets the risk that the TPP states with this request.
    pub fn set_risk(&mut self, submitted: &Submitted) {
        let risk = SubmittedRisk::of_request(submitted);
        Arc::make_mut(self.payment.get_or_insert_default()).risk = risk;
    }

    /// Sets the customer's user agent, truncated to 512 bytes.
    pub fn set_user_agent(&mut self, agent: &str) {
        let cut = agent.floor_char_boundary(USER_AGENT_BYTES_MAX);
        self.customer_user_agent = agent.get(..cut).filter(|agent| !agent.is_empty()).map(Arc::from);
    }
}

impl PaymentRiskFacts {
    fn of_consent(consent: &Consent) -> Self {
        let factors = || consent.authentication_factors.clone();
        let authentication = consent.authenticated_at.map(|at| Authentication { at, factors: factors() });
        Self { risk: SubmittedRisk::of_request(&consent.submitted), authentication }
    }
}

impl SubmittedRisk {
    /// The risk of a request; `None` if it has none. Source: PIS-142.
    pub fn of_request(submitted: &Submitted) -> Option<Self> {
        #[derive(Deserialize)]
        struct Request<'a> {
            #[serde(borrow, rename = "Risk")]
            risk: Option<&'a RawValue>,
        }
        let risk = serde_json::from_str::<Request<'_>>(&submitted.json).ok()?.risk?;
        Some(Self { version: submitted.version, json: risk.get().into() })
    }
}

/// A `traceparent` of W3C Trace Context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceParent(Arc<str>);

impl TraceParent {
    /// Checks a header's value; `None` if it is not well-formed. A value of a later version than 00 may continue after the flags.
    /// Source: W3C Trace Context, sections 3.2.2 and 3.2.4.
    pub fn parse(value: &str) -> Option<Self> {
        const LENGTH: usize = 55;
        const LENGTH_MAX: usize = 256;
        let is_hex = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
        let mut parts = value.get(..LENGTH)?.split('-');
        let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let lengths = [version.len(), trace.len(), parent.len(), flags.len()] == [2, 32, 16, 2];
        let digits = [version, trace, parent, flags].into_iter().all(is_hex);
        let rest = value.get(LENGTH..)?;
        let may_continue = version != "00" && rest.starts_with('-') && rest.bytes().all(|byte| byte.is_ascii_graphic());
        let ends = value.len() <= LENGTH_MAX && (rest.is_empty() || may_continue);
        let valid = lengths && digits && ends && version != "ff" && !is_zero(trace) && !is_zero(parent);
        (valid && parts.next().is_none()).then(|| Self(value.into()))
    }

    /// The header's value.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_parent_is_taken_as_received_if_it_is_well_formed() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(TraceParent::parse(good).unwrap().as_str(), good);
        let later = good.replacen("00", "cc", 1);
        for good in [&later, &format!("{later}-what-a-later-version-adds")] {
            assert_eq!(TraceParent::parse(good).unwrap().as_str(), *good);
        }
        for bad in [
            "",
            "00",
            &good[1..],
            &format!("{good}-more"),
            &format!("{later}more"),
            &format!("{later}-{}", "x".repeat(256)),
            &good.replacen("00", "ff", 1),
            &good.to_uppercase(),
            &good.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32)),
            &good.replace("00f067aa0ba902b7", &"0".repeat(16)),
            &good.replace('-', "_"),
            &good.replace("-01", "-é"),
        ] {
            assert_eq!(TraceParent::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_risk_is_passed_as_the_tpp_sent_it() {
        let of = |json: &str| {
            let submitted = Submitted { version: Version::V4_0, json: json.to_owned() };
            SubmittedRisk::of_request(&submitted).map(|risk| risk.json.as_ref().to_owned())
        };
        let risk = r#"{"PaymentContextCode": "TransferToSelf", "Unknown":1.50}"#;
        assert_eq!(of(&format!(r#"{{"Data":{{}},"Risk":{risk}}}"#)).as_deref(), Some(risk));
        assert_eq!(of(r#"{"Data":{"Risk":{}}}"#), None, "a file has none");
        assert_eq!(of("no JSON"), None);
    }

    #[test]
    fn a_long_user_agent_is_cut_between_characters() {
        let mut call = CallContext::default();
        call.set_user_agent(&format!("x{}", "é".repeat(300)));
        assert_eq!(call.customer_user_agent.as_deref().map(str::len), Some(511));
        call.set_user_agent("");
        assert_eq!(call.customer_user_agent, None);
    }
}
