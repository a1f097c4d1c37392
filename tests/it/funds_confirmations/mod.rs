//! Funds-confirmation consents, and confirmations of funds. Source: part 3 of the rules.

mod agree;
mod confirm;
mod consents;
mod end;
mod versions;
