//! Transactions without threads of their own: the closure is run until it needs answers that are not there yet, and again from its
//! start once they are.
//!
//! A closure may run more than once and has no effects outside its transaction, so running it again is allowed; and as its
//! statements depend only on what it has read and drawn ([`Draws`]), they are the same again. One for which that does not hold is run on a blocking
//! thread instead. A transaction of one round trip runs its closure twice, or once if nothing is read; what that costs is a
//! fraction of the changes of threads.

use super::errors::unanswered;
use super::exchange::{Answer, Outgoing, Wanted};
use super::group_commit::GroupableWrites;
use super::group_read::GroupReads;
use super::lone::LoneTexts;
use super::round_trip::{OwnedStatement, RoundTrip, SentStatements};
use super::session::{PostgresConnection, begin_text, outgoing, outgoing_query};
use super::snapshot::SnapshotConnection;
use crate::Work;
use crate::driver::{Definition, Query, ReadRow, ReadRowOf, SqlDriver};
use crate::session::{SnapshotScope, SqlTransaction, TransactionAccess, TransactionEnding};
use crate::statement::SqlStatement;
use crate::value::{SqlRow, SqlValue};
use lombard_ports::draws::Draws;
use lombard_ports::store::StoreError;

/// The number of round trips after which the closure of a read gets a blocking thread: to run it again costs more each time.
const READ_ROUND_TRIPS_MAX: usize = 12;
/// The same of a closure that writes: one that writes much has more of them.
const WRITE_ROUND_TRIPS_MAX: usize = 4;
/// The number of statements and rows of a round trip above which a closure gets a blocking thread.
const WRITTEN_MAX: usize = 64;

/// How a read ended.
pub(super) enum ReplayedRead {
    /// It has run, with this outcome.
    Done(Result<(), StoreError>),
    /// It must run on a blocking thread.
    NeedsThread,
}

/// How a closure that writes ended.
pub(super) enum ReplayedWrite {
    /// It has run. What it wrote last waits on the connection for the commit. It was not misled, but may have assumed something.
    Ended { ending: TransactionEnding, has_assumed: bool },
    /// It has assumed something and does not commit, or needs a thread, and must begin anew without assumptions.
    Misled,
    /// It must go on on a blocking thread, on the same connection, and get these answers and draws first.
    NeedsThread(Vec<RoundTrip>, Draws),
    /// It did not do the same again, and must begin anew on a blocking thread.
    Diverged,
}

/// Where the queries of a read are sent.
pub(super) enum ReadConnection<'r> {
    /// Its only query: together with others'.
    Shared(&'r GroupReads),
    /// Those of a transaction: on a connection of its own.
    Own(&'r mut SnapshotConnection),
}

/// Runs a read.
pub(super) async fn read(mut connection: ReadConnection<'_>, work: &mut Work) -> ReplayedRead {
    let access = TransactionAccess::Read(connection.scope());
    let (mut known, mut draws) = (Vec::new(), Draws::default());
    loop {
        let Run { ending, next, .. } = run(access, &mut known, &mut draws, work, Assumptions::Forbidden);
        let sent = match next {
            Next::End(_) => return ReplayedRead::Done(outcome(ending)),
            Next::Send(sent) if known.len() < READ_ROUND_TRIPS_MAX => sent,
            Next::Send(_) | Next::Thread | Next::Diverged => return ReplayedRead::NeedsThread,
        };
        let asked = match &mut connection {
            ReadConnection::Shared(reads) => reads.ask(sent).await,
            ReadConnection::Own(snapshot) => Box::pin(snapshot.ask(begin_text(access), sent)).await,
        };
        match asked {
            Ok(made) => known.push(made),
            Err(error) => return ReplayedRead::Done(Err(error)),
        }
    }
}

/// A closure that writes, which has run up to its first round trip: nothing is sent yet.
pub(super) struct BegunWrite {
    run: Run,
    draws: Draws,
    assumptions: Assumptions,
}

/// Runs a closure that writes up to its first round trip. It may assume what it knows, unless that misleads it before anything is sent.
pub(super) fn begin(work: &mut Work) -> BegunWrite {
    let begun = begin_with(work, Assumptions::Allowed);
    if begun.run.is_misled() { begin_without_assumptions(work) } else { begun }
}

/// As [`begin`], of a closure that was misled by what it assumed.
pub(super) fn begin_without_assumptions(work: &mut Work) -> BegunWrite {
    begin_with(work, Assumptions::Forbidden)
}

fn begin_with(work: &mut Work, assumptions: Assumptions) -> BegunWrite {
    let mut draws = Draws::default();
    let run = run(TransactionAccess::Write, &mut [], &mut draws, work, assumptions);
    BegunWrite { run, draws, assumptions }
}

impl BegunWrite {
    /// What it writes, if that can be committed together with what others write, and nobody is to be woken for it. It is over then.
    pub(super) fn take_groupable(&mut self, texts: &LoneTexts) -> Option<GroupableWrites> {
        match &mut self.run {
            Run { ending: TransactionEnding::Commit { queued }, next: Next::End(statements), owner, .. }
                if queued.is_empty() =>
            {
                GroupableWrites::take(statements, owner, texts)
            }
            _ => None,
        }
    }
}

/// Runs a closure that has begun, up to its end or until it needs a thread. Nothing is committed or rolled back.
pub(super) async fn write(connection: &mut PostgresConnection, work: &mut Work, begun: BegunWrite) -> ReplayedWrite {
    let BegunWrite { run: mut ran, mut draws, assumptions } = begun;
    let mut known = Vec::new();
    loop {
        if ran.is_misled() {
            return ReplayedWrite::Misled;
        }
        let sent = match ran.next {
            Next::End(last) => {
                connection.keep_all(last);
                return ReplayedWrite::Ended { ending: ran.ending, has_assumed: ran.has_assumed };
            }
            Next::Send(sent) if known.len() < WRITE_ROUND_TRIPS_MAX => sent,
            Next::Send(_) | Next::Thread if ran.has_assumed => return ReplayedWrite::Misled,
            Next::Send(_) | Next::Thread => return ReplayedWrite::NeedsThread(known, draws),
            Next::Diverged => return ReplayedWrite::Diverged,
        };
        let statements: Vec<_> = sent.outgoing().collect();
        let answers = connection.exchange(&statements, None).await;
        known.push(sent.answered(answers));
        ran = run(TransactionAccess::Write, &mut known, &mut draws, work, assumptions);
    }
}

/// Whether a closure may go on with what it knows from before the transaction, instead of reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Assumptions {
    Allowed,
    Forbidden,
}

