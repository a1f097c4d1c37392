//! News of the built-in bank's orders, kept until they are heard.
//!
//! There is no cursor over them: whatever was committed late is found the next time, and what was heard is gone. Within
//! an order they are read in their numbers' order wherever the reader stops, even if the bank's clock was set back
//! between two of them: their turns never fall. Whoever appends holds the order's lock, so what is visible of an order
//! has no gaps. A piece that cannot be read keeps back those behind it of its order, and of no other.

use super::readable::readable;
use super::records::NewsRecord;
use super::session::{Session, Sql};
use super::statement::{both, statements};
use super::value::Row;
use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_ports::bank::News;
use lombard_ports::store::StoreError;
use std::collections::BTreeMap;

statements! { "bank_news" =>
    APPEND = both(
        "INSERT INTO bank_news (order_id, number, happened_at, what, turn) VALUES ($1, $2, $3, $4, \
         (SELECT MAX(turn) FROM (SELECT turn FROM bank_news WHERE order_id = $1 \
         UNION ALL SELECT CAST($3 AS BIGINT)) AS turns))");
    OLDEST = both(
        "SELECT order_id, number, happened_at, what FROM bank_news ORDER BY turn, order_id, number LIMIT $1");
    DROP = both("DELETE FROM bank_news WHERE order_id = $1 AND number <= $2");
}

pub(super) fn append<S: Sql>(session: &mut Session<S>, news: &[News]) -> Result<(), StoreError> {
    let mut news: Vec<_> = news.iter().collect();
    news.sort_by(|a, b| (&a.order, a.number).cmp(&(&b.order, b.number)));
    let row = |one: &'_ News| {
        let number = i64::from(one.number);
        vec![one.order.to_string().into(), number.into(), one.at.into(), NewsRecord::write(&one.what).into()]
    };
    let rows: Vec<_> = news.into_iter().map(row).collect();
    session.execute_many(&APPEND, &rows).map(drop)
}

pub(super) fn oldest<S: Sql>(session: &mut Session<S>, limit: u32) -> Result<Vec<News>, StoreError> {
    let find = |limit: i64| session.all(&OLDEST, &[limit.into()], Found::read);
    // The first of each order that cannot be read: the same ones, however often they are looked at.
    let mut unreadable = BTreeMap::<OrderId, u32>::new();
    readable(limit, find, |found| {
        if unreadable.get(&found.order).is_some_and(|first| *first < found.number) {
            return Ok(None);
        }
        let (order, number) = (found.order.clone(), found.number);
        let news = found.decode();
        if news.is_err() {
            unreadable.insert(order, number);
        }
        news.map(Some)
    })
}

/// A piece of news as it is stored.
struct Found {
    order: OrderId,
    number: u32,
    at: Timestamp,
    what: String,
}

impl Found {
    fn read(row: &mut Row<'_>) -> Result<Self, StoreError> {
        Ok(Self { order: row.id()?, number: row.number()?, at: row.instant()?, what: row.id()? })
    }

    fn decode(self) -> Result<News, StoreError> {
        let Self { order, number, at, what } = self;
        let corrupt = |source| StoreError::Corrupt { table: "bank_news", id: format!("{order}/{number}"), source };
        let what = NewsRecord::read(&what).map_err(corrupt)?;
        Ok(News { order, number, at, what })
    }
}

pub(super) fn drop_heard<S: Sql>(session: &mut Session<S>, heard: &[(OrderId, u32)]) -> Result<(), StoreError> {
    let rows: Vec<_> = heard.iter().map(|(order, number)| vec![order.into(), i64::from(*number).into()]).collect();
    session.execute_many(&DROP, &rows).map(drop)
}
