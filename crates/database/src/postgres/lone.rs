//! A transaction that is one statement: it needs neither `BEGIN` nor `COMMIT`, which the server would answer one by one.
//!
//! Inserts into several tables are made one statement. They do not see each other's rows, so only a transaction that has read
//! nothing and does nothing else is written so. Foreign keys are checked at the end of the statement. What a transaction assumes is proved
//! in the same statement, which fails as a whole if an assumption is wrong, in whatever sequence its parts are carried out.

use super::errors::{failure, is_contention, is_of_row, unavailable};
use super::exchange::{ExchangeError, bound};
use super::round_trip::OwnedStatement;
use crate::statement::SqlStatement;
use crate::traffic::TrafficCounters;
use crate::value::SqlValue;
use deadpool_postgres::Client;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// Most inserts of one statement.
const INSERTS_MAX: usize = 4;

/// Most inserts and assumptions of one statement.
const PARTS_MAX: usize = 8;

/// Which statements a transaction consists of, by the addresses of their texts; zero behind the last one.
pub(super) type TransactionShape = [usize; PARTS_MAX];

/// What is known of transactions by their statements. A program has few that are not alike.
#[derive(Debug, Default)]
pub(super) struct LoneTexts {
    /// The texts of statements that several were made, by these and the number of transactions.
    texts: Mutex<HashMap<(TransactionShape, usize), TextAsOne>>,
    groupings: Mutex<HashMap<TransactionShape, Grouping>>,
}

/// With which others a transaction may be committed by one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grouping {
    /// With none.
    Alone,
    /// With those that are alike: each inserts rows and does nothing else.
    Alike,
    /// With those that are alike and of the same owner: what they assume may be wrong, and may have to wait for a lock.
    OfOneOwner,
}

/// The text of several statements as one, if they can be one.
type TextAsOne = Option<Arc<str>>;

/// Statements of a transaction, or of several that are alike, that are sent as one.
pub(super) struct LoneStatement<'s> {
    text: LoneText,
    /// Those of one transaction.
    statements: Vec<&'s SqlStatement>,
    /// In the order of the text.
    parameters: Vec<&'s SqlValue<'static>>,
    /// Whether it is of several transactions.
    is_group: bool,
    /// Whether it proves what the transaction assumes.
    has_assumed: bool,
}

/// The text of a single statement, or of several as one.
enum LoneText {
    Own(&'static str),
    Made(Arc<str>),
}

impl LoneTexts {
    /// The text of the statements of so many transactions as one, unless they cannot be one. More than one need a [`Grouping`].
    pub(super) fn text(&self, statements: &[&SqlStatement], transactions: usize) -> TextAsOne {
        if statements.len() > PARTS_MAX {
            return None;
        }
        let mut texts = self.texts.lock();
        let text = texts.entry((shape_of(statements), transactions));
        let make = || are_independent(statements).then(|| LoneStatement::text(statements, transactions).into());
        text.or_insert_with(make).clone()
    }

    /// With which others a transaction of these statements may be committed.
    pub(super) fn grouping(&self, statements: &[&SqlStatement]) -> Grouping {
        if statements.is_empty() || statements.len() > PARTS_MAX {
            return Grouping::Alone;
        }
        *self.groupings.lock().entry(shape_of(statements)).or_insert_with(|| Grouping::of(statements))
    }
}

impl Grouping {
    fn of(statements: &[&SqlStatement]) -> Self {
        let has_assumed = statements.iter().any(|it| assumed(it).is_some());
        if !are_independent(statements) || !statements.iter().all(|it| assumed(it).is_some() || is_row_alone(it)) {
            Self::Alone
        } else if has_assumed {
            Self::OfOneOwner
        } else {
            Self::Alike
        }
    }
}

impl<'s> LoneStatement<'s> {
    /// All statements of a transaction as one, if they can be: a single one, or inserts and assumptions of different tables.
    pub(super) fn of(parts: &'s [OwnedStatement], texts: &LoneTexts) -> Option<Self> {
        let statements: Vec<_> = parts.iter().map(OwnedStatement::statement).collect();
        let text = match statements.as_slice() {
            [] => return None,
            [only] => LoneText::Own(only.postgres),
            several => LoneText::Made(texts.text(several, 1)?),
        };
        let has_assumed = statements.iter().any(|it| assumed(it).is_some());
        let parameters = parts.iter().flat_map(OwnedStatement::parameters).collect();
        Some(Self { text, statements, parameters, is_group: false, has_assumed })
    }

