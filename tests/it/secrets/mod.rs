//! No secret leaks: all output of a full run of a bank is searched for secrets. Source: TLS-018.

mod run;
mod scan;
mod secret;
