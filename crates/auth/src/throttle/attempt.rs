//! One login attempt, and the subjects against which it counts.

use super::counts::{add_event, end_of, store_counts};
use super::limits::{LoginLimits, Throttled};
use crate::subject_digests::{normalised_user_name, subject_digest, user_digest};
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::network::Network;
use lombard_ports::store::{AttemptStore, StoreError};
use std::net::IpAddr;

/// The failures of one user, in browsers that are not known for the user, after which further attempts in such browsers are refused.
const USER_FAILURES_MAX: usize = 5;

/// The failures in one known device after which further attempts there are refused.
const DEVICE_FAILURES_MAX: usize = 5;

/// The failures in all known devices of one user together after which further attempts there are refused, so that many devices are of
/// little use to an attacker.
const DEVICES_FAILURES_MAX: usize = 20;

/// A login attempt, with the subjects against which it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoginAttempt {
    user: Digest,
    origin: AttemptOrigin,
    address_users_max: u32,
}

/// The origin of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
enum AttemptOrigin {
    /// A browser that is known for the user.
    Device(Digest),
    /// Any other browser, at this address.
    Address(Digest),
}

impl LoginAttempt {
    /// An attempt to log in as this user, in a device that is known for the user, or else from this address.
    pub(crate) fn new(user: &str, device: Option<Digest>, from: IpAddr, limits: &LoginLimits) -> Self {
        let address =
            || AttemptOrigin::Address(subject_digest("address", Network::from_address(from).to_string().as_bytes()));
        let origin = device.map_or_else(address, |device| AttemptOrigin::Device(subject_digest("device", &device.0)));
        Self { user: user_digest(user), origin, address_users_max: limits.address_users_max }
    }

    /// An attempt to log in as this member of the bank's staff. It does not count against a customer with the same name.
    pub(crate) fn of_staff(user: &str, from: IpAddr, limits: &LoginLimits) -> Self {
        Self { user: subject_digest("staff", &normalised_user_name(user)), ..Self::new(user, None, from, limits) }
    }

    /// Counts the attempt, unless there were too many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn count_in<S: AttemptStore + ?Sized>(
        &self,
        store: &mut S,
        now: Timestamp,
    ) -> Result<Result<(), Throttled>, StoreError> {
        let counted = match add_event(store, &self.subjects(), now)? {
            Ok(counted) => counted,
            Err(throttled) => return Ok(Err(throttled)),
        };
        if let AttemptOrigin::Device(device) = &self.origin {
            // The entry records the device, so that all devices of a customer can be unlocked.
            store.address_user_put(device, &self.user, end_of(now))?;
        }
        if let AttemptOrigin::Address(address) = &self.origin
            && self.address_users_max > 0
        {
            let others = store.address_users(address, &self.user, now)?;
            if let Some(until) = others.earliest_end.filter(|_| others.count >= u64::from(self.address_users_max)) {
                return Ok(Err(Throttled { until }));
            }
            store.address_user_put(address, &self.user, end_of(now))?;
        }
        store_counts(store, &counted, now).map(Ok)
    }

    /// Removes an attempt that was counted at this instant, because it succeeded or could not be checked. The user then no longer counts
    /// against the address.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn uncount_in<S: AttemptStore + ?Sized>(
        &self,
        store: &mut S,
        counted_at: Timestamp,
    ) -> Result<(), StoreError> {
        for (subject, _) in self.subjects() {
            let mut made = store.attempts_for_update(&subject)?;
            if let Some(position) = made.iter().position(|at| *at == counted_at) {
                made.remove(position);
            }
            store.attempts_update(&subject, &made, end_of(counted_at))?;
        }
        match &self.origin {
            AttemptOrigin::Address(address) => store.address_user_remove(address, &self.user),
            // The entry of the device stays, because earlier failures of the device may still count.
            AttemptOrigin::Device(_) => Ok(()),
        }
    }

    /// The subjects against which the attempt counts, in the order in which they are locked, and the most failures of each.
    fn subjects(&self) -> Vec<(Digest, usize)> {
        match &self.origin {
            AttemptOrigin::Device(device) => {
                vec![(*device, DEVICE_FAILURES_MAX), (devices_of(&self.user), DEVICES_FAILURES_MAX)]
            }
            AttemptOrigin::Address(_) => vec![(self.user, USER_FAILURES_MAX)],
        }
    }
}

/// The digest that counts the failures in all known devices of a user together.
fn devices_of(user: &Digest) -> Digest {
    subject_digest("devices", &user.0)
}

/// Deletes all failed attempts to log in as this user, from any origin, so that the next attempt is checked.
///
/// # Errors
/// [`StoreError`].
pub fn forget_failures_in<S: AttemptStore + ?Sized>(store: &mut S, user: &str) -> Result<(), StoreError> {
    let user = user_digest(user);
    store.attempts_remove(&user, &devices_of(&user))
}

#[cfg(test)]
mod tests;
