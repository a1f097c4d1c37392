//! Requests that exceed the rate of their client.

use crate::authorisation::testing::{ACME_KEY, World, raw, signed};
use crate::authorisation::{AuthorisationReply, handle_authorisation_request, handle_rate_limited_request};
use lombard_domain::ids::ClientId;

#[tokio::test]
async fn rw_112_a_request_that_is_not_admitted_does_nothing() {
    let world = World::new().await;
    let consent = world.consent("acme").await;
    let raw = raw("acme", &signed(&ACME_KEY, &world.claims("acme", &consent)), &[]);
    let admit = |client: &ClientId| if client.as_str() == "acme" { Err(7) } else { Ok(()) };
    let refused = handle_rate_limited_request(&world.auth, &raw, admit).await;
    assert!(matches!(refused, AuthorisationReply::TooMany { retry_after_secs: 7 }), "{refused:?}");
    assert!(matches!(handle_authorisation_request(&world.auth, &raw).await, AuthorisationReply::Journey(_)));
}
