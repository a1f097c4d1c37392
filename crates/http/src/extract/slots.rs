//! How many files may be on their way at once: each takes storage and a share of the writer before it is known whether it is
//! worth anything. Source: RW-112.

use crate::error::ApiError;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Most files of one client that are on their way to one node.
const OF_A_CLIENT: u32 = 4;

/// Most files of all clients together.
const ALTOGETHER: u32 = 32;

/// After how many seconds a client may try again.
const RETRY_AFTER_SECS: i64 = 5;

/// The places for files on their way. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub(crate) struct UploadPermits(Arc<Mutex<HashMap<ClientId, u32>>>);

/// A place for one file, free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    slots: UploadPermits,
    client: ClientId,
}

impl UploadPermits {
    /// A place for a file of this client.
    ///
    /// # Errors
    /// [`ApiError::TooManyRequests`] if there is none.
    pub(crate) fn take(&self, client: &ClientId) -> Result<Slot, ApiError> {
        let mut taken = self.0.lock();
        let own = taken.get(client).copied().unwrap_or_default();
        let all = taken.values().fold(0_u32, |sum, it| sum.saturating_add(*it));
        if own >= OF_A_CLIENT || all >= ALTOGETHER {
            return Err(ApiError::TooManyRequests { retry_after_secs: RETRY_AFTER_SECS });
        }
        taken.insert(client.clone(), own.saturating_add(1));
        Ok(Slot { slots: self.clone(), client: client.clone() })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.0.lock();
        if let Some(own) = taken.get_mut(&self.client) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_112_a_client_has_few_places_and_all_together_have_some() {
        let slots = UploadPermits::default();
        let of = |name: &str| slots.take(&ClientId::from(name));
        let mut held: Vec<_> = (0..OF_A_CLIENT).map(|_| of("a").unwrap()).collect();
        assert!(matches!(of("a"), Err(ApiError::TooManyRequests { retry_after_secs: RETRY_AFTER_SECS })));
        held.pop();
        held.push(of("a").unwrap());
        for client in 1..ALTOGETHER / OF_A_CLIENT {
            held.extend((0..OF_A_CLIENT).map(|_| of(&format!("c{client}")).unwrap()));
        }
        assert!(of("last").is_err(), "nobody fills the node alone, and together they do not either");
        held.clear();
        assert!(of("last").is_ok() && slots.0.lock().is_empty());
    }
}
