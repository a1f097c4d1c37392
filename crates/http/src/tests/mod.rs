//! The edge over its routers, with real storage and real tokens; TLS is tested in `tests/`.

mod api;
mod faults;
mod oauth;
mod portal;
mod routers;
