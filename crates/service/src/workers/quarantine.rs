//! Work that fails permanently is quarantined, so that other work continues. Operators see the work with its cause and can have
//! it retried. The server keeps a quarantine, and the bank's core may keep another for its own work.

use crate::Failure;
use lombard_ports::clock::Clocks;
use lombard_ports::store::{
    FailedWork, Quarantine, QuarantineStore, QuarantinedWork, Store, StoreError, Tables, WorkKind,
};
use std::sync::Arc;

/// The largest amount of work that is shown at once.
const SHOWN_MAX: u32 = 1_000;

/// The prefix of the numbers of work in the quarantine of the bank's core.
const BANK: &str = "bank-";

/// Whether a failure is caused by the work itself, so that a retry would have the same result. Unavailability of storage or of
/// the bank is not permanent.
pub(crate) const fn is_permanent(failure: &Failure) -> bool {
    match failure {
        Failure::Refused(_) | Failure::Broken(_) => true,
        Failure::Unavailable(_) => false,
    }
}

/// Quarantines work, and logs each piece once for the operator. Returns the number of pieces that were not quarantined before.
///
/// # Errors
/// [`StoreError`]; nothing was quarantined then.
pub async fn quarantine_work<T: Tables>(
    store: &Store<T>,
    clocks: &Clocks,
    work: Vec<FailedWork>,
) -> Result<usize, StoreError>
where
    for<'t> T::Transaction<'t>: QuarantineStore,
{
    if work.is_empty() {
        return Ok(0);
    }
    let now = clocks.wall_now();
    let added = store.write(move |tx| tx.quarantine_add(&work, now)).await?;
    for FailedWork { kind, subject, cause } in &added {
        tracing::error!(
            work.kind = kind.name(),
            work.subject = subject,
            cause,
            "work cannot be done and is in quarantine"
        );
        metrics::counter!("lombard_work_quarantined_total", "kind" => kind.name()).increment(1);
    }
    Ok(added.len())
}

/// The contents of the quarantines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuarantineContents {
    /// The work, with the id by which operators name it, oldest first; at most a thousand pieces.
    pub work: Vec<(String, QuarantinedWork)>,
    /// The amount of work of each kind.
    pub counts: Vec<(WorkKind, u64)>,
}

/// The quarantines of the server and of the bank's core, combined for operators.
#[derive(Debug, Clone)]
pub struct Quarantines {
    server: Arc<dyn Quarantine>,
    bank: Option<Arc<dyn Quarantine>>,
}

impl Quarantines {
    /// Combines the server's quarantine with the core's, if the core keeps one.
    pub fn new(server: Store, bank: Option<Arc<dyn Quarantine>>) -> Self {
        Self { server: Arc::new(server), bank }
    }

    /// The contents of both quarantines.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn contents(&self) -> Result<QuarantineContents, StoreError> {
        let (mut shown, mut counts) = (Vec::new(), Vec::new());
        for (prefix, quarantine) in self.all() {
            let (work, of_kinds) = quarantine.contents(SHOWN_MAX).await?;
            shown.extend(work.into_iter().map(|it| (format!("{prefix}{}", it.number), it)));
            counts.extend(of_kinds);
        }
        // Each quarantine returns its oldest work; sorting is stable, so work that was quarantined at the same time keeps its
        // order.
        shown.sort_by_key(|(_, work)| work.since);
        shown.truncate(SHOWN_MAX as usize);
        Ok(QuarantineContents { work: shown, counts })
    }

    /// Releases work from quarantine, so that it is retried: the work with this id, or all work. Returns the amount released.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn release(&self, id: Option<&str>) -> Result<u64, StoreError> {
        let mut released = 0_u64;
        for (prefix, quarantine) in self.all() {
            let number = match id {
                None => None,
                Some(id) => match id.strip_prefix(prefix).and_then(|number| number.parse().ok()) {
                    Some(number) => Some(number),
                    None => continue,
                },
            };
            released = released.saturating_add(quarantine.release(number).await?);
        }
        tracing::info!(work.id = id, released, "work in quarantine is to be tried again");
        Ok(released)
    }

    /// Sets the gauges of quarantined work. The caller runs this periodically.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn measure(&self) -> Result<(), StoreError> {
        let mut count = 0_u64;
        for (_, quarantine) in self.all() {
            count = quarantine.counts().await?.iter().fold(count, |sum, (_, count)| sum.saturating_add(*count));
        }
        metrics::gauge!("lombard_work_quarantined").set(u32::try_from(count).unwrap_or(u32::MAX));
        Ok(())
    }

    fn all(&self) -> impl Iterator<Item = (&'static str, &Arc<dyn Quarantine>)> {
        std::iter::once(("", &self.server)).chain(self.bank.iter().map(|bank| (BANK, bank)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use jiff::Timestamp;

    /// A quarantine that holds work of one kind, quarantined at these seconds.
    #[derive(Debug)]
    struct PutInAt(WorkKind, Vec<i64>);

    #[async_trait]
    impl Quarantine for PutInAt {
        async fn contents(&self, limit: u32) -> Result<(Vec<QuarantinedWork>, Vec<(WorkKind, u64)>), StoreError> {
            let work = (1_i64..).zip(&self.1).take(limit as usize).map(|(number, secs)| QuarantinedWork {
                number,
                work: FailedWork { kind: self.0, subject: secs.to_string(), cause: "it is odd".to_owned() },
                since: Timestamp::from_second(*secs).unwrap(),
            });
            Ok((work.collect(), self.counts().await?))
        }

        async fn counts(&self) -> Result<Vec<(WorkKind, u64)>, StoreError> {
            Ok(vec![(self.0, self.1.len() as u64)])
        }

        async fn release(&self, _: Option<i64>) -> Result<u64, StoreError> {
            Ok(0)
        }
    }

    async fn shown(server: Vec<i64>, bank: Vec<i64>) -> Vec<String> {
        let counts = vec![(WorkKind::Job, server.len() as u64), (WorkKind::BankOrder, bank.len() as u64)];
        let quarantines = Quarantines {
            server: Arc::new(PutInAt(WorkKind::Job, server)),
            bank: Some(Arc::new(PutInAt(WorkKind::BankOrder, bank))),
        };
        let contents = quarantines.contents().await.unwrap();
        assert_eq!(contents.counts, counts);
        contents.work.into_iter().map(|(id, _)| id).collect()
    }

    #[tokio::test]
    async fn work_of_both_quarantines_is_shown_the_oldest_first() {
        assert_eq!(shown(vec![10, 30], vec![20, 30, 40]).await, ["1", "bank-1", "2", "bank-2", "bank-3"]);
        assert_eq!(shown(vec![50], vec![]).await, ["1"]);
    }

    #[tokio::test]
    async fn only_the_oldest_thousand_of_both_together_are_shown() {
        let shown = shown((0..1_500).map(|at| at * 2).collect(), (0..1_500).map(|at| at * 2 + 1).collect()).await;
        assert_eq!(shown.len(), 1_000);
        assert_eq!((shown[0].as_str(), shown[1].as_str()), ("1", "bank-1"));
        assert_eq!((shown[998].as_str(), shown[999].as_str()), ("500", "bank-500"));
    }
}
