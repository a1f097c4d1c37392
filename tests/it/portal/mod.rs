//! The developer portal.

mod read;
