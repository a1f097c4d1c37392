//! Many concurrent payments through several nodes: a limit is used exactly, to the penny. Source: VRP-040.

use super::{end_of, stored, wait};
use crate::harness::paying::orders;
use crate::harness::vrp::{VRP, limit};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt, until};
use futures_util::future::join_all;
use std::collections::BTreeSet;

/// How many come at once, and how many of them fit.
const TIMES: usize = 200;
const FIT: usize = 37;

#[tokio::test(flavor = "multi_thread")]
async fn vrp_040_of_200_payments_at_once_the_37_that_fit_are_accepted() {
    for engine in Engine::at_hand() {
        let nodes = Bank::start_nodes(engine).await;
        let first = PayingTpp::robot(&nodes[0]).await;
        let tpps: Vec<_> = nodes.iter().map(|bank| PayingTpp { tpp: bank.tpp("robot"), ..first.clone() }).collect();
        // Of 1.25 each: 46.25 and a penny less than one more; and a wider limit beside it.
        let limits = [limit("Month", "Consent", "47.49"), limit("Week", "Consent", "1000.00")];
        let agreed = first.agreed_within(&limits).await;
        let [before, ..] = stored(&nodes[0]).await;
        let pay = |tpp: &PayingTpp| {
            let tpp = tpp.clone();
            let agreed = agreed.clone();
            async move {
                // Who is asked to come again comes again.
                let key = tpp.tpp.new_idempotency_key();
                let body = agreed.payment("1.25");
                until(async || {
                    let answer = tpp.post_as(&agreed.token, orders(VRP), &key, &body).await;
                    (!answer.is_busy()).then_some(answer)
                })
                .await
            }
        };
        let answers = join_all(tpps.iter().cycle().take(TIMES).map(pay)).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        for answer in refused {
            let path = "Data.ControlParameters.PeriodicLimits[0].Amount";
            answer.refused_with(400, "UK.OBIE.Rules.FailsControlParameters", path);
        }
        let ids: BTreeSet<_> = made.iter().map(|it| it.ok(201)["Data"].text("DomesticVRPId").to_owned()).collect();
        assert_eq!((made.len(), ids.len()), (FIT, FIT), "{engine:?}");
        let [after, _, counters, sum] = stored(&nodes[0]).await;
        let fit = i64::try_from(FIT).unwrap();
        assert_eq!((after - before, counters, sum), (fit, 2, 2 * 125 * fit), "{engine:?}");
        first.pay(&agreed, "1.24").await.ok(201);
        first.pay(&agreed, "0.01").await.refused(400);
        wait(&nodes[0], 5).await;
        for id in ids {
            assert_eq!(end_of(&nodes[0], &first, &id).await, "AcceptedCreditSettlementCompleted");
        }
        crate::payments::books::add_up(&nodes[0]).await;
    }
}
