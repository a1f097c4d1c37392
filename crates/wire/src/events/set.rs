//! The claims of a security event token. Source: `OBEventNotification2`, SET-010 to SET-041.

use lombard_domain::event::{AccountReason, Event, EventType, VersionedLink};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// The only subject type. Source: SET-021.
const SUBJECT_TYPE: &str = "http://openbanking.org.uk/rid_http://openbanking.org.uk/rty";

/// The URI of an event type. Source: SET-030, SET-033.
pub const fn event_type(kind: EventType) -> &'static str {
    match kind {
        EventType::ResourceUpdate => "urn:uk:org:openbanking:events:resource-update",
        EventType::ConsentAuthorizationRevoked => "urn:uk:org:openbanking:events:consent-authorization-revoked",
        EventType::LinkedAccountUpdate => "urn:uk:org:openbanking:events:account-access-consent-linked-account-update",
        EventType::VrpLinkedAccountUpdate => "urn:uk:org:openbanking:events:domestic-vrp-consent-linked-account-update",
    }
}

/// Source: SET-040.
const fn account_reason(reason: AccountReason) -> &'static str {
    match reason {
        AccountReason::Closure => "UK.OBIE.AccountClosure",
        AccountReason::Cass => "UK.OBIE.CASS",
    }
}

/// The claims of an event as JSON, the payload of its SET.
pub fn write_set_claims(event: &Event) -> Vec<u8> {
    let said = &event.claims;
    let subject = EventSubject {
        subject_type: SUBJECT_TYPE,
        rid: &said.resource_id,
        rty: &said.resource_type,
        rlk: said.links.iter().map(ResourceLink::from).collect(),
    };
    let notification = EventNotification {
        iss: &said.issuer,
        iat: event.recorded_at.as_second(),
        jti: event.id.as_str(),
        aud: event.client.as_str(),
        sub: &said.about,
        txn: event.interaction_id.as_str(),
        toe: event.occurred_at.as_second(),
        events: EventMembers { types: &said.types, reason: said.reason, subject: &subject },
    };
    // Strings, numbers and objects with string keys, whose serialisation cannot fail.
    serde_json::to_vec(&notification).unwrap_or_default()
}

/// Source: `OBEventNotification2`.
#[derive(Serialize)]
struct EventNotification<'a> {
    iss: &'a str,
    iat: i64,
    jti: &'a str,
    aud: &'a str,
    sub: &'a str,
    txn: &'a str,
    toe: i64,
    events: EventMembers<'a>,
}

/// Source: `OBEvent2`.
struct EventMembers<'a> {
    types: &'a [EventType],
    reason: Option<AccountReason>,
    subject: &'a EventSubject<'a>,
}

/// Source: `OBEventResourceUpdate1` and its siblings.
#[derive(Serialize)]
struct EventMember<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a EventSubject<'a>>,
}

/// Source: `OBEventSubject1`.
#[derive(Serialize)]
struct EventSubject<'a> {
    subject_type: &'static str,
    #[serde(rename = "http://openbanking.org.uk/rid")]
    rid: &'a str,
    #[serde(rename = "http://openbanking.org.uk/rty")]
    rty: &'a str,
    #[serde(rename = "http://openbanking.org.uk/rlk")]
    rlk: Vec<ResourceLink<'a>>,
}

/// Source: `OBEventLink1`.
#[derive(Serialize)]
struct ResourceLink<'a> {
    version: &'static str,
    link: &'a str,
}

impl<'a> From<&'a VersionedLink> for ResourceLink<'a> {
    fn from(link: &'a VersionedLink) -> Self {
        Self { version: link.version.segment(), link: &link.address }
    }
}

impl Serialize for EventMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let updated = self.types.contains(&EventType::ResourceUpdate);
        let mut map = serializer.serialize_map(Some(self.types.len()))?;
        for kind in self.types {
            // A revocation that accompanies an update needs no subject of its own (SET-031).
            let told = updated && *kind == EventType::ConsentAuthorizationRevoked;
            let reason = match kind {
                EventType::LinkedAccountUpdate | EventType::VrpLinkedAccountUpdate => self.reason.map(account_reason),
                EventType::ResourceUpdate | EventType::ConsentAuthorizationRevoked => None,
            };
            map.serialize_entry(event_type(*kind), &EventMember { reason, subject: (!told).then_some(self.subject) })?;
        }
        map.end()
    }
}
