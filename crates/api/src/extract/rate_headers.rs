//! The headers that tell a client of v4.0 its rate and the number of calls that remain. Source: RW-061.

use http::{HeaderName, HeaderValue};
use lombard_domain::ids::ClientId;
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::limits::throttle::RemainingCalls;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// The two headers for a client and the group of the called endpoint; `None` if the group has no rate. `q` is the quota of calls in a
/// window of `w` seconds, `r` the calls that remain now, and `t` the seconds until the whole quota is available again.
pub(super) fn rate_headers(app: &App, group: RateGroup, client: &ClientId) -> Option<[(HeaderName, HeaderValue); 2]> {
    let standing = app.throttle.remaining_calls(group, client, app.context.clocks.wall_now())?;
    let RemainingCalls { quota, window_secs, remaining, reset_secs } = standing;
    let name = group.title();
    let policy = HeaderValue::try_from(rate_policy(group, quota, window_secs)).ok()?;
    let state = HeaderValue::try_from(format!(r#""{name}";r={remaining};t={reset_secs}"#)).ok()?;
    Some([(POLICY, policy), (STATE, state)])
}

/// The policy of a group: the quota of calls and its window in seconds.
pub fn rate_policy(group: RateGroup, quota: u32, window_secs: i64) -> String {
    format!(r#""{}";q={quota};w={window_secs}"#, group.title())
}
