//! A thread pool for signing. A signature takes a quarter of a millisecond of CPU time, which must not delay other requests on the threads
//! of the async runtime.

use crate::{DetachedDigest, JoseHeader, KeyError, SigningKey, sign_compact, sign_detached};
use lombard_traces::{Span, SpanKind};
use parking_lot::{Condvar, Mutex};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Why no signature was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// The queue is full; a later call may succeed.
    #[error("too many signatures are waited for")]
    Busy,
    /// The pool has no threads.
    #[error("the signing pool does not run")]
    Stopped,
    /// The security module that holds the key does not respond, or no signature was made in time; a later call may succeed.
    #[error("no signature was made in time")]
    Unavailable,
    /// The signature could not be made.
    #[error(transparent)]
    Key(KeyError),
}

impl From<KeyError> for PoolError {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Unavailable => Self::Unavailable,
            KeyError::Rejected
            | KeyError::Generation
            | KeyError::Signing
            | KeyError::Algorithm
            | KeyError::UnknownLabel
            | KeyError::Held => Self::Key(error),
        }
    }
}

/// How long a caller waits for a signature. With a key in this process it takes about a thousandth of that even with a full queue; a
/// security module may not respond at all.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);

/// How long dropping a pool waits for signatures in progress.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// Signing threads behind a bounded queue. Clones share them; the threads end with the last clone.
///
/// Every signature is requested on behalf of a client, and queued clients take turns. When the queue is full, a client
/// with fewer queued signatures displaces one of the client with the most, so no client can block the others.
#[derive(Clone)]
pub struct SigningPool(Arc<PoolThreads>);

impl fmt::Debug for SigningPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningPool").field("threads", &self.0.threads.len()).finish_non_exhaustive()
    }
}

/// The threads and their queue; dropping this value ends the threads.
struct PoolThreads {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
    answered_within: Duration,
}

struct Queue {
    waiting: Mutex<PoolQueueState>,
    changed: Condvar,
    depth_max: usize,
}

/// The queued signatures.
#[derive(Default)]
struct PoolQueueState {
    /// The queued jobs by client. No list is empty, so there are no more lists than places in the queue.
    jobs: HashMap<Arc<str>, VecDeque<SigningJob>>,
    /// The clients with queued signatures, in the order of their turns.
    turns: VecDeque<Arc<str>>,
    depth: usize,
    closed: bool,
    /// The threads that have not ended.
    running: usize,
}

struct SigningJob {
    work: SigningWork,
    answer: oneshot::Sender<Result<String, PoolError>>,
    queued: Instant,
}

type SigningWork = Box<dyn FnOnce() -> Result<String, KeyError> + Send>;

impl SigningPool {
    /// Starts a pool with this number of threads and of queue places, each at least one. The pool has fewer threads if the system refuses
    /// to start some; without any thread, every call returns [`PoolError::Stopped`].
    pub fn new(threads: usize, queue: usize) -> Self {
        Self::answering_within(threads, queue, ANSWERED_WITHIN)
    }

    fn answering_within(threads: usize, queue: usize, answered_within: Duration) -> Self {
        let queue = Arc::new(Queue { waiting: Mutex::default(), changed: Condvar::new(), depth_max: queue.max(1) });
        let start = |number: usize| {
            let queue = Arc::clone(&queue);
            let work = move || {
                let _running = RunningThread(&queue);
                queue.work();
            };
            thread::Builder::new().name(format!("lombard-sign-{number}")).spawn(work).ok()
        };
        let threads: Vec<_> = (0..threads.max(1)).filter_map(start).collect();
        queue.waiting.lock().running += threads.len();
        gauge_threads().increment(count(threads.len()));
        Self(Arc::new(PoolThreads { queue, threads, answered_within }))
    }

    /// Signs the payload into a compact JWS, on behalf of this client.
    ///
    /// # Errors
    /// [`PoolError`].
    pub async fn sign_compact(
        &self,
        client: &str,
        key: Arc<SigningKey>,
        header: JoseHeader,
        payload: Vec<u8>,
    ) -> Result<String, PoolError> {
        self.run(client, Box::new(move || sign_compact(&key, &header, &payload))).await
    }

    /// Signs the body, which may be shared with its sender, into a detached JWS, on behalf of this client.
    ///
    /// # Errors
    /// [`PoolError`].
    pub async fn sign_detached(
        &self,
        client: &str,
        key: Arc<SigningKey>,
        header: JoseHeader,
        body: impl AsRef<[u8]> + Send + 'static,
    ) -> Result<String, PoolError> {
        self.run(client, Box::new(move || sign_detached(&key, &header, body.as_ref()))).await
    }

    /// Signs a digest into a detached JWS, on behalf of this client.
    ///
    /// # Errors
    /// [`PoolError`].
    pub async fn sign_digest(
        &self,
        client: &str,
        key: Arc<SigningKey>,
        digest: DetachedDigest,
    ) -> Result<String, PoolError> {
        self.run(client, Box::new(move || digest.sign(&key))).await
    }

