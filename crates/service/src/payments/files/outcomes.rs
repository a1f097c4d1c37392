//! What became of each payment of a file, as it stood at one time: held in a few bytes each, so that it can be told twice
//! in the same words, once for the signature and once for the reader. Source: FILE-022, PIS-090 to PIS-095.

use super::{consent_of, file_of};
use crate::payments::{Reader, orders};
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::file::{FileType, UploadedFile};
use lombard_domain::ids::{OrderId, PaymentTransactionId};
use lombard_domain::order::{Execution, Order, PaymentEntry, PaymentStatus, Product, RailDetail};
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::Transaction;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// How many payments are read at a time: as many as are read in a fraction of a millisecond, for which all else on the
/// thread waits.
const PAGE: u32 = 200;

/// What became of the payments of an order, by number.
#[derive(Debug)]
pub struct FileOutcomes {
    order: OrderId,
    payments: Vec<Outcome>,
    /// What rails said, each once.
    details: Vec<RailDetail>,
}

/// One payment.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    /// Microseconds since 1970.
    since: i64,
    number: u32,
    /// Which of the details.
    detail: Option<u32>,
    status: PaymentStatus,
}

impl FileOutcomes {
    /// Those of an order, none of them noted yet.
    fn of(order: OrderId) -> (Self, HashMap<RailDetail, u32>) {
        (Self { order, payments: Vec::new(), details: Vec::new() }, HashMap::new())
    }

    fn note(&mut self, said: &mut HashMap<RailDetail, u32>, payment: Execution) {
        let detail = payment.detail.map(|detail| {
            *said.entry(detail).or_insert_with_key(|new| {
                self.details.push(new.clone());
                u32::try_from(self.details.len()).unwrap_or(u32::MAX).saturating_sub(1)
            })
        });
        let Execution { number, status, since, .. } = payment;
        self.payments.push(Outcome { since: since.as_microsecond(), number, detail, status });
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.payments.len()
    }

    /// Those of a range of places, counted from 0, as the payment details have them; what lies beyond the last is not
    /// there.
    pub fn entries(&self, range: Range<usize>) -> impl Iterator<Item = PaymentEntry> {
        let upto = range.end.min(self.payments.len());
        let payments = self.payments.get(range.start.min(upto)..upto).unwrap_or_default();
        payments.iter().map(|it| PaymentEntry {
            id: PaymentTransactionId::of(&self.order, it.number),
            status: it.status,
            since: Timestamp::from_microsecond(it.since).unwrap_or_default(),
            detail: it.detail.and_then(|index| self.details.get(usize::try_from(index).ok()?)).cloned(),
        })
    }

    /// How many of a range of places stand in each status.
    pub fn tally(&self, range: Range<usize>) -> BTreeMap<PaymentStatus, u32> {
        let mut tally = BTreeMap::new();
        let upto = range.end.min(self.payments.len());
        for it in self.payments.get(range.start.min(upto)..upto).unwrap_or_default() {
            let count: &mut u32 = tally.entry(it.status).or_default();
            *count = count.saturating_add(1);
        }
        tally
    }
}

/// What became of the payments of a file's order by now: of those that are on their way to the bank, or were.
///
/// # Errors
/// As [`orders::read`].
pub async fn outcomes(
    context: &Context,
    reader: impl Into<Reader>,
    id: &OrderId,
    through: Version,
) -> Result<FileOutcomes, Failure> {
    orders::read(context, reader, Product::FilePayment, id, through).await?;
    all(context, id).await
}

/// An order that has ended, for its report.
#[derive(Debug)]
pub struct Ended {
    /// The order.
    pub order: Order,
    /// What its file is written in.
    pub kind: FileType,
    /// Its file.
    pub file: UploadedFile,
    /// What became of its payments.
    pub outcomes: FileOutcomes,
    /// The time it is all of (bank clock).
    pub at: Timestamp,
}

/// What there is to report of a file's order that has ended: it is known of every payment whether it is made.
/// Source: FILE-022.
///
/// # Errors
/// As [`orders::read`]; not found while the order has not ended.
pub async fn ended(
    context: &Context,
    reader: impl Into<Reader>,
    id: &OrderId,
    through: Version,
) -> Result<Ended, Failure> {
    orders::read(context, reader, Product::FilePayment, id, through).await?;
    let asked = id.clone();
    let find = move |tx: &mut dyn Transaction| {
        let order = super::locked(tx, &asked)?;
        let consent = consent_of(tx, &order)?;
        let (terms, file) = file_of(&consent).ok_or(Refusal::of(RefusalKind::NotFound))?;
        if order.progress.is_none_or(|progress| progress.ended().is_none()) {
            return Err(Refusal::of(RefusalKind::NotFound).into());
        }
        let (kind, file) = (terms.kind, file.clone());
        Ok::<_, Failure>((order, kind, file))
    };
    let (order, kind, file) = context.store.read(find).await?;
    let at = context.clocks.bank();
    Ok(Ended { outcomes: all(context, id).await?, order, kind, file, at })
}

/// All of them, page by page.
async fn all(context: &Context, id: &OrderId) -> Result<FileOutcomes, Failure> {
    let (mut outcomes, mut said) = FileOutcomes::of(id.clone());
    let mut after = 0;
    loop {
        let asked = id.clone();
        let read = move |tx: &mut dyn Transaction| Ok::<_, Failure>(tx.executions(&asked, after, PAGE)?);
        let page = context.store.read(read).await?;
        let Some(last) = page.last() else { return Ok(outcomes) };
        after = last.number;
        page.into_iter().for_each(|payment| outcomes.note(&mut said, payment));
        tokio::task::yield_now().await;
    }
}
