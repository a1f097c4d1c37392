//! Records that were just made, until they are moved into the ring: one inbox for each thread that finishes requests, so that threads
//! neither wait for each other nor write to the same memory.

use super::body::BodyBeside;
use super::owner::RecordOwner;
use super::record::Record;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most inboxes; further threads share them.
const INBOXES_MAX: usize = 8;
/// Most bytes of an inbox: some records with a body of the greatest length, and some dozens of others.
const INBOX_BYTES_MAX: usize = 32 * 1024;
/// Most bytes that stand beside the records of an inbox, as a multiple of its own.
const BESIDE_MULTIPLE: usize = 8;
/// All inboxes together take up at most the log's bytes divided by this.
const SHARE: usize = 16;

/// The inboxes of all threads.
#[derive(Debug)]
pub(super) struct Inboxes {
    all: Box<[AlignedInbox]>,
    /// What was taken out of the inboxes at last, emptied: it takes the place of what is taken next.
    spares: Mutex<Vec<InboxContent>>,
}

/// An inbox on lines of memory of its own.
#[derive(Debug)]
#[repr(align(128))]
struct AlignedInbox(Mutex<InboxContent>);

/// Records as they are written, the oldest first.
#[derive(Debug)]
struct InboxContent {
    /// Written up to the end of the last record.
    bytes: Box<[u8]>,
    marks: Vec<InboxMark>,
    /// The bytes that stand beside the records.
    beside_bytes: usize,
}

/// A record of an inbox.
#[derive(Debug)]
struct InboxMark {
    /// Where the key of its owner ends, and it begins.
    begin: usize,
    /// When its request came: microseconds since 1970 (wall clock).
    at_micros: i64,
    /// When it was answered; within an inbox this does not descend.
    finished_micros: i64,
    /// Where it ends.
    end: usize,
    /// What stands beside it.
    beside: Option<BodyBeside>,
}

/// A record that was taken out of an inbox.
#[derive(Debug)]
pub(super) struct ArrivedRecord<'i> {
    /// The key of its owner.
    pub(super) owner: &'i [u8],
    pub(super) at_micros: i64,
    pub(super) written: &'i [u8],
    /// What stands beside it: [`Record::beside`].
    pub(super) beside: Option<BodyBeside>,
}

impl InboxContent {
    fn of(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes].into_boxed_slice(), marks: Vec::new(), beside_bytes: 0 }
    }

    /// Writes a record behind the others; `None` if there is no room for it.
    fn push(&mut self, owner: &RecordOwner<'_>, record: &Record<'_>) -> Option<()> {
        let (begin, earlier) = self.marks.last().map_or((0, i64::MIN), |mark| (mark.end, mark.finished_micros));
        let beside_bytes = self.beside_bytes.saturating_add(record.beside.map_or(0, |body| body.bytes.len()));
        if beside_bytes > self.bytes.len().saturating_mul(BESIDE_MULTIPLE) {
            return None;
        }
        let room = self.bytes.get_mut(begin..)?;
        let key = owner.write_key(room)?;
        let written = record.write_to(room.get_mut(key..)?)?;
        let took = i64::try_from(record.took.as_micros()).unwrap_or(i64::MAX);
        let begin = begin.saturating_add(key);
        self.marks.push(InboxMark {
            begin,
            at_micros: record.at_micros,
            finished_micros: record.at_micros.saturating_add(took).max(earlier),
            end: begin.saturating_add(written),
            beside: record.beside.cloned(),
        });
        self.beside_bytes = beside_bytes;
        Some(())
    }
}

impl Inboxes {
    /// Empty ones for a log of so many bytes.
    pub(super) fn new(log_bytes: usize) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(INBOXES_MAX);
        // Each has a spare, and bytes beside its records.
        let bytes = (log_bytes / SHARE / threads / (2 + BESIDE_MULTIPLE)).min(INBOX_BYTES_MAX);
        let all = (0..threads).map(|_| AlignedInbox(Mutex::new(InboxContent::of(bytes)))).collect();
        Self { all, spares: Mutex::new((0..threads).map(|_| InboxContent::of(bytes)).collect()) }
    }

    /// The most bytes of all of them, of their spares, and beside their records.
    pub(super) fn bytes(&self) -> usize {
        let spares = self.spares.lock();
        spares.iter().map(|it| it.bytes.len()).fold(0, usize::saturating_add).saturating_mul(2 + BESIDE_MULTIPLE)
    }

    /// Writes a record into the inbox of this thread; `false` if there is no room for it.
    pub(super) fn push(&self, owner: &RecordOwner<'_>, record: &Record<'_>) -> bool {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed));
        let place = THREAD.with(|thread| thread.checked_rem(self.all.len())).unwrap_or_default();
        self.all.get(place).is_some_and(|inbox| inbox.0.lock().push(owner, record).is_some())
    }

    /// Takes all records out, in the order in which their requests were answered.
    pub(super) fn take(&self, mut each: impl FnMut(ArrivedRecord<'_>)) {
        let mut taken = self.spares.lock();
        for (inbox, taken) in self.all.iter().zip(taken.iter_mut()) {
            std::mem::swap(&mut *inbox.0.lock(), taken);
        }
        let mut arrived = Vec::new();
        for InboxContent { bytes, marks, beside_bytes } in taken.iter_mut() {
            let mut last_end = 0;
            *beside_bytes = 0;
            for InboxMark { begin, at_micros, finished_micros, end, beside } in marks.drain(..) {
                let owner = bytes.get(last_end..begin).unwrap_or_default();
                let written = bytes.get(begin..end).unwrap_or_default();
                last_end = end;
                arrived.push((finished_micros, ArrivedRecord { owner, at_micros, written, beside }));
            }
        }
        // Stable: those of one inbox stay in their order.
        arrived.sort_by_key(|(finished_micros, _)| *finished_micros);
        for (_, record) in arrived {
            each(record);
        }
    }
}