    /// The statements of transactions that are alike as one, by its text. All parts are those of a transaction, of the same statements.
    pub(super) fn of_group(text: Arc<str>, parts: &[&'s [OwnedStatement]]) -> Self {
        let statements: Vec<_> =
            parts.first().map(|first| first.iter().map(OwnedStatement::statement).collect()).unwrap_or_default();
        let places = 0..statements.len();
        let of_place = |place| parts.iter().filter_map(move |it| it.get(place)).flat_map(OwnedStatement::parameters);
        let parameters = places.flat_map(of_place).collect();
        let has_assumed = statements.iter().any(|it| assumed(it).is_some());
        Self { text: LoneText::Made(text), statements, parameters, is_group: parts.len() > 1, has_assumed }
    }

    /// One insert adds the rows of all transactions; what each of them assumes is proved by a part of its own.
    fn text(statements: &[&SqlStatement], transactions: usize) -> String {
        let mut text = String::with_capacity(4096);
        let (mut taken, mut proofs) = (0_usize, Vec::new());
        let has_proofs = statements.iter().any(|it| assumed(it).is_some());
        for (place, it) in statements.iter().enumerate() {
            if let Some(assumed) = assumed(it) {
                for number in 0..transactions {
                    let head = if text.is_empty() { "WITH " } else { ", " };
                    let _ = write!(text, "{head}part_{place}_{number} AS (");
                    taken = push_renumbered(&mut text, assumed, taken);
                    text.push(')');
                    proofs.push((place, number));
                }
                continue;
            }
            let is_last = !has_proofs && place.saturating_add(1) == statements.len();
            match (text.is_empty(), is_last) {
                (true, true) => {}
                (true, false) => text.push_str("WITH "),
                (false, false) => text.push_str(", "),
                (false, true) => text.push(' '),
            }
            if !is_last {
                let _ = write!(text, "part_{place} AS (");
            }
            taken = push_renumbered(&mut text, it.postgres, taken);
            for _ in 1..transactions {
                text.push_str(", ");
                taken = push_renumbered(&mut text, row_of(it).unwrap_or_default(), taken);
            }
            if !is_last {
                text.push(')');
            }
        }
        for (count, (place, number)) in proofs.into_iter().enumerate() {
            let head = if count == 0 { " SELECT " } else { ", " };
            let _ = write!(text, "{head}ln((SELECT COUNT(*) FROM part_{place}_{number}))");
        }
        text
    }

    /// Sends it and waits for its outcome. `false` if the server refused it because of a row, and did not say of which table or of which
    /// transaction, or in favour of another transaction of the group's rows: the parts must be sent by themselves. Nothing was written.
    pub(super) async fn execute(&self, client: &Client, traffic: &TrafficCounters) -> Result<bool, ExchangeError> {
        let unprepared = |error| ExchangeError::of(error, unavailable);
        let text = match &self.text {
            LoneText::Own(text) => text,
            LoneText::Made(text) => &**text,
        };
        let prepared = client.prepare_cached(text).await.map_err(unprepared)?;
        traffic.count_round_trip(1);
        match client.execute(&prepared, &bound(self.parameters.iter().copied())).await {
            Ok(_) => Ok(true),
            Err(error) if self.is_group && is_of_one(&error) => Ok(false),
            // Without the assumptions it is seen which row is refused, and whether it is.
            Err(error) if self.has_assumed && is_of_row(&error) => {
                Err(ExchangeError { error: StoreError::Contended, is_refusal: true })
            }
            Err(error) => match self.concerned_by(&error) {
                Some(statement) => Err(ExchangeError::of(error, |error| failure(statement, error))),
                None if is_of_row(&error) => Ok(false),
                None => Err(ExchangeError::of(error, unavailable)),
            },
        }
    }

    /// The statement that failed: the only one, or that of the table that the server names.
    fn concerned_by(&self, error: &Error) -> Option<&SqlStatement> {
        let table = error.as_db_error().and_then(|said| said.table());
        match self.statements.as_slice() {
            [only] => Some(only),
            statements => statements.iter().copied().find(|it| Some(it.table) == table),
        }
    }
}

/// Whether a group fails because of one of its transactions, of two that write the same row, or because one had to wait for a lock longer
/// than it may: the others do not fail with it.
fn is_of_one(error: &Error) -> bool {
    let of_one = [SqlState::CARDINALITY_VIOLATION, SqlState::LOCK_NOT_AVAILABLE, SqlState::QUERY_CANCELED];
    is_of_row(error) || error.code().is_some_and(|state| is_contention(state) || of_one.contains(state))
}

/// Which statements these are. No more than a lone statement may have.
pub(super) fn shape_of(statements: &[&SqlStatement]) -> TransactionShape {
    let mut shape = TransactionShape::default();
    for (place, it) in shape.iter_mut().zip(statements) {
        *place = it.postgres.as_ptr().addr();
    }
    shape
}

/// Whether they are inserts and assumptions of different tables, of which none reads what another one changes, and not too many.
fn are_independent(statements: &[&SqlStatement]) -> bool {
    let has_own_table = |place: usize, it: &SqlStatement| {
        let mut earlier = statements.iter().take(place);
        (is_insert(it) || assumed(it).is_some()) && earlier.all(|other| other.table != it.table)
    };
    let reads_no_other = |it: &&SqlStatement| {
        let mut others = statements.iter().map(|other| other.table).filter(|table| *table != it.table);
        others.all(|table| !tables_read(it).any(|read| read == table))
    };
    let most = if statements.iter().any(|it| assumed(it).is_some()) { PARTS_MAX } else { INSERTS_MAX };
    statements.len() <= most
        && statements.iter().enumerate().all(|(place, it)| has_own_table(place, it))
        && statements.iter().all(reads_no_other)
}

/// The statement within one that an assumption is proved by.
fn assumed(statement: &SqlStatement) -> Option<&'static str> {
    statement.postgres.strip_prefix("WITH changed AS (")?.strip_suffix(") SELECT ln(COUNT(*)) FROM changed")
}

/// The tables that the queries within a statement read.
fn tables_read(statement: &SqlStatement) -> impl Iterator<Item = &'static str> {
    let names = statement.postgres.split(" FROM ").skip(1);
    names.filter_map(|rest| rest.split([' ', ')', ',']).next())
}

