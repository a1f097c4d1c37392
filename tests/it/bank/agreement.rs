//! What the two databases of a server and its core must agree on when all work is done.

use crate::harness::{Bank, until};
use crate::payments::books;
use jiff::SignedDuration;
use lombard_domain::ids::OrderId;

/// Orders of one payment, or of a series of payments.
const GIVEN: &str = "SELECT id FROM orders WHERE product <> 'file-payment'";
/// The payments of files, which are orders of their own at the core.
const GIVEN_IN_FILES: &str = "SELECT order_id || '/' || number FROM order_payments JOIN orders ON orders.id = order_id \
                              WHERE product = 'file-payment'";
/// Orders that the core has taken.
const TAKEN: &str = "SELECT id FROM bank_orders";
/// What must not be left at the server: jobs of orders and of changes of consents, and work that was given up. (Jobs of the expiry of
/// consents are due later.)
const LEFT_AT_SERVER: [&str; 2] =
    ["SELECT count(*) FROM jobs WHERE kind IN ('order', 'consent-change')", "SELECT count(*) FROM quarantined_work"];
/// What must not be left at the core: status updates that were not acknowledged, and work that was given up.
const LEFT_AT_CORE: [&str; 2] = ["SELECT count(*) FROM bank_news", "SELECT count(*) FROM bank_quarantine"];

/// Longer than anything is leased for, or waits before it is tried again.
pub(super) const ALL_IS_DUE_AFTER: SignedDuration = SignedDuration::from_secs(120);

/// Waits until nothing is left to do on either side; then both have the same orders.
pub(super) async fn check(bank: &Bank) {
    bank.clock.advance(ALL_IS_DUE_AFTER);
    for question in LEFT_AT_SERVER {
        until(async || (books::count(bank, question).await == 0).then_some(())).await;
    }
    for question in LEFT_AT_CORE {
        until(async || (books::ledger_count(bank, question).await == 0).then_some(())).await;
    }
    let mut given = books::server_texts(bank, GIVEN).await;
    given.extend(books::server_texts(bank, GIVEN_IN_FILES).await.into_iter().map(|id| {
        let (order, line) = id.split_once('/').unwrap();
        OrderId::from(order).for_line(line.parse().unwrap()).as_str().to_owned()
    }));
    let taken = books::ledger_texts(bank, TAKEN).await;
    let missing: Vec<_> = given.difference(&taken).collect();
    let unknown: Vec<_> = taken.difference(&given).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "at the server alone: {missing:?}; at the core alone: {unknown:?}"
    );
    assert!(!given.is_empty());
    books::add_up(bank).await;
}
