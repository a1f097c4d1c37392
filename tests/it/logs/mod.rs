//! Log lines of refused requests, and the log of requests.

mod access_lines;
mod refusals;
mod requests;
