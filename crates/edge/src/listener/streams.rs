//! Runs each stream of an HTTP/2 connection as a task that can be ended without ending its connection.
//!
//! The HTTP library asks a body for more only when its stream has window, so a body cannot give itself up while its caller
//! does not read. Ending the task resets the stream and frees what it holds.

use super::poll_permits::FuturePollPermits;
use hyper::rt::Executor;
use tokio_util::sync::CancellationToken;

tokio::task_local! {
    static STREAM: CancellationToken;
}

/// Spawns a task for each stream.
#[derive(Debug, Clone, Default)]
pub(super) struct StreamExecutor {
    /// The permits with which streams are polled, if any.
    pub(super) turns: Option<FuturePollPermits>,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, stream: F) {
        let ended = CancellationToken::new();
        // The future is boxed, because each surrounding future would hold it twice.
        let until_ended = ended.clone();
        let stream = Box::pin(stream);
        let ended = STREAM.scope(ended, async move { until_ended.run_until_cancelled(stream).await.is_some() });
        match &self.turns {
            Some(turns) => tokio::spawn(turns.limit_future(Box::pin(ended))),
            None => tokio::spawn(ended),
        };
    }
}

/// The token that ends the stream of this task; `None` on HTTP/1.
pub(super) fn current() -> Option<CancellationToken> {
    STREAM.try_with(Clone::clone).ok()
}
