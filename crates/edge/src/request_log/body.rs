//! Records the beginnings of bodies as they pass.

use super::json;
use super::text::{self, MASKED};
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use http_body::{Frame, SizeHint};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// Shorter bodies are written into the records: they are together in memory.
const SHARED_BYTES_MIN: usize = 1024;
/// Of a body that is more than so many times as long as what is shown of it, that part is copied.
const SHARED_MULTIPLE_MAX: usize = 8;

/// A body that stands beside its record until that is in the ring, which then keeps its bytes or copies those that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BodyBeside {
    /// The body as it was sent.
    pub(super) bytes: Bytes,
    /// How many of its bytes are copied; `None` if all are kept, because others keep them too.
    pub(super) copied: Option<usize>,
}

/// What is kept of a body, until its record is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum KeptBody {
    /// There was none.
    #[default]
    None,
    /// Masked JSON, and whether it is all of the body.
    Masked(String, bool),
    /// Part of a body as it was sent, which is masked when it is shown, and whether it is all of the body: the answer to a read.
    Sent(Bytes, bool),
    /// The same of a long one, which is not written into the record: how many of its bytes are shown, and whether these are all.
    Beside(BodyBeside, usize, bool),
    /// Neither JSON nor a form: nothing is kept.
    Other,
}

impl KeptBody {
    pub(super) fn recorded(&self) -> RecordedBody<'_> {
        match self {
            Self::None => RecordedBody::None,
            Self::Masked(text, is_whole) => RecordedBody::Masked(text, *is_whole),
            Self::Sent(bytes, is_whole) => RecordedBody::Sent(bytes, *is_whole),
            Self::Beside(_, length, is_whole) => RecordedBody::Beside(*length, *is_whole),
            Self::Other => RecordedBody::Other,
        }
    }

    /// What the log keeps of the answer to a read, of which at most so many bytes are shown. The bytes of one that is kept elsewhere
    /// too are shared; of others the log would keep what is not shown.
    pub(super) fn of_read(body: Bytes, bytes_max: usize, is_kept: bool) -> Self {
        let is_whole = body.len() <= bytes_max;
        let shown = body.len().min(bytes_max);
        if shown < SHARED_BYTES_MIN {
            return Self::Sent(body.slice(..shown), is_whole);
        }
        let is_shared = is_kept && body.len() / SHARED_MULTIPLE_MAX <= shown;
        Self::Beside(BodyBeside { bytes: body, copied: (!is_shared).then_some(shown) }, shown, is_whole)
    }

    /// What of it stands beside the record.
    pub(super) const fn beside(&self) -> Option<&BodyBeside> {
        match self {
            Self::Beside(body, ..) => Some(body),
            Self::None | Self::Masked(..) | Self::Sent(..) | Self::Other => None,
        }
    }
}

/// The same in the log's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RecordedBody<'r> {
    /// There was none.
    #[default]
    None,
    /// Masked JSON, and whether it is all of the body.
    Masked(&'r str, bool),
    /// Part of a body as it was sent, and whether it is all of the body.
    Sent(#[serde(serialize_with = "as_bytes")] &'r [u8], bool),
    /// So many bytes of the body that stands beside the record ([`Record::beside`](super::record::Record)), and whether they are all of it.
    Beside(usize, bool),
    /// Neither JSON nor a form.
    Other,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes the member by reference")]
fn as_bytes<S: Serializer>(bytes: &&[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

impl RecordedBody<'_> {
    /// What is shown of it, and whether that is all of it. `beside` is what stands beside the record.
    pub(super) fn view(&self, beside: &[u8]) -> (Value, bool) {
        match self {
            Self::Beside(length, is_whole) => {
                RecordedBody::Sent(beside.get(..*length).unwrap_or_default(), *is_whole).view(&[])
            }
            Self::None => (Value::Null, true),
            Self::Masked(text, is_whole) => (serde_json::from_str(text).unwrap_or(Value::Null), *is_whole),
            Self::Sent(bytes, is_whole) => {
                let masked = json::mask(bytes);
                (masked.value, *is_whole && masked.is_complete)
            }
            Self::Other => (Value::String(MASKED.to_owned()), true),
        }
    }
}

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyForm {
    Json,
    Form,
    Other,
}

impl BodyForm {
    /// The form that the headers name.
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

    /// What is recorded of the beginning of such a body.
    pub(super) fn masked(self, beginning: &[u8], is_whole: bool) -> KeptBody {
        let (value, is_complete) = match self {
            Self::Json => {
                let masked = json::mask(beginning);
                (masked.value, masked.is_complete)
            }
            Self::Form => {
                let pairs = text::parameters(beginning).map(|(name, value)| (name, Value::String(value)));
                (Value::Object(pairs.collect::<Map<_, _>>()), true)
            }
            Self::Other => return KeptBody::Other,
        };
        KeptBody::Masked(value.to_string(), is_whole && is_complete)
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
    /// The body, and its beginning once it has passed.
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

    /// What has passed, masked; nothing of the body itself is left here.
    pub(super) fn take(&self, form: BodyForm) -> KeptBody {
        let PassedBytes { beginning, is_cut } = std::mem::take(&mut *self.0.lock());
        if beginning.is_empty() { KeptBody::None } else { form.masked(&beginning, !is_cut) }
    }
}

/// A body whose beginning is kept.
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

/// Whether the body behind these headers is JSON.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    BodyForm::of(headers) == BodyForm::Json
}
