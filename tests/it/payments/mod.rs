//! Payments over HTTP: every rule of the domestic products that is visible from outside.

pub(crate) mod books;
mod consents;
mod details;
mod faults;
mod files;
mod funds;
mod idempotency;
mod international;
mod kill;
pub(crate) mod load;
mod newer;
mod once;
mod orders;
mod parallel;
mod refusals;
mod signing;

use crate::harness::paying::DOMESTIC;
use lombard_domain::payment::PaymentProduct;
use serde_json::Value;

/// A value set at a pointer.
fn with(mut body: Value, at: &str, value: Value) -> Value {
    let (around, name) = at.rsplit_once('/').unwrap();
    body.pointer_mut(around).unwrap().as_object_mut().unwrap().insert(name.to_owned(), value);
    body
}

/// A value taken out at a pointer.
fn without(mut body: Value, at: &str) -> Value {
    let (around, name) = at.rsplit_once('/').unwrap();
    body.pointer_mut(around).unwrap().as_object_mut().unwrap().remove(name);
    body
}

/// The products that are carried out later.
const LATER: [PaymentProduct; 2] = [DOMESTIC[1], DOMESTIC[2]];
