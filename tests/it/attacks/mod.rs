//! Attacks and malformed inputs, one file per class: each walks all places of its kind and is named after the RFC, FAPI section or rule it tests.

mod aliases;
mod encodings;
mod endpoints_off;
mod forms;
mod fractions;
mod hidden_characters;
mod http_framing;
mod key_sets;
mod registration_claims;
mod removed_redirect_uris;
mod request_log;
mod request_objects;
mod sizes;
mod unwanted_requests;
