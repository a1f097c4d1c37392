//! A clock on request headers: from the first byte of a request to the end of its headers, a caller must keep up.
//!
//! The HTTP library's own timer runs through the quiet time between requests too; it is set to the keep-alive time,
//! and this one sees to slow headers (TLS-016).

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How far a connection's requests are. Shared between its stream and its service.
#[derive(Debug, Clone, Default)]
pub(super) struct Pace(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    heads_read: AtomicUsize,
    answering: AtomicUsize,
}

/// A request that is being answered; dropped when it is.
#[derive(Debug)]
pub(super) struct Answering(Pace);

impl Pace {
    /// A connection without a request yet.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A request's headers have been read in time.
    pub(super) fn head_is_read(&self) -> Answering {
        self.0.heads_read.fetch_add(1, Ordering::Relaxed);
        self.0.answering.fetch_add(1, Ordering::Relaxed);
        Answering(self.clone())
    }

    fn heads_read(&self) -> usize {
        self.0.heads_read.load(Ordering::Relaxed)
    }

    fn is_answering(&self) -> bool {
        self.0.answering.load(Ordering::Relaxed) > 0
    }

    /// Waits until the connection has had nothing to answer for so long; at most twice as long passes.
    pub(super) async fn idle(&self, limit: Duration) {
        loop {
            let before = self.heads_read();
            tokio::time::sleep(limit).await;
            if !self.is_answering() && self.heads_read() == before {
                return;
            }
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.0.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream that fails when the headers of an HTTP/1 request take too long.
///
/// The rest of a body that is read after its answer counts as the next head: such a connection is closed when the
/// time is over, which costs the caller a new one and nothing else.
#[derive(Debug)]
pub(super) struct PacedIo<S> {
    stream: S,
    pace: Pace,
    /// Time for one head; `None` where heads do not come one after the other (HTTP/2).
    limit: Option<Duration>,
    head: Option<Head>,
}

#[derive(Debug)]
struct Head {
    /// How many heads had been read when this one began.
    before: usize,
    deadline: Pin<Box<Sleep>>,
}

impl<S> PacedIo<S> {
    pub(super) fn new(stream: S, pace: Pace, limit: Option<Duration>) -> Self {
        Self { stream, pace, limit, head: None }
    }

    fn begin_head(&mut self) {
        if let (None, Some(limit), false) = (&self.head, self.limit, self.pace.is_answering()) {
            let deadline = Box::pin(tokio::time::sleep(limit));
            self.head = Some(Head { before: self.pace.heads_read(), deadline });
        }
    }

    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        if self.head.as_ref().is_some_and(|head| head.before != self.pace.heads_read()) {
            self.head = None;
        }
        self.head.as_mut().is_some_and(|head| head.deadline.as_mut().poll(cx).is_ready())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedIo<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.begin_head();
        }
        if self.is_late(cx) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedIo<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
