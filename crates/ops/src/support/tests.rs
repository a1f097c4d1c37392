//! Tests of the story of a case.

pub(crate) mod samples;
