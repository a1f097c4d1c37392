//! Limits the patches of consents that are computed at once. Each takes a thread of the pool that also runs database transactions. Source:
//! RW-112, V4-020.

use super::permits::KeyedPermits;
use lombard_domain::ids::ClientId;
use tokio::task::JoinError;

/// The most concurrent patches of one client.
const CLIENT_MAX: usize = 1;

/// The permits for patches: half the number of the machine's processors, at least one. Clones share them.
#[derive(Debug, Clone)]
pub struct PatchPermits(KeyedPermits<ClientId>);

impl Default for PatchPermits {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new((processors / 2).max(1))
    }
}

impl PatchPermits {
    fn new(all_max: usize) -> Self {
        Self(KeyedPermits::new(all_max, CLIENT_MAX))
    }

    /// Waits for a permit for a patch of this client and runs the work on a thread. Dropping the future while it waits leaves the queue;
    /// work that has started keeps its permit until it ends.
    ///
    /// # Errors
    /// [`JoinError`] when the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        client: &ClientId,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let permit = self.0.take(client).await;
        let running = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        running.await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::pin::pin;
    use std::sync::mpsc;

    #[tokio::test]
    async fn rw_112_a_patch_waits_for_one_of_the_same_client_and_for_a_place_of_all() {
        let permits = PatchPermits::new(2);
        let [a, b, c] = ["a", "b", "c"].map(ClientId::from);
        let (release_a, wait_a) = mpsc::channel::<()>();
        let (release_b, wait_b) = mpsc::channel::<()>();
        let mut first = pin!(permits.run(&a, move || wait_a.recv().is_err()));
        assert!(first.as_mut().now_or_never().is_none());
        let mut second_of_a = pin!(permits.run(&a, || 1));
        assert!(second_of_a.as_mut().now_or_never().is_none(), "a client has one place");
        assert_eq!(permits.run(&b, || 2).await.unwrap(), 2, "another client does not wait for it");
        let mut first_of_b = pin!(permits.run(&b, move || wait_b.recv().is_err()));
        assert!(first_of_b.as_mut().now_or_never().is_none());
        let mut last = pin!(permits.run(&c, || 3));
        assert!(last.as_mut().now_or_never().is_none(), "all places are taken");
        drop((release_a, release_b));
        assert!(first.await.unwrap() && first_of_b.await.unwrap());
        assert_eq!((second_of_a.await.unwrap(), last.await.unwrap()), (1, 3));
    }

    #[tokio::test]
    async fn rw_112_a_patch_that_panics_leaves_its_place() {
        let permits = PatchPermits::new(1);
        let client = ClientId::from("a");
        let panicked = permits.run(&client, || panic!("on purpose")).await;
        assert!(panicked.is_err_and(|error| error.is_panic()));
        assert_eq!(permits.run(&client, || 7).await.unwrap(), 7);
    }
}
