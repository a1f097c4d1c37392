//! Threads that parse payment files. Parsing occupies a processor until the end of the file. These threads have a lower priority
//! than those that serve requests, so requests do not wait for them.

use crate::Failure;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use tokio::sync::{Semaphore, oneshot};

/// The niceness of these threads, which lowers their share of a busy processor (`nice(2)`).
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Parses each file on a separate thread. The number of concurrent threads is half the number of processors, at least one.
/// Clients with waiting files take turns: at most one waiting file of each client is in the queue.
#[derive(Debug)]
pub struct FileThreads {
    permits: Arc<Semaphore>,
    /// The semaphore of each client with waiting files, which admits one of them to the queue.
    places: Mutex<HashMap<ClientId, Weak<Semaphore>>>,
}

impl Default for FileThreads {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new((processors / 2).max(1))
    }
}

impl FileThreads {
    fn new(threads: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(threads)), places: Mutex::default() }
    }

    /// The number of further files that can be parsed now.
    pub fn available(&self) -> usize {
        self.permits.available_permits()
    }

    /// Waits until a file of this client may be parsed, and runs the work on a thread. A caller that is dropped while it waits
    /// leaves the queue; a thread that has started runs to its end.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] if no thread can be started; [`Failure::Broken`] when the work panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: &ClientId,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let closed = |error: tokio::sync::AcquireError| Failure::Broken(error.into());
        let place = self.place_of(client).acquire_owned().await.map_err(closed)?;
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(closed)?;
        drop(place);
        let (done, result) = oneshot::channel();
        let thread = std::thread::Builder::new().name("lombard-files".to_owned());
        let started = thread.spawn(move || {
            lower_priority();
            let result = work();
            drop(permit);
            // The receiver may have been dropped.
            let _ = done.send(result);
        });
        started.map_err(|error| Failure::Unavailable(error.into()))?;
        result.await.map_err(|error| Failure::Broken(error.into()))
    }

    fn place_of(&self, client: &ClientId) -> Arc<Semaphore> {
        let mut known = self.places.lock();
        if let Some(place) = known.get(client).and_then(Weak::upgrade) {
            return place;
        }
        // A semaphore is kept while a caller holds it or waits for it.
        known.retain(|_, place| place.strong_count() > 0);
        let place = Arc::new(Semaphore::new(1));
        known.insert(client.clone(), Arc::downgrade(&place));
        place
    }
}

#[cfg(target_os = "linux")]
fn lower_priority() {
    // Only on Linux does process id 0 mean the calling thread.
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "the priority of a thread cannot be lowered");
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;

    fn client() -> ClientId {
        ClientId::from("tpp")
    }

    #[tokio::test]
    async fn rw_112_clients_whose_files_wait_take_turns() {
        let threads = FileThreads::new(1);
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let read = Arc::new(Mutex::new(Vec::new()));
        let [many, few, last] = ["many", "few", "last"].map(ClientId::from);
        let mut first = pin!(threads.run(&many, move || wait.recv().is_err()));
        assert!(futures_util::poll!(&mut first).is_pending());
        let file = |client: &ClientId| {
            let (read, name) = (Arc::clone(&read), client.clone());
            (client.clone(), move || read.lock().push(name))
        };
        let mut waiting: Vec<_> = [&many, &many, &few, &many, &last]
            .map(file)
            .into_iter()
            .map(|(client, work)| {
                let threads = &threads;
                Box::pin(async move { threads.run(&client, work).await })
            })
            .collect();
        for file in &mut waiting {
            assert!(futures_util::poll!(file).is_pending());
        }
        drop(release);
        first.await.unwrap();
        for file in futures_util::future::join_all(waiting).await {
            file.unwrap();
        }
        let turns = [&many, &few, &last, &many, &many].map(ClientId::clone);
        assert_eq!(*read.lock(), turns, "the others wait for one file of many");
        drop(threads.place_of(&client()));
        assert_eq!(threads.places.lock().len(), 1, "those who do not wait are forgotten");
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn files_are_read_at_a_lower_priority_than_everything_else() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        let there = FileThreads::default().run(&client(), niceness).await.unwrap();
        assert_eq!((there, niceness()), (NICENESS.max(before), before));
    }

    #[tokio::test]
    async fn a_thread_that_panics_is_a_failure_and_leaves_its_permit() {
        let threads = FileThreads::new(1);
        let panicked = threads.run(&client(), || panic!("on purpose")).await;
        assert!(matches!(panicked, Err(Failure::Broken(_))));
        assert_eq!(threads.run(&client(), || 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn one_file_waits_for_another() {
        let (threads, owner) = (FileThreads::new(1), client());
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let mut first = pin!(threads.run(&owner, move || wait.recv().is_err()));
        let mut second = pin!(threads.run(&owner, || ()));
        assert!(futures_util::poll!(&mut first).is_pending());
        assert!(futures_util::poll!(&mut second).is_pending());
        assert_eq!(threads.permits.available_permits(), 0);
        drop(release);
        assert!(first.await.unwrap());
        second.await.unwrap();
    }
}
