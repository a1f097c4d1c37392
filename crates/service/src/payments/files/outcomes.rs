//! The status of each payment of a file at one instant, held in few bytes, so that it can be written twice in the same
//! way: once for the signature and once for the reader. Source: FILE-022, PIS-090 to PIS-095.

use super::{consent_of, file_of};
use crate::payments::{ReadCaller, orders};
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::ids::{OrderId, PaymentTransactionId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::file::{FileType, UploadedFile};
use lombard_domain::payment::order::{Order, PaymentDetailsEntry, PaymentExecution, PaymentStatus, RailDetail};
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::ServerTransaction;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The number of payments that are read at a time. It is small, because a read blocks its thread, and every download holds this
/// many payments.
const PAGE: u32 = 50;

/// The statuses of the payments of an order, by number.
#[derive(Debug)]
pub struct FilePaymentStatuses {
    order: OrderId,
    count: u32,
    /// Runs of consecutive payments that have had the same state since the same time, in the order of the payments.
    runs: Vec<OutcomeRun>,
    /// The distinct states of payments.
    standings: Vec<OutcomeState>,
}

/// The state of a payment: its status and the status on its rail.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct OutcomeState {
    status: PaymentStatus,
    detail: Option<RailDetail>,
}

/// Consecutive payments with the same state since the same time, up to the next run.
#[derive(Debug, Clone, Copy)]
struct OutcomeRun {
    /// Microseconds since 1970.
    since: i64,
    /// The index of the first payment, from 0.
    from: u32,
    /// The index of the state in `standings`.
    standing: u32,
}

impl FilePaymentStatuses {
    /// The outcomes of an order, before any payment is added, with an empty index of states.
    fn of(order: OrderId) -> (Self, HashMap<OutcomeState, u32>) {
        (Self { order, count: 0, runs: Vec::new(), standings: Vec::new() }, HashMap::new())
    }

    /// Adds the next payment.
    ///
    /// # Errors
    /// [`Failure::Broken`] if its number is not the next.
    fn note(&mut self, known: &mut HashMap<OutcomeState, u32>, payment: PaymentExecution) -> Result<(), Failure> {
        let PaymentExecution { number, status, since, detail, .. } = payment;
        if number != self.count.saturating_add(1) {
            return Err(Failure::Broken("the payments of a file are not numbered one after the other".into()));
        }
        let standing = *known.entry(OutcomeState { status, detail }).or_insert_with_key(|new| {
            self.standings.push(new.clone());
            u32::try_from(self.standings.len()).unwrap_or(u32::MAX).saturating_sub(1)
        });
        let run = OutcomeRun { since: since.as_microsecond(), from: self.count, standing };
        if self.runs.last().is_none_or(|last| (last.since, last.standing) != (run.since, run.standing)) {
            self.runs.push(run);
        }
        self.count = number;
        Ok(())
    }

    /// The number of payments.
    pub fn count(&self) -> usize {
        usize::try_from(self.count).unwrap_or(usize::MAX)
    }

    /// The payment details of a range of payments, by index from 0. The range is limited to the existing payments.
    pub fn entries(&self, range: Range<usize>) -> impl Iterator<Item = PaymentDetailsEntry> {
        self.runs_in(range).flat_map(move |(places, since, standing)| {
            places.map(move |place| PaymentDetailsEntry {
                id: PaymentTransactionId::for_payment(&self.order, place.saturating_add(1)),
                status: standing.status,
                since: Timestamp::from_microsecond(since).unwrap_or_default(),
                detail: standing.detail.clone(),
            })
        })
    }

    /// The number of payments in each status, for a range of indices.
    pub fn tally(&self, range: Range<usize>) -> BTreeMap<PaymentStatus, u32> {
        let mut tally = BTreeMap::new();
        for (places, _, standing) in self.runs_in(range) {
            let count: &mut u32 = tally.entry(standing.status).or_default();
            *count = count.saturating_add(places.end.saturating_sub(places.start));
        }
        tally
    }

    /// The parts of runs within a range of indices, with the time since when the payments have had their state.
    fn runs_in(&self, range: Range<usize>) -> impl Iterator<Item = (Range<u32>, i64, &OutcomeState)> {
        let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX).min(self.count);
        let (start, end) = (place(range.start), place(range.end));
        let first = self.runs.partition_point(|run| run.from <= start).saturating_sub(1);
        let runs = self.runs.get(first..).unwrap_or_default();
        let ends = runs.iter().skip(1).map(|run| run.from).chain([self.count]);
        let parts = runs.iter().zip(ends).take_while(move |(run, _)| run.from < end);
        parts.filter_map(move |(run, until)| {
            let standing = self.standings.get(usize::try_from(run.standing).ok()?)?;
            let places = run.from.max(start)..until.min(end);
            (!places.is_empty()).then_some((places, run.since, standing))
        })
    }
}

