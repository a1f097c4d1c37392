//! Tests of the pages about requests over the backchannel.

use super::super::apps::{RequestPage, RequestView, RequestsPage};
use super::*;
use lombard_auth::sessions::requests::CustomerRequestState;

fn request(standing: CustomerRequestState, requested: RequestedAccess) -> RequestView {
    let message = super::super::text::name("BLUE <b>42</b>");
    RequestView {
        id: "request-id".into(),
        who: journey(Some("Other")).who,
        requested,
        binding_message: Some(message),
        standing,
    }
}

#[test]
fn as_160_requests_render_with_every_sample() {
    for frame in FRAMES {
        for standing in [
            CustomerRequestState::Waiting,
            CustomerRequestState::Approved,
            CustomerRequestState::Refused,
            CustomerRequestState::Expired,
        ] {
            for requested in [RequestedAccess::Access, RequestedAccess::Funds] {
                let page =
                    RequestPage { frame, form_token: "form-token".into(), request: request(standing, requested) };
                let html = page.render().unwrap();
                sound(&html);
                let is_waiting = standing == CustomerRequestState::Waiting;
                assert_eq!(html.contains("action=\"/apps/requests/request-id\""), is_waiting);
            }
        }
        for notice in NOTICES {
            for count in [0, 1, 3] {
                let requests =
                    (0..count).map(|_| request(CustomerRequestState::Waiting, RequestedAccess::Access)).collect();
                let html = RequestsPage { frame, form_token: "form-token".into(), notice, requests }.render().unwrap();
                sound(&html);
                assert_eq!(html.matches("action=\"/apps/requests/request-id\"").count(), count);
            }
        }
    }
}
