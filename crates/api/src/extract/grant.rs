//! Types for the kind of grant that an endpoint requires. Source: RW-033, RW-034, RW-047, PIS-003, PIS-004.

use lombard_auth::callers::Caller;
use lombard_domain::consent::Consent;
use lombard_domain::grant::GrantSubject;
use lombard_edge::endpoint_facts::RequiredGrant;
use lombard_service::payments::ReadCaller;
use std::sync::Arc;

/// A grant requirement, and the value that a handler receives from the token.
pub trait GrantRequirement: Sized + Send + 'static {
    /// The required kind of grant.
    const KIND: RequiredGrant;

    /// The handler's value, from a caller whose token has a grant of this kind ([`is_met`]).
    fn from_caller(caller: &Caller) -> Option<Self>;
}

/// Whether the caller's token has a grant of this kind.
pub(super) fn is_met(required: RequiredGrant, caller: &Caller) -> bool {
    match caller.subject {
        GrantSubject::Client => matches!(required, RequiredGrant::Client | RequiredGrant::Either),
        GrantSubject::Psu { .. } => {
            matches!(required, RequiredGrant::Psu | RequiredGrant::Either) && caller.consent.is_some()
        }
    }
}

/// A token of the client alone (`client_credentials`).
#[derive(Debug)]
pub struct ClientOnly;

impl GrantRequirement for ClientOnly {
    const KIND: RequiredGrant = RequiredGrant::Client;

    fn from_caller(_: &Caller) -> Option<Self> {
        Some(Self)
    }
}

/// A token of the client alone, or of a PSU with the consent that the request is about. The use-case checks that consent with the
/// [`ReadCaller`]. Source: PIS-004.
#[derive(Debug)]
pub(crate) struct ClientOrPsu {
    consent: Option<Arc<Consent>>,
}

impl ClientOrPsu {
    /// The caller in the form that use-cases require for reads.
    pub(crate) fn reader(&self, caller: &Caller) -> ReadCaller {
        self.consent.as_ref().map_or_else(|| ReadCaller::from(&caller.client), |consent| ReadCaller::bound_to(consent))
    }
}

impl GrantRequirement for ClientOrPsu {
    const KIND: RequiredGrant = RequiredGrant::Either;

    fn from_caller(caller: &Caller) -> Option<Self> {
        Some(Self { consent: caller.consent.clone() })
    }
}

/// A token that a PSU authorised for one consent.
#[derive(Debug)]
pub(crate) struct PsuBound {
    /// The consent.
    pub(crate) consent: Arc<Consent>,
}

impl GrantRequirement for PsuBound {
    const KIND: RequiredGrant = RequiredGrant::Psu;

    fn from_caller(caller: &Caller) -> Option<Self> {
        caller.consent.clone().map(|consent| Self { consent })
    }
}