/// How a run of a closure ended.
struct Run {
    ending: TransactionEnding,
    next: Next,
    /// Whether it has assumed something.
    has_assumed: bool,
    /// The owner of what it writes, if it named one.
    owner: Option<String>,
}

impl Run {
    /// Whether it has ended and may have been misled by what it assumed.
    const fn is_misled(&self) -> bool {
        matches!((&self.ending, &self.next), (TransactionEnding::Misled, Next::End(_)))
    }
}

/// Runs a closure once with the answers that are known, and with the times and random values that it drew before.
fn run(
    access: TransactionAccess,
    known: &mut [RoundTrip],
    draws: &mut Draws,
    work: &mut Work,
    assumptions: Assumptions,
) -> Run {
    let (kept, stopped) = (Vec::new(), None);
    let mut replay = Replay { known, next: 0, kept, stopped, written: 0, assumptions, has_assumed: false, owner: None };
    let ending = draws.repeat(|| SqlTransaction::new(&mut replay, access).run(work));
    let Replay { known, next, kept, stopped, has_assumed, owner, .. } = replay;
    // What it asked for before and not now was carried out all the same.
    let ended = if next < known.len() { Next::Diverged } else { Next::End(kept) };
    Run { ending, next: stopped.unwrap_or(ended), has_assumed, owner }
}

fn outcome(ending: TransactionEnding) -> Result<(), StoreError> {
    match ending {
        TransactionEnding::Commit { .. } | TransactionEnding::RollBack => Ok(()),
        TransactionEnding::Again | TransactionEnding::Misled => Err(StoreError::Contended),
        TransactionEnding::Fail(error) => Err(error),
    }
}

impl ReadConnection<'_> {
    const fn scope(&self) -> SnapshotScope {
        match self {
            Self::Shared(_) => SnapshotScope::Query,
            Self::Own(_) => SnapshotScope::Transaction,
        }
    }
}

/// Where a run of a closure ended.
enum Next {
    /// At its own end, with these statements not sent yet.
    End(Vec<OwnedStatement>),
    /// At statements that must be sent.
    Send(SentStatements),
    /// At something for which it needs a thread.
    Thread,
    /// At a statement that differs from the one at the same place before, or at its own end before that place.
    Diverged,
}

/// One run of a closure.
struct Replay<'k> {
    known: &'k mut [RoundTrip],
    /// The number of round trips that it has repeated.
    next: usize,
    /// Statements since then whose answers nobody waits for.
    kept: Vec<OwnedStatement>,
    /// Statements and rows among them.
    written: usize,
    /// Where it ended, if not at its own end.
    stopped: Option<Next>,
    assumptions: Assumptions,
    has_assumed: bool,
    owner: Option<String>,
}

