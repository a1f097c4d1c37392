//! The discovery document of the authorisation server.

mod read;
