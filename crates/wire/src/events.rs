//! Event polling and the claims of events, the same in every version. Source: `OBEventPolling1`,
//! `OBEventPollingResponse1`, `OBEventNotification2`; EVT-060.

mod request;
mod set;
#[cfg(test)]
mod tests;

pub use set::{event_type, write_set_claims};

use crate::Parse;
use crate::accounts::AccountForms;
use crate::describe::{Describe, schema_of};
use crate::v3_1::V3_1;
use crate::v4_0::V4_0;
use lombard_domain::event::EventPoll;
use lombard_domain::ids::EventId;
use lombard_domain::refusal::Fault;
use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Parse<EventPoll> for V3_1 {
    fn parse(body: &[u8], depth_max: usize) -> Result<EventPoll, Vec<Fault>> {
        request::poll(body, depth_max)
    }
}

impl Parse<EventPoll> for V4_0 {
    fn parse(body: &[u8], depth_max: usize) -> Result<EventPoll, Vec<Fault>> {
        request::poll(body, depth_max)
    }
}

/// The response to a poll: security event tokens by their ids, and whether more are available. Source: EVT-050 to
/// EVT-053.
pub fn write_poll_response(sets: &[(EventId, Arc<str>)], more_available: bool) -> Vec<u8> {
    // The buffer is allocated once with the size of the whole response.
    let rooms = sets.iter().flat_map(|(id, set)| [id.as_str().len(), set.len(), QUOTES]);
    let mut written = Vec::with_capacity(rooms.fold(FRAME, usize::saturating_add));
    // Strings and a boolean, whose serialisation cannot fail.
    match serde_json::to_writer(&mut written, &PollingResponse { sets: Sets(sets), more_available }) {
        Ok(()) => written,
        Err(_) => Vec::new(),
    }
}

/// The characters around the id and the token of an event.
const QUOTES: usize = r#""":"","#.len();
/// The characters around all events.
const FRAME: usize = r#"{"sets":{},"moreAvailable":false}"#.len();

/// The response to a poll, for [`Describe`].
#[derive(Debug)]
pub struct PollResponseBody;

impl<V: AccountForms> Describe<EventPoll> for V {
    fn schema() -> Value {
        request::schema()
    }
}

impl<V: AccountForms> Describe<PollResponseBody> for V {
    fn schema() -> Value {
        schema_of::<PollingResponse<'static>>()
    }
}

/// Source: `OBEventPollingResponse1`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PollingResponse<'a> {
    #[schemars(with = "BTreeMap<String, String>")]
    sets: Sets<'a>,
    more_available: bool,
}

struct Sets<'a>(&'a [(EventId, Arc<str>)]);

impl Serialize for Sets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (id, token) in self.0 {
            map.serialize_entry(id.as_str(), &**token)?;
        }
        map.end()
    }
}
