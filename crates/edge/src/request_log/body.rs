//! Records the beginnings of bodies while they are read.

use super::json;
use super::text::{self, MASKED};
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use http_body::{Frame, SizeHint};
use parking_lot::Mutex;
use serde_json::{Map, Value};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// The largest ratio of a body's length to its shown part up to which a record shares a body that a cache keeps too.
const SHARED_MULTIPLE_MAX: usize = 8;

/// The recorded part of a body.
#[derive(Debug, Clone, Default)]
pub(super) enum RecordedBody {
    /// There was no body.
    #[default]
    None,
    /// Masked JSON, and whether it is the whole body.
    Masked { json: Box<str>, is_whole: bool },
    /// The response to a read as it was sent; it is masked when it is shown. Holds its bytes, how many of them are shown, and whether these
    /// are the whole body.
    Sent { bytes: Bytes, shown: usize, is_whole: bool },
    /// The body is neither JSON nor a form and is not recorded.
    Other,
}

impl RecordedBody {
    /// Records the response to a read, of which at most `bytes_max` bytes are shown. The shown part of a longer body is copied, unless a
    /// cache keeps the whole body too.
    pub(super) fn of_read(body: Bytes, bytes_max: usize, is_kept: bool) -> Self {
        let shown = body.len().min(bytes_max);
        let is_whole = shown == body.len();
        let is_shared = is_whole || (is_kept && body.len() / SHARED_MULTIPLE_MAX <= shown);
        let bytes = if is_shared { body } else { Bytes::copy_from_slice(body.get(..shown).unwrap_or_default()) };
        Self::Sent { bytes, shown, is_whole }
    }

    /// The memory of the body beside the record, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Masked { json, .. } => json.len(),
            Self::Sent { bytes, .. } => bytes.len(),
            Self::None | Self::Other => 0,
        }
    }

    /// The masked body to show, and whether it is complete.
    pub(super) fn view(&self) -> (Value, bool) {
        match self {
            Self::None => (Value::Null, true),
            Self::Masked { json, is_whole } => (serde_json::from_str(json).unwrap_or(Value::Null), *is_whole),
            Self::Sent { bytes, shown, is_whole } => {
                let masked = json::mask(bytes.get(..*shown).unwrap_or_default());
                (masked.value, *is_whole && masked.is_complete)
            }
            Self::Other => (Value::String(MASKED.to_owned()), true),
        }
    }
}

/// The format of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyForm {
    Json,
    Form,
    Other,
}

impl BodyForm {
    /// The format that the headers name.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let media = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let media = media.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let is = |name: &str| media.eq_ignore_ascii_case(name.as_bytes());
        if is("application/json") || is("application/json-patch+json") {
            Self::Json
        } else if is("application/x-www-form-urlencoded") {
            Self::Form
        } else {
            Self::Other
        }
    }

    /// Masks the beginning of a body of this format.
    pub(super) fn masked(self, beginning: &[u8], is_whole: bool) -> RecordedBody {
        let (value, is_complete) = match self {
            Self::Json => {
                let masked = json::mask(beginning);
                (masked.value, masked.is_complete)
            }
            Self::Form => {
                let pairs = text::parameters(beginning).map(|(name, value)| (name, Value::String(value)));
                (Value::Object(pairs.collect::<Map<_, _>>()), true)
            }
            Self::Other => return RecordedBody::Other,
        };
        RecordedBody::Masked { json: value.to_string().into(), is_whole: is_whole && is_complete }
    }
}

/// The beginning of a request body, filled while a handler reads it.
#[derive(Debug, Clone)]
pub(super) struct BodyBeginning(Arc<Mutex<PassedBytes>>);

#[derive(Debug, Default)]
struct PassedBytes {
    beginning: BytesMut,
    is_cut: bool,
}

impl BodyBeginning {
    /// Wraps a body, and returns it with the recorder of its beginning.
    pub(super) fn watch(body: Body, bytes_max: usize) -> (Body, Self) {
        let beginning = Self(Arc::default());
        let watched = WatchedBody { inner: body, beginning: beginning.clone(), bytes_max };
        (Body::new(watched), beginning)
    }

    fn add(&self, data: &[u8], bytes_max: usize) {
        let mut passed = self.0.lock();
        let room = bytes_max.saturating_sub(passed.beginning.len());
        passed.is_cut |= data.len() > room;
        passed.beginning.extend_from_slice(data.get(..room).unwrap_or(data));
    }

    /// Removes and returns the recorded bytes, masked.
    pub(super) fn take(&self, form: BodyForm) -> RecordedBody {
        let PassedBytes { beginning, is_cut } = std::mem::take(&mut *self.0.lock());
        if beginning.is_empty() { RecordedBody::None } else { form.masked(&beginning, !is_cut) }
    }
}

/// A body whose beginning is recorded.
#[derive(Debug)]
struct WatchedBody {
    inner: Body,
    beginning: BodyBeginning,
    bytes_max: usize,
}

impl http_body::Body for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx));
        if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()).and_then(Frame::data_ref) {
            self.beginning.add(data, self.bytes_max);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Whether these headers belong to a JSON body.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    BodyForm::of(headers) == BodyForm::Json
}
