//! What must never be told: a whole run of a bank, and a search of everything it said. Source: TLS-018.

mod run;
mod scan;
mod secret;