/// Reads the present statuses of the payments of a file order. Payments that were not yet prepared for submission are not
/// included.
///
/// # Errors
/// As [`orders::read_order`].
pub async fn read_file_payment_statuses(
    context: &Context,
    reader: impl Into<ReadCaller>,
    id: &OrderId,
    through: Version,
) -> Result<FilePaymentStatuses, Failure> {
    orders::read_order(context, reader, PaymentProduct::FilePayment, id, through).await?;
    all(context, id).await
}

/// A file order that has ended, for its report.
#[derive(Debug)]
pub struct FinishedFileOrder {
    /// The order.
    pub order: Order,
    /// The format of the file.
    pub kind: FileType,
    /// The file.
    pub file: UploadedFile,
    /// The statuses of its payments.
    pub outcomes: FilePaymentStatuses,
    /// The time at which all of this was read (bank clock).
    pub at: Timestamp,
}

/// Reads a file order that has ended, for its report. An order has ended when every payment is decided. Source: FILE-022.
///
/// # Errors
/// As [`orders::read_order`]; not found while the order has not ended.
pub async fn read_finished_order(
    context: &Context,
    reader: impl Into<ReadCaller>,
    id: &OrderId,
    through: Version,
) -> Result<FinishedFileOrder, Failure> {
    orders::read_order(context, reader, PaymentProduct::FilePayment, id, through).await?;
    let asked = id.clone();
    let find = move |tx: &mut dyn ServerTransaction| {
        let order = super::locked(tx, &asked)?;
        let consent = consent_of(tx, &order)?;
        let (terms, file) = file_of(&consent).ok_or(Refusal::from_kind(RefusalKind::NotFound))?;
        if order.progress.is_none_or(|progress| progress.ended().is_none()) {
            return Err(Refusal::from_kind(RefusalKind::NotFound).into());
        }
        let (kind, file) = (terms.kind, file.clone());
        Ok::<_, Failure>((order, kind, file))
    };
    let (order, kind, file) = context.store.read(find).await?;
    let at = context.clocks.bank_now();
    Ok(FinishedFileOrder { outcomes: all(context, id).await?, order, kind, file, at })
}

/// Reads all payments, page by page.
async fn all(context: &Context, id: &OrderId) -> Result<FilePaymentStatuses, Failure> {
    let (mut outcomes, mut known) = FilePaymentStatuses::of(id.clone());
    let mut after = 0;
    loop {
        let asked = id.clone();
        let read = move |tx: &mut dyn ServerTransaction| Ok::<_, Failure>(tx.executions(&asked, after, PAGE)?);
        let page = context.store.read(read).await?;
        let Some(last) = page.last() else { return Ok(outcomes) };
        after = last.number;
        page.into_iter().try_for_each(|payment| outcomes.note(&mut known, payment))?;
        tokio::task::yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use lombard_domain::money::{Amount, Currency};

    fn payment(number: u32, status: PaymentStatus, secs: i64) -> PaymentExecution {
        PaymentExecution {
            order: OrderId::new("o".to_owned()),
            number,
            due_on: date(2026, 1, 1),
            paid_on: date(2026, 1, 1),
            amount: Amount::from_minor(1, Currency::GBP),
            status,
            since: Timestamp::from_second(secs).unwrap(),
            detail: None,
            last_update: 0,
        }
    }

    fn outcomes(payments: impl IntoIterator<Item = PaymentExecution>) -> Result<FilePaymentStatuses, Failure> {
        let (mut outcomes, mut known) = FilePaymentStatuses::of(OrderId::new("o".to_owned()));
        payments.into_iter().try_for_each(|payment| outcomes.note(&mut known, payment))?;
        Ok(outcomes)
    }

    #[test]
    fn pis_091_every_payment_is_told_of_as_it_stands() {
        use PaymentStatus::{Credited, Rejected};
        let all: Vec<_> = [Credited, Credited, Rejected, Credited, Credited, Credited]
            .into_iter()
            .zip([1, 1, 1, 1, 2, 2])
            .zip(1..)
            .map(|((status, secs), number)| payment(number, status, secs))
            .collect();
        let held = outcomes(all.clone()).unwrap();
        assert_eq!(held.count(), all.len());
        for start in 0..=all.len() {
            for end in start..=all.len() + 2 {
                let expected: Vec<_> = all[start..end.min(all.len())].iter().map(PaymentExecution::entry).collect();
                assert_eq!(held.entries(start..end).collect::<Vec<_>>(), expected, "{start}..{end}");
                let mut counted = BTreeMap::new();
                expected.iter().for_each(|entry| *counted.entry(entry.status).or_default() += 1);
                assert_eq!(held.tally(start..end), counted, "{start}..{end}: no status that no payment has");
            }
        }
        assert!(matches!(outcomes(all.into_iter().skip(1)), Err(Failure::Broken(_))), "none is left out");
    }

    #[test]
    fn file_022_memory_per_file_does_not_grow_with_payments_of_equal_status() {
        let held = outcomes((1..=50_000).map(|number| payment(number, PaymentStatus::Credited, 1))).unwrap();
        assert_eq!((held.count(), held.runs.len(), size_of::<OutcomeRun>()), (50_000, 1, 16));
    }
}
