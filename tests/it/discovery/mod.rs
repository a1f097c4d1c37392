//! What the authorisation server says of itself.

mod read;
