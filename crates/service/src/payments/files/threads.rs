//! Threads that read files of payments. Reading one takes a processor for as long as it lasts. These threads have a lower
//! priority than those that serve requests, so requests do not wait for them.

use crate::Failure;
use std::sync::Arc;
use tokio::sync::{Semaphore, oneshot};

/// How much less of a processor these threads get than others while both want it (`nice(2)`).
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Reads each file on a thread of its own: as many at a time as half of the machine's processors, at least one.
#[derive(Debug)]
pub struct FileThreads {
    permits: Arc<Semaphore>,
}

impl Default for FileThreads {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self { permits: Arc::new(Semaphore::new((processors / 2).max(1))) }
    }
}

impl FileThreads {
    /// How many files more may be read now.
    pub fn available(&self) -> usize {
        self.permits.available_permits()
    }

    /// Waits until a file may be read and runs this on a thread. A caller that is dropped while it waits leaves the queue; a
    /// thread that has started runs to its end.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] when the system has no thread; [`Failure::Broken`] when the work panicked.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|error| Failure::Broken(error.into()))?;
        let (done, result) = oneshot::channel();
        let thread = std::thread::Builder::new().name("lombard-files".to_owned());
        let started = thread.spawn(move || {
            lower_priority();
            let result = work();
            drop(permit);
            // Nobody may wait for the result any more.
            let _ = done.send(result);
        });
        started.map_err(|error| Failure::Unavailable(error.into()))?;
        result.await.map_err(|error| Failure::Broken(error.into()))
    }
}

#[cfg(target_os = "linux")]
fn lower_priority() {
    // On Linux alone, no process named means the calling thread.
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

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn files_are_read_at_a_lower_priority_than_everything_else() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        let there = FileThreads::default().run(niceness).await.unwrap();
        assert_eq!((there, niceness()), (NICENESS.max(before), before));
    }

    #[tokio::test]
    async fn a_thread_that_panics_is_a_failure_and_leaves_its_permit() {
        let threads = FileThreads { permits: Arc::new(Semaphore::new(1)) };
        let panicked = threads.run(|| panic!("on purpose")).await;
        assert!(matches!(panicked, Err(Failure::Broken(_))));
        assert_eq!(threads.run(|| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn one_file_waits_for_another() {
        let threads = FileThreads { permits: Arc::new(Semaphore::new(1)) };
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let mut first = pin!(threads.run(move || wait.recv().is_err()));
        let mut second = pin!(threads.run(|| ()));
        assert!(futures_util::poll!(&mut first).is_pending());
        assert!(futures_util::poll!(&mut second).is_pending());
        assert_eq!(threads.permits.available_permits(), 0);
        drop(release);
        assert!(first.await.unwrap());
        second.await.unwrap();
    }
}