impl Replay<'_> {
    /// Ends the run; its closure gets an error that nobody sees.
    fn stop<T>(&mut self, next: Next) -> Result<T, StoreError> {
        self.stopped.get_or_insert(next);
        Err(StoreError::Unavailable("the answers have not arrived".into()))
    }

    /// The answers to these statements, which are sent behind those that were kept.
    fn ask<'s>(&mut self, asked: impl ExactSizeIterator<Item = Outgoing<'s>>) -> Result<&[Answer], StoreError> {
        let kept = std::mem::take(&mut self.kept);
        self.written = 0;
        if asked.len() > WRITTEN_MAX {
            return self.stop(Next::Thread);
        }
        let place = self.next;
        let Some(known) = self.known.get(place) else {
            return self.stop(Next::Send(SentStatements::new(kept, asked)));
        };
        if !known.is_of(&kept, asked) {
            return self.stop(Next::Diverged);
        }
        self.next = self.next.saturating_add(1);
        self.known.get_mut(place).ok_or_else(unanswered)?.answers()
    }

    /// The answer to one statement.
    fn ask_one(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        wanted: Wanted,
    ) -> Result<Option<&Answer>, StoreError> {
        Ok(self.ask(std::iter::once(Outgoing { statement: *statement, parameters, wanted }))?.first())
    }

    /// Sends a statement later, which writes so many rows.
    fn keep(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>], rows: usize) -> Result<(), StoreError> {
        self.written = self.written.saturating_add(rows);
        if self.written > WRITTEN_MAX {
            return self.stop(Next::Thread);
        }
        self.kept.push(OwnedStatement::new(statement, parameters, Wanted::Count));
        Ok(())
    }
}

impl SqlDriver for Replay<'_> {
    fn take_time(&mut self) -> Result<(), StoreError> {
        self.stop(Next::Thread)
    }

    fn define(&mut self, _: &Definition) -> Result<(), StoreError> {
        self.stop(Next::Thread)
    }

    fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        Ok(self.ask_one(statement, parameters, Wanted::Count)?.map_or(0, Answer::count))
    }

    fn execute_later(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<(), StoreError> {
        self.keep(statement, parameters, 1)
    }

    fn require_one_later(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<bool, StoreError> {
        self.keep(statement, parameters, 1).map(|()| true)
    }

    fn may_assume(&self) -> bool {
        self.assumptions == Assumptions::Allowed
    }

    fn assume(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<(), StoreError> {
        self.has_assumed = true;
        self.keep(statement, parameters, 1)
    }

    fn owned_by(&mut self, owner: &str) {
        self.owner = Some(owner.to_owned());
    }

    fn execute_many(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError> {
        if sets.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.ask(outgoing(statement, sets, Wanted::Count))?.iter().map(Answer::count).collect())
    }

    fn execute_many_later(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        sets.iter().try_for_each(|set| self.keep(statement, set, 1))
    }

    fn insert_set_later(&mut self, statement: &SqlStatement, rows: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        if rows.len() > WRITTEN_MAX {
            return self.stop(Next::Thread);
        }
        self.keep(statement, &SqlValue::columns(rows), rows.len())
    }

    fn update_set_later(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
    ) -> Result<Option<usize>, StoreError> {
        self.insert_set_later(statement, rows).map(|()| None)
    }

    fn query_set(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        if rows.len() > WRITTEN_MAX {
            return self.stop(Next::Thread);
        }
        self.query(statement, &SqlValue::columns(rows), read)
    }

    fn confirm(&mut self) -> Result<(), StoreError> {
        if self.kept.is_empty() { Ok(()) } else { self.ask(std::iter::empty()).map(drop) }
    }

    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        let answer = self.ask_one(statement, parameters, Wanted::Rows)?;
        let rows = answer.into_iter().flat_map(Answer::rows);
        rows.into_iter().try_for_each(|row| read(&mut SqlRow::new(statement.table, row)))
    }

    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError> {
        if sets.is_empty() {
            return Ok(());
        }
        for (place, answer) in self.ask(outgoing(statement, sets, Wanted::Rows))?.iter().enumerate() {
            answer.rows().iter().try_for_each(|row| read(place, &mut SqlRow::new(statement.table, row)))?;
        }
        Ok(())
    }

    fn query_together(&mut self, queries: &[Query<'_>], read: ReadRowOf<'_>) -> Result<(), StoreError> {
        let answers = self.ask(queries.iter().map(outgoing_query))?;
        for (place, (query, answer)) in queries.iter().zip(answers).enumerate() {
            answer.rows().iter().try_for_each(|row| read(place, &mut SqlRow::new(query.statement.table, row)))?;
        }
        Ok(())
    }
}