/// Whether it inserts into the table that it is said to be of.
fn is_insert(statement: &SqlStatement) -> bool {
    let table = statement.postgres.strip_prefix("INSERT INTO ").and_then(|rest| rest.split_once([' ', '(']));
    table.is_some_and(|(table, _)| table == statement.table)
}

/// The values of the row that an insert adds, in brackets, if that is all it does.
fn row_of(statement: &SqlStatement) -> Option<&'static str> {
    let (_, row) = statement.postgres.split_once(" VALUES ")?;
    let mut depth = 0_usize;
    for (place, it) in row.bytes().enumerate() {
        match it {
            b'(' => depth = depth.saturating_add(1),
            b')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (it == b')' && place.saturating_add(1) == row.len()).then_some(row);
        }
    }
    None
}

/// Whether it inserts one row, and reads nothing of the table: rows of several would not see each other.
fn is_row_alone(statement: &SqlStatement) -> bool {
    row_of(statement).is_some() && tables_read(statement).all(|table| table != statement.table)
}

/// Adds the text of a statement whose parameters come behind so many others; returns how many there are then.
fn push_renumbered(text: &mut String, statement: &str, taken: usize) -> usize {
    let mut last = taken;
    push_with_parameters(text, statement, |text, number| {
        let number = number.saturating_add(taken);
        last = last.max(number);
        let _ = write!(text, "${number}");
    });
    last
}

/// Adds the text of a statement with something else in the place of each parameter, by its number.
pub(super) fn push_with_parameters(text: &mut String, statement: &str, mut push: impl FnMut(&mut String, usize)) {
    let mut pieces = statement.split('$');
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (number, rest) = piece.split_at(piece.find(|it: char| !it.is_ascii_digit()).unwrap_or(piece.len()));
        match number.parse::<usize>() {
            Ok(number) => push(text, number),
            Err(_) => text.push('$'),
        }
        text.push_str(rest);
    }
}
