//! What staff look up when they help a customer or a TPP: a search by any id, the story of a consent or an order, and a customer.
//!
//! | Module | Does |
//! |---|---|
//! | `views` | the JSON of searches, stories and customers |
//! | `story` | puts what is known about a case on one line of time |
//! | `requests` | finds the recorded requests about a case |
//! | `words` | statuses and reasons in words |
//! | `handlers` | the routes below `/operations` |

mod requests;
mod story;
#[cfg(test)]
pub(crate) mod tests;
mod views;
pub mod words;

pub use requests::find_requests_of_case;
pub use story::{describe_customer, tell_story};
pub use views::{
    ConsentLineView, CustomerRevokedView, CustomerView, FactView, OrderLineView, RequestLineView, SearchCommand,
    SearchMatchView, SearchView, StoryEntryView, StoryKind, StoryParty, StorySubject, StoryTppView, StoryView,
};
