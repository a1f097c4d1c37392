//! Log lines of refused requests.

mod refusals;
