//! Threads for work with other parties' keys: parsing them and verifying with them. The owner of a key set controls, within bounds, how
//! long that takes. It therefore runs on threads for blocking work, a few at a time, and never on the threads that serve requests. Source:
//! AS-183.

use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::sync::Semaphore;

/// The most threads that work with other parties' keys at a time.
const THREADS_MAX: usize = 8;

/// A limit on the threads for work with other parties' keys. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct KeyThreads(Arc<Semaphore>);

impl Default for KeyThreads {
    fn default() -> Self {
        let threads = available_parallelism().map_or(1, |count| count.get().min(THREADS_MAX));
        Self(Arc::new(Semaphore::new(threads)))
    }
}

impl KeyThreads {
    /// Runs the work when a thread is free; `None` if the server is shutting down.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let permit = Arc::clone(&self.0).acquire_owned().await.ok()?;
        let running = tokio::task::spawn_blocking(move || {
            let done = work();
            // The permit is held until the work ends, even if the caller no longer waits.
            drop(permit);
            done
        });
        running.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[tokio::test]
    async fn as_183_work_with_foreign_keys_runs_on_another_thread() {
        let here = thread::current().id();
        let there = KeyThreads::default().run(|| thread::current().id()).await.unwrap();
        assert_ne!(here, there);
    }

    #[tokio::test]
    async fn as_183_work_that_nobody_waits_for_any_more_holds_its_thread() {
        let threads = KeyThreads(Arc::new(Semaphore::new(1)));
        let (release, held) = std::sync::mpsc::channel::<()>();
        let (begins, begun) = tokio::sync::oneshot::channel();
        let first = threads.run(move || {
            begins.send(()).unwrap();
            held.recv().unwrap();
        });
        tokio::select! {
            _ = first => unreachable!("the work waits"),
            started = begun => started.unwrap(),
        }
        assert_eq!(threads.0.available_permits(), 0);
        release.send(()).unwrap();
        assert_eq!(threads.run(|| 1).await, Some(1));
    }
}
