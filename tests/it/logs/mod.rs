//! Log lines of refused requests, and the log of requests.

mod refusals;
mod requests;
