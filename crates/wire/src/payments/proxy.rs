//! The proxy of an account in requests: an alias, such as a telephone number. Source: CBP-001, `OBProxy1`.

use super::values::RailText;
use crate::code_sets::PROXY_TYPES;
use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use lombard_domain::account::{AccountProxy, IsoCode};
use lombard_domain::refusal::FaultCode;
use serde_json::Value;

object! {
    /// Source: CBP-001, `OBProxy1`.
    struct RequestedProxy: Open {
        required identification: RailText<1, 2048> = "Identification",
        required code: ProxyType = "Code",
        optional kind: RailText<1, 35> = "Type",
    }
}

/// A code of `ExternalProxyAccountType1Code`.
#[derive(Debug)]
pub(crate) struct ProxyType(IsoCode);

impl FromJson for ProxyType {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        one_of(PROXY_TYPES.iter().copied())
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let code = PROXY_TYPES.contains(&text).then(|| text.parse().ok()).flatten();
        if code.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Must be a proxy type of the standard.");
        }
        code.map(Self)
    }
}

impl From<RequestedProxy> for AccountProxy {
    fn from(it: RequestedProxy) -> Self {
        Self { identification: it.identification.0, code: it.code.0, kind: it.kind.map(|kind| kind.0) }
    }
}
