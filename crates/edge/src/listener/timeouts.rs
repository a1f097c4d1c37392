//! Time limits on the bytes of a connection: for the headers of a request, from their first byte to their end, and for a response that does
//! not fit into the socket's buffer, until all its bytes were written.
//!
//! The HTTP library's own timer includes the idle time between requests; it is set to the keep-alive time, and this module limits slow
//! headers (TLS-016). The library has no time limit for writing.

use super::caller_connections::CallerConnection;
use super::header_frames::HeaderFrames;
use super::header_lines::HeaderLines;
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// The progress of a connection's requests. The stream and the service of the connection share it.
#[derive(Debug, Clone)]
pub(super) struct ConnectionProgress(Arc<RequestCounts>);

#[derive(Debug)]
struct RequestCounts {
    heads_read: AtomicUsize,
    answering: AtomicUsize,
    /// The connection's permit, if its caller's connections are limited. It is marked as busy while a request is in progress, and as idle
    /// otherwise.
    place: Option<CallerConnection>,
}

/// A request in progress; dropped when it was answered.
#[derive(Debug)]
pub(super) struct RequestInProgress(ConnectionProgress);

impl ConnectionProgress {
    /// Makes the progress of a new connection.
    pub(super) fn new(place: Option<CallerConnection>) -> Self {
        if let Some(place) = &place {
            place.end_request();
        }
        Self(Arc::new(RequestCounts { heads_read: AtomicUsize::new(0), answering: AtomicUsize::new(0), place }))
    }

    /// Waits until another connection of the caller needs the permit of this one.
    pub(super) async fn superseded(&self) {
        match &self.0.place {
            Some(place) => place.superseded().await,
            None => std::future::pending().await,
        }
    }

    /// Records that the headers of a request were read in time.
    pub(super) fn head_is_read(&self) -> RequestInProgress {
        self.0.heads_read.fetch_add(1, Ordering::Relaxed);
        self.begin_answer()
    }

    /// Records that a response is in progress. The connection is not idle until it ends.
    pub(super) fn begin_answer(&self) -> RequestInProgress {
        self.0.answering.fetch_add(1, Ordering::Relaxed);
        if let Some(place) = &self.0.place {
            place.begin_request();
        }
        RequestInProgress(self.clone())
    }

    fn heads_read(&self) -> usize {
        self.0.heads_read.load(Ordering::Relaxed)
    }

    fn is_answering(&self) -> bool {
        self.0.answering.load(Ordering::Relaxed) > 0
    }

    /// Waits until the connection has had no request for the given time; the wait may take twice that time.
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

impl Drop for RequestInProgress {
    fn drop(&mut self) {
        let counts = &self.0.0;
        counts.answering.fetch_sub(1, Ordering::Relaxed);
        if let Some(place) = &counts.place {
            place.end_request();
        }
    }
}

/// A stream that fails when the headers of a request take too long, or when the caller does not read.
///
/// On HTTP/1, the rest of a body that is read after its response counts as the next head. Such a connection is closed after the time limit,
/// and the caller only has to open a new one.
#[derive(Debug)]
pub(super) struct TimedIo<S> {
    stream: S,
    pace: ConnectionProgress,
    /// The time limit for one head.
    limit: Duration,
    head: Option<HeaderDeadline>,
    /// The tracker of heads on HTTP/2.
    frames: Option<HeaderFrames>,
    /// The checker of line ends on HTTP/1.
    lines: HeaderLines,
    write: WriteClock,
}

/// The number of parts into which the time limit for writing is divided. Bytes that fill buffers at the start of a wait count as progress,
/// but only for one time limit. A caller that reads nothing is therefore dropped after the limit and at most one more part.
const PARTS: usize = 8;

/// Measures whether the caller reads, over a sliding window of the time limit.
#[derive(Debug)]
pub(super) struct WriteClock {
    part: Duration,
    /// The least bytes in the whole window.
    bytes_min: u64,
    /// The bytes written in each part of the window, the present part last.
    taken: VecDeque<u64>,
    /// The end of the present part, while bytes wait to be written.
    end: Option<Pin<Box<Sleep>>>,
}

impl WriteClock {
    pub(super) fn new(time: Duration, bytes_min: u64) -> Self {
        let parts = u32::try_from(PARTS).unwrap_or(1);
        Self { part: time / parts, bytes_min: bytes_min.max(1), taken: VecDeque::new(), end: None }
    }

    /// Records that bytes wait to be written; an error if the progress is too small.
    fn wait<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if self.end.is_none() {
            self.taken.push_back(0);
        }
        loop {
            let end = self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.part)));
            if end.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            if self.taken.len() >= PARTS {
                if self.taken.iter().sum::<u64>() < self.bytes_min {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
                self.taken.pop_front();
            }
            self.taken.push_back(0);
            end.as_mut().reset(Instant::now() + self.part);
        }
    }

    /// Counts written bytes. Bytes written before a wait are not progress of that wait.
    fn took(&mut self, bytes: usize) {
        if let (Some(_), Some(present)) = (&self.end, self.taken.back_mut()) {
            *present = present.saturating_add(bytes as u64);
        }
    }

    /// Records that no bytes wait.
    fn rest(&mut self) {
        self.end = None;
        self.taken.clear();
    }

    fn wrote(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                self.took(bytes);
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => self.wait(cx),
        }
    }

    fn flushed(&mut self, flushed: Poll<io::Result<()>>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match flushed {
            Poll::Ready(done) => {
                self.rest();
                Poll::Ready(done)
            }
            Poll::Pending => self.wait(cx),
        }
    }
}

