//! The drill: payments before a backup and after it, a restore of the server's database, reconciliation, and a TPP that repeats its
//! requests. The core, which has a database of its own, keeps everything.

use super::{reconciliation, run_lombard};
use crate::harness::paying::{AgreedConsent, orders};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt, until};
use crate::payments::books::{add_up, ledger_count};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use std::process::ExitCode;

const SINGLE: PaymentProduct = PaymentProduct::DomesticPayment;
/// The products whose orders are placed after the backup.
const AFTERWARDS: [PaymentProduct; 3] = [SINGLE, PaymentProduct::DomesticVrp, PaymentProduct::FilePayment];

/// The movements of money at the core that carry out orders. Its routines, such as salaries, move money as its time passes.
const MOVEMENTS: &str = "SELECT count(*) FROM journals WHERE cause LIKE 'order/%'";
/// The movements of the five payments of the drill: each is reserved, and settled.
const MOVEMENTS_OF_ALL: i64 = 10;

/// The statuses of orders that have ended well.
const ENDS: [&str; 2] = ["AcceptedCreditSettlementCompleted", "InitiationCompleted"];

/// An order, and the request for it.
struct Placed {
    agreed: AgreedConsent,
    key: String,
    id: String,
}

impl Placed {
    /// Places the order of a consent under a key.
    async fn place(robot: &PayingTpp, agreed: AgreedConsent, key: &str) -> Self {
        // While the core is not back yet, a TPP is told to try again.
        let placed = async || {
            let answer = robot.post_as(&agreed.token, orders(agreed.product), key, &agreed.order()).await;
            (answer.status != 503).then(|| answer.ok(201))
        };
        let answer = until(placed).await;
        let id = answer["Data"].text(agreed.product.id_member()).to_owned();
        Self { agreed, key: key.to_owned(), id }
    }

    /// Sends the same request again; the answer is the same order.
    async fn repeat(&self, robot: &PayingTpp) {
        let again = Self::place(robot, self.agreed.clone(), &self.key).await;
        assert_eq!(again.id, self.id, "PIS-061: {:?}", self.agreed.product);
    }

    async fn has_ended(&self, robot: &PayingTpp) -> bool {
        let order = robot.order_now(self.agreed.product, &self.id).await;
        ENDS.contains(&order["Data"].text("Status"))
    }

    /// Lets the time pass until the order has ended well.
    async fn end(&self, bank: &Bank, robot: &PayingTpp) {
        let ended = async || {
            if self.has_ended(robot).await {
                return Some(());
            }
            bank.clock.advance(SignedDuration::from_secs(1));
            None
        };
        until(ended).await;
    }
}

/// Runs the drill on a bank that is not started, whose core has a process of its own. `back_up` runs while the server does, and
/// `restore` while it does not.
pub(super) async fn survive(
    mut bank: Bank,
    settings: &[(&str, &str)],
    back_up: impl AsyncFnOnce(&Bank),
    restore: impl AsyncFnOnce(&Bank),
) {
    let [dry_run, real_run] = reconciliation();
    bank.run_core().await;
    bank.restart_server_with(settings).await;
    let robot = PayingTpp::robot(&bank).await;
    let done = Placed::place(&robot, robot.agreed(SINGLE).await, "before the backup").await;
    done.end(&bank, &robot).await;
    let mut agreed = Vec::new();
    for product in AFTERWARDS {
        agreed.push(robot.agreed(product).await);
    }
    // At the backup, an order is on its way: the core does not have it yet.
    let on_its_way = robot.agreed(SINGLE).await;
    bank.kill_core().await;
    let on_its_way = Placed::place(&robot, on_its_way, "at the backup").await;
    back_up(&bank).await;
    bank.run_core().await;
    let mut afterwards = Vec::new();
    for (number, agreed) in agreed.into_iter().enumerate() {
        afterwards.push(Placed::place(&robot, agreed, &format!("after the backup {number}")).await);
    }
    on_its_way.end(&bank, &robot).await;
    for order in &afterwards {
        order.end(&bank, &robot).await;
    }
    assert_eq!(run_lombard(&bank, &real_run).await, ExitCode::SUCCESS, "the two sides agree");
    let moved = async || {
        if ledger_count(&bank, MOVEMENTS).await == MOVEMENTS_OF_ALL {
            return Some(());
        }
        bank.clock.advance(SignedDuration::from_secs(1));
        None
    };
    until(moved).await;
    bank.stop().await;
    restore(&bank).await;

    bank.restart_server_with(settings).await;
    let robot = PayingTpp::robot(&bank).await;
    assert!(done.has_ended(&robot).await);
    for order in &afterwards {
        let path = format!("{}/{}", orders(order.agreed.product), order.id);
        assert_eq!(robot.get(&robot.own, &path).await.status, 400, "the order is forgotten");
    }
    assert!(!on_its_way.has_ended(&robot).await);
    for command in [&dry_run, &real_run] {
        assert_eq!(run_lombard(&bank, command).await, ExitCode::from(2), "orders that the core alone knows are listed");
    }
    assert!(on_its_way.has_ended(&robot).await, "the order moves again");
    for order in &afterwards {
        order.repeat(&robot).await;
        order.repeat(&robot).await;
    }
    let reconciled = async || {
        let status = run_lombard(&bank, &real_run).await;
        for order in &afterwards {
            if !order.has_ended(&robot).await {
                return None;
            }
        }
        (status == ExitCode::SUCCESS).then_some(())
    };
    until(reconciled).await;
    assert_eq!(ledger_count(&bank, MOVEMENTS).await, MOVEMENTS_OF_ALL, "the money has moved once");
    add_up(&bank).await;
    bank.stop().await;
}
