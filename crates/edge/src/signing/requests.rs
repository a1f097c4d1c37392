//! Verifies signatures of requests: the claims before the body is read, and the signature after the body has arrived.

use crate::App;
use crate::error::ApiError;
use crate::header_names::SIGNATURE;
use http::HeaderMap;
use lombard_auth::callers::Caller;
use lombard_domain::refusal::{Fault, FaultCode, Refusal};
use lombard_jose::{ArrivingSignature, CheckedSignature, MessageRules, MessageSignature, SignedPayload};

/// A signature whose claims are valid for the caller; it is not verified against the body yet.
#[derive(Debug, Clone)]
pub struct ClaimedSignature(CheckedSignature);

impl ClaimedSignature {
    /// Parses the header and checks its claims, for a body of this media type. Source: PIS-070, PIS-071, RW-215, RW-216, RW-221.
    ///
    /// # Errors
    /// 400 for the first kind of fault in the order of PIS-070.
    pub fn read(app: &App, caller: &Caller, headers: &HeaderMap, payload: SignedPayload<'_>) -> Result<Self, ApiError> {
        let settings = &app.settings.signing;
        let client = &caller.registration;
        let rules = MessageRules {
            issuer: &format!("{}/{}", client.org_id, client.software_id),
            trust_anchor: &settings.trust_anchor,
            payload,
            now: app.context.clocks.wall_now().as_second(),
            age_secs_max: settings.age_secs_max,
        };
        let signature =
            MessageSignature::parse_header(sent(headers)).and_then(|signature| signature.check_claims(&rules));
        signature.map(Self).map_err(refused)
    }

    /// Verifies that a published key of the caller signed exactly these bytes. Source: PIS-073, RW-217, RW-222.
    ///
    /// # Errors
    /// 400 if the caller has not published the key, or the signature is not of this body.
    pub async fn verify(&self, app: &App, caller: &Caller, body: &[u8]) -> Result<(), ApiError> {
        let mut arriving = self.clone().begin();
        arriving.update(body);
        arriving.verify(app, caller).await
    }

    /// Starts the verification of a body that arrives in pieces.
    pub fn begin(self) -> StreamedSignature {
        StreamedSignature(self.0.begin_body())
    }
}

/// A signature whose body is arriving.
#[derive(Debug)]
pub struct StreamedSignature(ArrivingSignature);

impl StreamedSignature {
    /// Adds the next piece of the body.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Verifies that a published key of the caller signed exactly the received bytes. Source: PIS-074, RW-217, RW-222.
    ///
    /// # Errors
    /// As [`ClaimedSignature::verify`].
    pub async fn verify(self, app: &App, caller: &Caller) -> Result<(), ApiError> {
        let client_keys = &app.auth.client_keys;
        let keys = client_keys.keys_of_client(&caller.registration, Some(self.0.kid())).await.unwrap_or_default();
        let verified = client_keys.run_key_work(move || self.0.verify(&keys)).await;
        let stopped = || ApiError::Unavailable("the server is stopping".into());
        verified.ok_or_else(stopped)?.map_err(refused)
    }
}

/// The value of the signature header; `None` if it is absent. Different values give an empty value, which is malformed (PIS-070).
fn sent(headers: &HeaderMap) -> Option<&[u8]> {
    let mut sent = headers.get_all(SIGNATURE).iter();
    let first = sent.next()?;
    if sent.any(|other| other != first) { Some(b"") } else { Some(first.as_bytes()) }
}

/// Counts and logs the refusal, which may be an attack.
fn refused(faults: Vec<Fault>) -> ApiError {
    let reason = faults.first().map_or("unknown", |fault| reason(fault.code));
    metrics::counter!("lombard_signature_refusals_total", "reason" => reason).increment(1);
    tracing::info!(security.refusal = reason, "message signature refused");
    ApiError::Refused(Refusal::invalid(faults))
}

/// The reason as metrics and logs name it.
const fn reason(code: FaultCode) -> &'static str {
    match code {
        FaultCode::SignatureMissing => "signature_missing",
        FaultCode::SignatureMalformed => "signature_malformed",
        FaultCode::SignatureMissingClaim => "signature_missing_claim",
        FaultCode::SignatureInvalidClaim => "signature_invalid_claim",
        _ => "signature_invalid",
    }
}
