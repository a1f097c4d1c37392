//! Throttling of login attempts, over all journeys, sessions and nodes. Source: AS-143.
//!
//! An attempt is counted before it is checked, so that concurrent attempts are all counted, and is removed from the count if it
//! was correct. Unknown users count as known ones do. Only digests of names and addresses are kept.
//!
//! The browser determines against which subject an attempt counts. In a browser with which the user has logged in before
//! ([`devices`](crate::devices)), an attempt counts against that device, and against all known devices of the user together. In any other
//! browser it counts against the user, and the user counts against the address. Attackers can therefore not lock the user out of the user's
//! own devices. An address, which may be a proxy of many customers, is throttled only after failures for very many different users.
//!
//! Requests that reach customers on their devices are counted in the same way ([`DeviceRequests`]).
//!
//! A user is counted by the name that was typed and, at the one-time code, by the customer's id. The built-in identity
//! provider uses one for both.

mod attempt;
mod counts;
mod device_requests;
mod limits;

pub(crate) use attempt::LoginAttempt;
pub use attempt::forget_failures_in;
pub(crate) use device_requests::DeviceRequests;
pub use limits::{LoginLimits, Throttled};
