//! The purpose of an authentication in messages: part of the signed request, and part of the signed ID token (AS-142).
//!
//! The purpose is sent as authorisation details (RFC 9396) if the provider supports the configured type, otherwise as a claim of this
//! program that is requested with this value (OpenID Connect Core 1.0 section 5.5.1). The value in the ID token must be equal, member by
//! member.

use crate::discovery::ProviderMetadata;
use lombard_domain::account::AccountIdentification;
use lombard_domain::code::StoredCode;
use lombard_domain::money::Amount;
use lombard_domain::payment::transfer::NamedAccount;
use lombard_domain::payment::vrp::PeriodicLimit;
use lombard_jose::base64url;
use lombard_ports::identity::{AuthenticationPurpose, Requester};
use serde_json::{Map, Value, json};

/// The claim that carries the purpose to a provider that does not support the configured type of authorisation details.
const OWN_CLAIM: &str = "urn:lombard:purpose";
/// The name of the claim and the parameter for authorisation details.
const DETAILS: &str = "authorization_details";

/// The name and value of the claim for a purpose; `None` for a login, which is not linked to a purpose.
pub(crate) fn claim(
    purpose: &AuthenticationPurpose,
    details_type: &str,
    metadata: &ProviderMetadata,
) -> Option<(&'static str, Value)> {
    let mut members = members(purpose)?;
    if metadata.authorization_details_types_supported.iter().any(|known| known == details_type) {
        members.insert("type".to_owned(), details_type.into());
        return Some((DETAILS, Value::Array(vec![Value::Object(members)])));
    }
    Some((OWN_CLAIM, Value::Object(members)))
}

/// Adds a purpose to a request: to its parameters, and as a claim that the ID token must have.
pub(crate) fn ask(
    (name, value): (&'static str, Value),
    parameters: &mut Map<String, Value>,
    wanted: &mut Map<String, Value>,
) {
    let claim = if name == DETAILS {
        parameters.insert(name.to_owned(), value);
        json!({ "essential": true })
    } else {
        json!({ "essential": true, "value": value })
    };
    wanted.insert(name.to_owned(), claim);
}

/// Whether these claims of an ID token are for this purpose. An ID token of a payment is not accepted for a login.
pub(crate) fn is_for(claims: &Map<String, Value>, expected: Option<&(&'static str, Value)>) -> bool {
    let is_as_expected =
        |name: &str| claims.get(name) == expected.filter(|(it, _)| *it == name).map(|(_, value)| value);
    is_as_expected(OWN_CLAIM) && is_as_expected(DETAILS)
}

fn members(purpose: &AuthenticationPurpose) -> Option<Map<String, Value>> {
    let document = match purpose {
        AuthenticationPurpose::Login => return None,
        AuthenticationPurpose::Payment { amount, payee } => {
            json!({ "purpose": "payment", "amount": money(amount), "payee": account(payee) })
        }
        AuthenticationPurpose::DevicePayment { amount, payee, payer, requester } => json!({
            "purpose": "payment", "amount": money(amount), "payee": account(payee), "payer": identification(payer),
            "requester": names(requester),
        }),
        AuthenticationPurpose::File { totals, file } => {
            let totals: Vec<_> = totals.iter().map(money).collect();
            json!({ "purpose": "payment_file", "totals": totals, "file_sha256": base64url(&file.0) })
        }
        AuthenticationPurpose::Vrp { most, limits, payee } => {
            let limits: Vec<_> = limits.iter().map(limit).collect();
            let mut document =
                json!({ "purpose": "recurring_payments", "maximum_payment": money(most), "limits": limits });
            if let (Some(payee), Some(members)) = (payee, document.as_object_mut()) {
                members.insert("payee".to_owned(), account(payee));
            }
            document
        }
    };
    match document {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

fn money(amount: &Amount) -> Value {
    json!({ "amount": amount.decimal(), "currency": amount.currency().code() })
}

fn limit(limit: &PeriodicLimit) -> Value {
    json!({ "period": limit.cycle.code(), "maximum": money(&limit.amount) })
}

fn account(account: &NamedAccount) -> Value {
    let mut members = identification(account);
    members.insert("name".to_owned(), account.holder_name().into());
    Value::Object(members)
}

fn identification(account: &AccountIdentification) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("scheme".to_owned(), account.scheme.code().into());
    members.insert("identification".to_owned(), account.number.as_str().into());
    if let Some(secondary) = &account.secondary {
        members.insert("secondary_identification".to_owned(), secondary.as_str().into());
    }
    members
}

fn names(requester: &Requester) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("name".to_owned(), requester.software.as_str().into());
    members.insert("organisation".to_owned(), requester.organisation.as_str().into());
    if let Some(party) = &requester.on_behalf_of {
        members.insert("on_behalf_of".to_owned(), party.as_str().into());
    }
    members
}
