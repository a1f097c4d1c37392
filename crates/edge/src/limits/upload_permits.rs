//! Limits the files that are uploaded at once, because each takes storage and time of the database writer before it is known to be valid.
//! Source: RW-112.

use super::permits::{ClientPermitLimits, KeyedPermit, KeyedPermits};
use super::throttle::RateExceeded;
use lombard_domain::ids::ClientId;

/// Seconds after which a client may try again.
const RETRY_AFTER_SECS: i64 = 5;

/// The permits for uploads. Clones share them.
#[derive(Debug, Clone)]
pub struct UploadPermits(KeyedPermits<ClientId>);

impl UploadPermits {
    /// Makes the permits with these limits.
    pub(crate) fn new(places: ClientPermitLimits) -> Self {
        Self(KeyedPermits::new(places.all_max, places.client_max))
    }

    /// Takes a permit for an upload of this client.
    ///
    /// # Errors
    /// [`RateExceeded`] if no permit is free.
    pub fn take(&self, client: &ClientId) -> Result<KeyedPermit, RateExceeded> {
        self.0.try_take(client).ok_or(RateExceeded { retry_after_secs: RETRY_AFTER_SECS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_A_CLIENT: usize = 4;
    const ALTOGETHER: usize = 32;

    #[test]
    fn rw_112_a_client_has_few_places_and_all_together_have_some() {
        let slots = UploadPermits::new(ClientPermitLimits { all_max: ALTOGETHER, client_max: OF_A_CLIENT });
        let of = |name: &str| slots.take(&ClientId::from(name));
        let mut held: Vec<_> = (0..OF_A_CLIENT).map(|_| of("a").unwrap()).collect();
        assert!(matches!(of("a"), Err(RateExceeded { retry_after_secs: RETRY_AFTER_SECS })));
        held.pop();
        held.push(of("a").unwrap());
        for client in 1..ALTOGETHER / OF_A_CLIENT {
            held.extend((0..OF_A_CLIENT).map(|_| of(&format!("c{client}")).unwrap()));
        }
        assert!(of("last").is_err(), "nobody fills the node alone, and together they do not either");
        held.clear();
        assert!(of("last").is_ok());
    }
}
