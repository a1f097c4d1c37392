//! Who lives how: tables and nothing else. Every name, number and address is invented.

mod amelia;
mod deepak;
mod esther;
mod parties;
mod shops;
mod studio;

use super::habit::Life;

/// Everybody who banks here.
pub(super) const LIVES: &[&Life] = &[&amelia::LIFE, &studio::LIFE, &deepak::LIFE, &esther::LIFE];

/// Where cash comes from.
pub(super) const CASH_MACHINES: &[&str] = &[
    "Cash machine, 41 Station Parade, London SW12 9AZ",
    "Cash machine, Fernley Foods, 210 Balham Road, London SW17 7AA",
    "Cash machine, 3 Market Place, Leicester LE1 5GF",
    "Cash machine, Coldharbour Street, Bristol BS6 7TB",
];
