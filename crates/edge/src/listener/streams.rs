//! The streams of HTTP/2 connections: each runs as a task that can be ended apart from its connection.
//!
//! The HTTP library asks a body for more only when its stream has window, so a body cannot give itself up while its caller
//! does not read. Ending the task resets the stream and frees what it holds.

use super::poll_permits::FuturePollPermits;
use hyper::rt::Executor;
use tokio_util::sync::CancellationToken;

tokio::task_local! {
    static STREAM: CancellationToken;
}

/// Runs each stream as a task of its own.
#[derive(Debug, Clone, Default)]
pub(super) struct StreamExecutor {
    /// The streams are polled in these turns, if any.
    pub(super) turns: Option<FuturePollPermits>,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, stream: F) {
        let ended = CancellationToken::new();
        // Boxed: each future around it would have room for it twice.
        let until_ended = ended.clone();
        let stream = Box::pin(stream);
        let ended = STREAM.scope(ended, async move { until_ended.run_until_cancelled(stream).await.is_some() });
        match &self.turns {
            Some(turns) => tokio::spawn(turns.limit_future(Box::pin(ended))),
            None => tokio::spawn(ended),
        };
    }
}

/// What ends the stream that is being served by this task; none on HTTP/1.
pub(super) fn current() -> Option<CancellationToken> {
    STREAM.try_with(Clone::clone).ok()
}
