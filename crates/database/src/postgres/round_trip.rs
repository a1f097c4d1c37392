//! The statements of a round trip and their answers, kept beyond the run of the closure that asked for them.

use super::errors::unanswered;
use super::exchange::{Answer, Outgoing, Wanted};
use crate::statement::SqlStatement;
use crate::value::SqlValue;
use lombard_ports::store::StoreError;

/// A statement that outlives the closure's run.
#[derive(Debug)]
pub(super) struct OwnedStatement {
    statement: SqlStatement,
    parameters: Vec<SqlValue<'static>>,
    wanted: Wanted,
}

impl OwnedStatement {
    pub(super) fn new(statement: &SqlStatement, parameters: &[SqlValue<'_>], wanted: Wanted) -> Self {
        Self { statement: *statement, parameters: parameters.iter().map(SqlValue::to_static).collect(), wanted }
    }

    pub(super) const fn statement(&self) -> &SqlStatement {
        &self.statement
    }

    pub(super) fn parameters(&self) -> &[SqlValue<'static>] {
        &self.parameters
    }

    pub(super) fn outgoing(&self) -> Outgoing<'_> {
        Outgoing { statement: self.statement, parameters: &self.parameters, wanted: self.wanted }
    }

    fn is_same(&self, other: &Outgoing<'_>) -> bool {
        std::ptr::eq(self.statement.postgres, other.statement.postgres)
            && self.wanted == other.wanted
            && self.parameters.len() == other.parameters.len()
            && self.parameters.iter().zip(other.parameters).all(|(mine, theirs)| mine.is_same(theirs))
    }
}

/// Statements to send: first those whose answers nobody waits for.
#[derive(Debug, Default)]
pub(super) struct SentStatements {
    statements: Vec<OwnedStatement>,
    /// How many of them are not waited for.
    kept: usize,
}

impl SentStatements {
    pub(super) fn new<'s>(kept: Vec<OwnedStatement>, asked: impl Iterator<Item = Outgoing<'s>>) -> Self {
        let (count, mut statements) = (kept.len(), kept);
        statements.extend(asked.map(|it| OwnedStatement::new(&it.statement, it.parameters, it.wanted)));
        Self { statements, kept: count }
    }

    pub(super) fn outgoing(&self) -> impl Iterator<Item = Outgoing<'_>> {
        self.statements.iter().map(OwnedStatement::outgoing)
    }

    /// The statement and its parameters, if it is one of which somebody wants the rows.
    pub(super) fn single(&self) -> Option<(&SqlStatement, &[SqlValue<'static>])> {
        match self.statements.as_slice() {
            [only] if self.kept == 0 && only.wanted == Wanted::Rows => Some((&only.statement, &only.parameters)),
            _ => None,
        }
    }

    /// With the answers to all of them, or the first failure.
    pub(super) fn answered(self, answers: Result<Vec<Answer>, StoreError>) -> RoundTrip {
        let Self { statements, kept } = self;
        let waited_for = |mut all: Vec<Answer>| all.split_off(kept.min(all.len()));
        RoundTrip { statements, kept, answers: answers.map(waited_for).map_err(Some) }
    }
}

/// A round trip that was made.
#[derive(Debug)]
pub(super) struct RoundTrip {
    statements: Vec<OwnedStatement>,
    /// How many of them are not waited for.
    kept: usize,
    /// The answers to those that are waited for; the failure is taken by the run that gets it, which is the last one.
    answers: Result<Vec<Answer>, Option<StoreError>>,
}

impl RoundTrip {
    /// Whether these statements were sent: first those whose answers nobody waits for.
    pub(super) fn is_of<'s>(&self, kept: &[OwnedStatement], mut asked: impl Iterator<Item = Outgoing<'s>>) -> bool {
        let (first, rest) = self.statements.split_at(self.kept.min(self.statements.len()));
        first.len() == kept.len()
            && first.iter().zip(kept).all(|(mine, it)| mine.is_same(&it.outgoing()))
            && rest.iter().all(|mine| asked.next().is_some_and(|it| mine.is_same(&it)))
            && asked.next().is_none()
    }

    /// The answers to the statements that are waited for, or the failure.
    pub(super) fn answers(&mut self) -> Result<&[Answer], StoreError> {
        match &mut self.answers {
            Ok(answers) => Ok(answers),
            Err(failure) => Err(failure.take().unwrap_or_else(unanswered)),
        }
    }

    /// The same, when it is not needed any more.
    pub(super) fn into_answers(self) -> Result<Vec<Answer>, StoreError> {
        self.answers.map_err(|failure| failure.unwrap_or_else(unanswered))
    }
}
