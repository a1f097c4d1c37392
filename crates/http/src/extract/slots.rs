//! How many files may be on their way at once: each takes storage and a share of the writer before it is known whether it is
//! worth anything. Source: RW-112.

use super::permits::{KeyedPermit, KeyedPermits};
use crate::error::ApiError;
use lombard_domain::ids::ClientId;

/// Most files of one client that are on their way to one node.
const OF_A_CLIENT: usize = 4;

/// Most files of all clients together.
const ALTOGETHER: usize = 32;

/// After how many seconds a client may try again.
const RETRY_AFTER_SECS: i64 = 5;

/// The places for files on their way. Cloning shares them.
#[derive(Debug, Clone)]
pub(crate) struct UploadPermits(KeyedPermits<ClientId>);

impl Default for UploadPermits {
    fn default() -> Self {
        Self(KeyedPermits::new(ALTOGETHER, OF_A_CLIENT))
    }
}

impl UploadPermits {
    /// A place for a file of this client.
    ///
    /// # Errors
    /// [`ApiError::TooManyRequests`] if there is none.
    pub(crate) fn take(&self, client: &ClientId) -> Result<KeyedPermit, ApiError> {
        self.0.try_take(client).ok_or(ApiError::TooManyRequests { retry_after_secs: RETRY_AFTER_SECS })
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
        assert!(of("last").is_ok());
    }
}
