//! Tests of the story of a case.

pub(crate) mod samples;

use super::{StoryEntryView, StoryParty, StorySubject, tell_story};
use jiff::Timestamp;
use lombard_domain::consent::{
    AccountAccess, Consent, ConsentDraft, ConsentRequest, Permissions, RevokedBy, SelectedAccount,
};
use lombard_domain::event::{Event, EventClaims, EventType};
use lombard_domain::scope::Scope;
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_edge::request_log::RequestView;
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::store::ClientEvent;
use lombard_service::support::SupportCase;
use serde_json::json;
use std::sync::Arc;

/// A second of the bank's time, which is a day ahead.
fn at(second: i64) -> Timestamp {
    Timestamp::from_second(86_400 + second).unwrap()
}

fn wall(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// A consent that was created at 10, authorised at 20 and revoked by the bank at 30.
fn revoked_consent() -> Consent {
    let access = AccountAccess { permissions: Permissions::default(), transactions_from: None, transactions_to: None };
    let draft = ConsentDraft {
        request: ConsentRequest::AccountAccess(access),
        expires_at: Some(at(1_000)),
        submitted: Submitted { version: Version::V4_0, json: "{}".into() },
    };
    let mut consent = draft.into_consent("c-1".into(), "t-1".into(), at(10));
    let account = SelectedAccount { account: "b-1".into(), alias: "a-1".into(), core_state: None };
    consent.authorise(&"amelia".into(), vec![account], at(20)).unwrap();
    assert!(consent.revoke(RevokedBy::Bank, at(30)));
    consent
}

fn event(second: i64) -> ClientEvent {
    let claims = EventClaims {
        issuer: "i".to_owned(),
        about: "https://bank.example/c-1".to_owned(),
        resource_id: "c-1".to_owned(),
        resource_type: "t".to_owned(),
        links: Vec::new(),
        types: vec![EventType::ResourceUpdate],
        reason: None,
    };
    let event = Event {
        id: "e-1".into(),
        client: "t-1".into(),
        interaction_id: "i-1".into(),
        occurred_at: wall(second),
        recorded_at: wall(second),
        claims,
        scope: Scope::Accounts,
    };
    ClientEvent { number: 1, event, parked_at: None, deliveries: 2, reports: 0, err: None, description: None }
}

fn request(second: i64) -> RequestView {
    let empty = json!({"headers": {}, "body": null});
    serde_json::from_value(json!({
        "at": wall(second).to_string(), "method": "POST", "path": "/open-banking/v4.0/aisp/account-access-consents?a=b", "status": 403,
        "interaction_id": "i-1", "client_id": "t-1", "duration_ms": 1.0, "refused_by": "RW-010", "reason": "No.",
        "request": empty, "response": empty,
    }))
    .unwrap()
}

fn told(requests: Option<&[RequestView]>) -> (Vec<StoryEntryView>, bool) {
    let clocks = Clocks::new(Arc::new(ManualClock::starting_at(wall(100))));
    clocks.set_bank_offset_micros(86_400_000_000);
    let case = SupportCase {
        consent: revoked_consent(),
        client: None,
        orders: Vec::new(),
        decisions: Vec::new(),
        events: vec![event(30)],
        last_used_at: None,
    };
    let story = tell_story(StorySubject::Consent, &case, requests, &clocks);
    assert_eq!((story.status.as_str(), story.is_revocable), ("Stopped by the bank", false));
    (story.entries, story.requests_recorded)
}

#[test]
fn a_story_is_in_the_order_of_the_banks_time_and_says_who_reached_whom() {
    let (entries, is_recorded) = told(Some(&[request(10)]));
    assert!(is_recorded);
    let lines: Vec<_> = entries.iter().map(|it| (it.title.as_str(), it.from, it.to)).collect();
    let expected = [
        ("POST /open-banking/v4.0/aisp/account-access-consents: 403", StoryParty::Tpp, StoryParty::Server),
        ("Consent created", StoryParty::Tpp, StoryParty::Server),
        ("Consent authorised", StoryParty::Customer, StoryParty::Server),
        ("Consent: Stopped by the bank", StoryParty::Server, StoryParty::Server),
        ("Event resource-update", StoryParty::Server, StoryParty::Tpp),
    ];
    assert_eq!(lines, expected);
    assert_eq!(entries[4].at, at(30).to_string(), "the time of an event is given as the bank's");
    assert_eq!(entries[4].detail.as_deref(), Some("delivered 2 times, not acknowledged; jti e-1"));
    assert_eq!(entries[0].detail.as_deref(), Some("refused by RW-010: No.; interaction id i-1"));
}

#[test]
fn a_story_without_recorded_requests_says_so() {
    let (entries, is_recorded) = told(None);
    assert_eq!((entries.len(), is_recorded), (4, false));
}
