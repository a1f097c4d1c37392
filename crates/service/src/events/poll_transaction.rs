//! The transaction of a poll: acknowledgements and error reports are stored, and the queue is queried. Source: EVT-035
//! to EVT-057.

use super::deliveries::Deliveries;
use super::meters;
use jiff::Timestamp;
use lombard_domain::event::{EventErrorReport, EventPoll};
use lombard_domain::ids::{ClientId, EventId};
use lombard_domain::scope::Scopes;
use lombard_ports::store::{EventQueue, OfferedEvent, ReportedEvent, ReusableSignatures, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The input of a poll's transaction.
#[derive(Debug, Clone)]
pub(super) struct PollInput {
    pub(super) query: QueueQuery,
    pub(super) poll: Arc<EventPoll>,
    pub(super) deliveries: Arc<Deliveries>,
}

impl PollInput {
    /// Applies acknowledgements first, then error reports, then queries the events of the response. Source: EVT-036.
    pub(super) fn apply<Q: EventQueue + ?Sized>(
        &self,
        queue: &mut Q,
        now: Timestamp,
        reports_max: Option<u32>,
        deliveries_max: Option<u32>,
    ) -> Result<(PollEffects, QueueSnapshot), StoreError> {
        let (client, poll) = (&self.query.client, &*self.poll);
        if !self.deliveries.is_empty() {
            let deliveries: Vec<_> = self.deliveries.values().cloned().collect();
            queue.events_record_deliveries(&deliveries, deliveries_max, now)?;
        }
        let released = queue.events_acknowledge(client, &poll.acknowledged, now)?;
        let reports: Vec<EventErrorReport> = poll.reported.iter().map(storable).collect();
        let reported = queue.events_report(client, &reports, reports_max, now)?;
        let found = self.query.run(queue, poll)?;
        Ok((PollEffects { released: released.len(), reported }, found))
    }
}

/// A query of one client's queue.
#[derive(Debug, Clone)]
pub(super) struct QueueQuery {
    pub(super) client: ClientId,
    pub(super) scopes: Option<Scopes>,
    pub(super) reusable: ReusableSignatures,
    pub(super) events_max: u32,
}

impl QueueQuery {
    /// The events of the response. One event more than requested is read to learn whether further events wait. As many again are
    /// read as this poll reports, because reported events stay queued but are not part of the response (EVT-042, EVT-052).
    pub(super) fn run<Q: EventQueue + ?Sized>(
        &self,
        queue: &mut Q,
        poll: &EventPoll,
    ) -> Result<QueueSnapshot, StoreError> {
        let wanted = poll.limit(self.events_max);
        let reported: HashSet<&EventId> = poll.reported.iter().map(|report| &report.id).collect();
        let left_out = u32::try_from(reported.len()).unwrap_or(u32::MAX);
        let read = wanted.saturating_add(1).saturating_add(left_out);
        let mut offers = queue.events_waiting(&self.client, self.scopes, &self.reusable, read)?;
        let waiting = offers.len();
        offers.retain(|offer| !reported.contains(&offer.id));
        offers.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
        Ok(QueueSnapshot { more: offers.len() < waiting, offers })
    }
}

/// The result of one query of a queue.
#[derive(Debug)]
pub(super) struct QueueSnapshot {
    pub(super) offers: Vec<OfferedEvent>,
    /// Whether further events wait. Source: EVT-052.
    pub(super) more: bool,
}

/// The results of acknowledgements and reports, for metrics and the log, never for the client.
#[derive(Debug)]
pub(super) struct PollEffects {
    released: usize,
    reported: Vec<ReportedEvent>,
}

/// A summary of the reports of one poll that are of the same kind.
#[derive(Debug, PartialEq, Eq)]
struct ReportSummary {
    reports: usize,
    parked: usize,
    /// The first of the reports, with control characters removed.
    first: EventErrorReport,
}

impl PollEffects {
    /// Counts and logs the results.
    pub(super) fn record(&self, client: &ClientId, poll: &EventPoll) {
        meters::acknowledged(self.released);
        meters::reported(self.reported.len());
        meters::parked(self.reported.iter().filter(|it| it.parked).count());
        let client_id = client.as_str();
        if let Some(ReportSummary { reports, parked, first: EventErrorReport { id, err, description } }) =
            self.summary(poll, true)
        {
            meters::signature_doubted(reports);
            tracing::error!(
                client.id = client_id,
                reports,
                event.id = id.as_str(),
                err,
                description,
                parked,
                "a client cannot check our signature: are our keys published?"
            );
        }
        if let Some(ReportSummary { reports, parked, first: EventErrorReport { id, err, description } }) =
            self.summary(poll, false)
        {
            tracing::warn!(
                client.id = client_id,
                reports,
                event.id = id.as_str(),
                err,
                description,
                parked,
                "a client cannot read an event"
            );
        }
    }

    /// The summary of the reports that concern signatures, or of the other reports. Each poll logs at most one line of each, so
    /// that a client cannot flood the log.
    fn summary(&self, poll: &EventPoll, of_signatures: bool) -> Option<ReportSummary> {
        let noted: HashMap<&EventId, bool> = self.reported.iter().map(|it| (&it.id, it.parked)).collect();
        let reported = poll.reported.iter().filter(|report| noted.contains_key(&report.id));
        let mut those = reported.chain(&poll.superseded_reports).filter(|it| it.is_signature_error() == of_signatures);
        let first = those.next()?;
        let is_parked = |report: &&EventErrorReport| noted.get(&report.id).copied().unwrap_or(false);
        let (mut reports, mut parked) = (1, usize::from(is_parked(&first)));
        for report in those {
            reports += 1;
            parked += usize::from(is_parked(&report));
        }
        Some(ReportSummary { reports, parked, first: storable(first) })
    }
}

/// A report without control characters, as it is stored, logged and shown to operators. Source: EVT-044.
fn storable(report: &EventErrorReport) -> EventErrorReport {
    EventErrorReport { id: report.id.clone(), err: escaped(&report.err), description: escaped(&report.description) }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() { safe.extend(letter.escape_default()) } else { safe.push(letter) }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evt_044_the_reports_of_a_poll_are_one_line_of_the_log_for_each_kind() {
        let report =
            |id: &str, err: &str| EventErrorReport { id: id.into(), err: err.into(), description: "a\u{7}".into() };
        let reported = vec![report("a", "jws"), report("b", "jwtIss"), report("gone", "jws"), report("c", "jwtIss")];
        let poll = EventPoll {
            superseded_reports: vec![report("d", "jws")],
            ..EventPoll::new(None, false, Vec::new(), reported)
        };
        let parked = |id: &str, parked| ReportedEvent { id: id.into(), parked };
        let noted =
            PollEffects { released: 1, reported: vec![parked("a", true), parked("b", false), parked("c", true)] };
        let summary = |id: &str, err: &str| {
            let first = EventErrorReport { description: "a\\u{7}".into(), ..report(id, err) };
            Some(ReportSummary { reports: 2, parked: 1, first })
        };
        assert_eq!(noted.summary(&poll, true), summary("a", "jws"));
        assert_eq!(noted.summary(&poll, false), summary("b", "jwtIss"));
        assert_eq!(PollEffects { released: 0, reported: Vec::new() }.summary(&now(), true), None);
    }

    fn now() -> EventPoll {
        EventPoll::new(None, false, Vec::new(), Vec::new())
    }
}