#[derive(Debug)]
struct HeaderDeadline {
    /// The number of heads that had been read when this one began.
    before: usize,
    deadline: Instant,
    /// The timer of a wait for the caller. Most heads arrive at once and need none.
    timer: Option<Pin<Box<Sleep>>>,
}

impl HeaderDeadline {
    /// Whether the deadline has passed. If `is_waiting`, the task is woken at the deadline.
    fn has_passed(&mut self, is_waiting: bool, cx: &mut Context<'_>) -> bool {
        if !is_waiting {
            return Instant::now() >= self.deadline;
        }
        let deadline = self.deadline;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        timer.as_mut().poll(cx).is_ready()
    }
}

impl<S> TimedIo<S> {
    /// Wraps a stream. The headers of a request may take at most `limit`; `is_h2` states whether they arrive over HTTP/2.
    pub(super) fn new(stream: S, pace: ConnectionProgress, limit: Duration, is_h2: bool, write: WriteClock) -> Self {
        Self {
            stream,
            pace,
            limit,
            head: None,
            frames: is_h2.then(HeaderFrames::new),
            lines: HeaderLines::default(),
            write,
        }
    }

    /// Records received bytes.
    fn note(&mut self, bytes: &mut [u8]) {
        let within = match &mut self.frames {
            None => {
                self.lines.take(bytes);
                !self.pace.is_answering()
            }
            Some(frames) => {
                if frames.take(bytes) || !frames.is_within_headers() {
                    self.head = None;
                }
                frames.is_within_headers()
            }
        };
        if within && self.head.is_none() {
            let deadline = Instant::now() + self.limit;
            self.head = Some(HeaderDeadline { before: self.pace.heads_read(), deadline, timer: None });
        }
    }

    fn is_late(&mut self, is_waiting: bool, cx: &mut Context<'_>) -> bool {
        if self.frames.is_none() && self.head.as_ref().is_some_and(|head| head.before != self.pace.heads_read()) {
            self.head = None;
        }
        self.head.as_mut().is_some_and(|head| head.has_passed(is_waiting, cx))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedIo<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if let Some(bytes @ [_, ..]) = buffer.filled_mut().get_mut(before..) {
            self.note(bytes);
        }
        if self.is_late(read.is_pending(), cx) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedIo<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.write.wrote(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.write.wrote(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.write.flushed(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.write.flushed(shut, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test(start_paused = true)]
    async fn tls_016_what_is_written_is_taken_at_a_least_rate() {
        for (secs, is_given_up) in [(0, false), (5, false), (40, true), (100_000, true)] {
            let (ours, mut theirs) = duplex(8 * 1024);
            let write = WriteClock::new(Duration::from_secs(30), 30 * 1024);
            let mut ours = TimedIo::new(ours, ConnectionProgress::new(None), Duration::from_secs(5), true, write);
            let reads = async move {
                let mut bytes = [0; 8 * 1024];
                while theirs.read_exact(&mut bytes).await.is_ok() {
                    tokio::time::sleep(Duration::from_secs(secs)).await;
                }
            };
            let writes = async move {
                let written = ours.write_all(&[0; 256 * 1024]).await;
                ours.shutdown().await.and(written)
            };
            let (written, ()) = tokio::join!(writes, reads);
            let timed_out = written.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut);
            assert_eq!(timed_out, is_given_up, "8 KiB every {secs} s");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn tls_016_the_write_timeout_runs_from_the_start_of_the_wait() {
        let limit = Duration::from_secs(30);
        for is_h2 in [false, true] {
            let (ours, theirs) = duplex(64 * 1024);
            let write = WriteClock::new(limit, 30 * 1024);
            let mut ours = TimedIo::new(ours, ConnectionProgress::new(None), Duration::from_secs(5), is_h2, write);
            let began = Instant::now();
            let written = ours.write_all(&[0; 256 * 1024]).await;
            assert!(written.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut));
            assert_eq!(began.elapsed(), limit, "the first 64 KiB fit and do not count");
            drop(theirs);
        }
    }

    /// The kernel's buffers fill up after the wait has begun.
    #[tokio::test(start_paused = true)]
    async fn tls_016_buffered_bytes_do_not_extend_the_time_of_a_caller_not_reading() {
        let limit = Duration::from_secs(32);
        let (ours, mut theirs) = duplex(64 * 1024);
        let write = WriteClock::new(limit, 32 * 1024);
        let mut ours = TimedIo::new(ours, ConnectionProgress::new(None), Duration::from_secs(5), false, write);
        let began = Instant::now();
        let reads = async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            theirs.read_exact(&mut [0; 48 * 1024]).await
        };
        let content = [0; 256 * 1024];
        let (written, read) = tokio::join!(ours.write_all(&content), reads);
        assert!(read.is_ok() && written.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut));
        assert_eq!(began.elapsed(), limit + limit / 8, "the time, and the part in which the buffers were filled");
    }
}
