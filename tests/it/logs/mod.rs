//! What operators read of a request that was refused.

mod refusals;