    async fn run(&self, client: &str, work: SigningWork) -> Result<String, PoolError> {
        if self.0.threads.is_empty() {
            return Err(PoolError::Stopped);
        }
        let (answer, answered) = oneshot::channel();
        let span = Span::child("sign", SpanKind::Internal);
        self.0.queue.push(client, SigningJob { work, answer, queued: Instant::now() })?;
        let signed = match tokio::time::timeout(self.0.answered_within, answered).await {
            Ok(answer) => answer.map_err(|_| PoolError::Stopped)?,
            Err(_) => Err(PoolError::Unavailable),
        };
        if signed.is_err() {
            span.fail("no signature was made");
        }
        signed
    }
}

/// Decrements the count of running threads when a thread ends, also by a panic.
struct RunningThread<'a>(&'a Queue);

impl Drop for RunningThread<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.waiting.lock();
        waiting.running = waiting.running.wrapping_sub(1);
        self.0.changed.notify_all();
    }
}

impl PoolQueueState {
    fn push(&mut self, client: &str, job: SigningJob) {
        self.depth += 1;
        if let Some(jobs) = self.jobs.get_mut(client) {
            return jobs.push_back(job);
        }
        let client: Arc<str> = client.into();
        self.turns.push_back(Arc::clone(&client));
        self.jobs.insert(client, VecDeque::from([job]));
    }

    /// Removes the next job, which is of the client whose turn it is.
    fn pop(&mut self) -> Option<SigningJob> {
        let client = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&client)?;
        let job = jobs.pop_front()?;
        self.depth -= 1;
        if jobs.is_empty() {
            self.jobs.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        Some(job)
    }

    /// Removes the newest job of the client with the most jobs, if that client has at least two more than this one.
    fn make_room(&mut self, client: &str) -> Option<SigningJob> {
        let own = self.jobs.get(client).map_or(0, VecDeque::len);
        let most = self.jobs.values_mut().max_by_key(|jobs| jobs.len())?;
        if most.len() < own + 2 {
            return None;
        }
        self.depth -= 1;
        most.pop_back()
    }
}

impl Queue {
    fn push(&self, client: &str, job: SigningJob) -> Result<(), PoolError> {
        let mut waiting = self.waiting.lock();
        let mut removed = None;
        if waiting.depth >= self.depth_max {
            metrics::counter!("lombard_signing_refused_total").increment(1);
            removed = waiting.make_room(client);
            if removed.is_none() {
                return Err(PoolError::Busy);
            }
        }
        waiting.push(client, job);
        gauge_depth(waiting.depth);
        drop(waiting);
        if let Some(removed) = removed {
            // The caller may have dropped the receiver; then the result is not needed.
            let _gone = removed.answer.send(Err(PoolError::Busy));
        }
        self.changed.notify_one();
        Ok(())
    }

    /// Waits for the next job; `None` once the pool is closed.
    fn next(&self) -> Option<SigningJob> {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(job) = waiting.pop() {
                gauge_depth(waiting.depth);
                return Some(job);
            }
            self.changed.wait(&mut waiting);
        }
    }

    /// The loop of each thread until the pool is closed.
    fn work(&self) {
        while let Some(job) = self.next() {
            // The caller has dropped the receiver, so no signature is needed.
            if job.answer.is_closed() {
                continue;
            }
            metrics::histogram!("lombard_signing_wait_seconds").record(job.queued.elapsed().as_secs_f64());
            let began = Instant::now();
            gauge_busy().increment(1.0);
            let signed = (job.work)();
            gauge_busy().decrement(1.0);
            metrics::histogram!("lombard_signing_duration_seconds").record(began.elapsed().as_secs_f64());
            // The caller may have dropped the receiver; then the result is not needed.
            let _gone = job.answer.send(signed.map_err(PoolError::from));
        }
    }
}

fn gauge_depth(depth: usize) {
    metrics::gauge!("lombard_signing_queue_depth").set(count(depth));
}

fn gauge_busy() -> metrics::Gauge {
    metrics::gauge!("lombard_signing_threads_busy")
}

fn gauge_threads() -> metrics::Gauge {
    metrics::gauge!("lombard_signing_threads")
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

impl Drop for PoolThreads {
    fn drop(&mut self) {
        gauge_threads().decrement(count(self.threads.len()));
        let mut waiting = self.queue.waiting.lock();
        waiting.closed = true;
        self.queue.changed.notify_all();
        let end = Instant::now() + ENDS_WITHIN;
        // A thread that waits for a security module ends when the module responds; the pool does not wait for it.
        while waiting.running > 0 && !self.queue.changed.wait_until(&mut waiting, end).timed_out() {}
        let have_ended = waiting.running == 0;
        drop(waiting);
        if have_ended {
            for thread in self.threads.drain(..) {
                // The result of a thread that panicked is ignored.
                let _panicked = thread.join();
            }
        }
    }
}

#[cfg(test)]
mod tests;
