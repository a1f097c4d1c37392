//! Makes the context of calls of the bank for a TPP's request, from client and consent of the token and from the headers.

use super::headers;
use http::HeaderName;
use http::request::Parts;
use lombard_auth::callers::Caller;
use lombard_ports::bank::{CallContext, CallingClient, TraceParent};

/// The header with the trace to continue. Source: W3C Trace Context, section 3.2.
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

/// Makes the context of a request. Nothing is copied for absent headers.
pub(super) fn of_request(caller: &Caller, parts: &Parts) -> CallContext {
    let client = CallingClient { id: caller.client.clone(), organisation: caller.registration.org_id.clone() };
    let client = Some(client);
    let mut call = match &caller.consent {
        Some(consent) => CallContext::under_consent(client, consent),
        None => CallContext { client, ..CallContext::default() },
    };
    call.interaction = parts.extensions.get().cloned();
    call.trace_parent =
        parts.headers.get(TRACE_PARENT).and_then(|value| value.to_str().ok()).and_then(TraceParent::parse);
    call.customer_address = headers::customer_address(&parts.headers);
    if let Some(agent) = headers::customer_user_agent(&parts.headers) {
        call.set_user_agent(agent);
    }
    call
}
