//! Request bodies: they may not stand still, and what a handler leaves unread is taken off the wire.
//!
//! A server that answers and closes while the caller is still sending makes the caller's system throw the answer away.
//! So the rest of a refused body is read and forgotten, within bounds, and the 413 arrives.

use bytes::{Buf, Bytes};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// Most bytes read after a handler lost interest, which is a file of payments of the usual largest size; a caller that
/// sends more learns it from a closed connection.
pub(super) const LEFTOVER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The body stood still for too long.
#[derive(Debug, thiserror::Error)]
#[error("the request body stopped arriving")]
pub struct BodyIdle;

/// A request body under the limits of its listener.
#[derive(Debug)]
pub(super) struct CarefulBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    /// `None` once it failed or was given up.
    inner: Option<B>,
    idle: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
    /// The caller sends only after it is told to (`Expect: 100-continue`), and it has not been told.
    awaits_continue: bool,
}

impl<B> CarefulBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    pub(super) fn new(inner: B, idle: Duration, awaits_continue: bool) -> Self {
        Self { inner: Some(inner), idle, waiting: None, awaits_continue }
    }
}

impl<B> Body for CarefulBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.awaits_continue = false;
        let Some(inner) = &mut self.inner else { return Poll::Ready(None) };
        match Pin::new(inner).poll_frame(cx) {
            Poll::Ready(Some(Err(error))) => {
                self.inner = None;
                Poll::Ready(Some(Err(error.into())))
            }
            Poll::Ready(frame) => {
                self.waiting = None;
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                let idle = self.idle;
                let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(idle)));
                if waiting.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                self.inner = None;
                Poll::Ready(Some(Err(BodyIdle.into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl<B> Drop for CarefulBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    fn drop(&mut self) {
        let Some(rest) = self.inner.take() else { return };
        let declared_too_long = rest.size_hint().lower() > LEFTOVER_BYTES_MAX as u64;
        if rest.is_end_stream() || self.awaits_continue || declared_too_long {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(self.idle, read_off(rest)));
        }
    }
}

async fn read_off<B: Body<Data = Bytes> + Unpin>(mut body: B) {
    let mut left = LEFTOVER_BYTES_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        let bytes = frame.data_ref().map_or(0, Buf::remaining);
        let Some(rest) = left.checked_sub(bytes) else { return };
        left = rest;
    }
}
