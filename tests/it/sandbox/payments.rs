//! Outcomes of payments in the sandbox, as forced by testers and as seen by the TPP; and the documentation page about them.

use super::{order, refused};
use crate::harness::{Bank, PayingTpp, ValueExt};
use lombard_corebank::market::{AGREED_RATES, MIDDLE, MOVEMENT, SPREAD};
use lombard_corebank::payments::{CreditTime, Rails, TRIGGERS, TimeOfDay};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::transfer::{AfterCutOffPolicy, Instrument};
use lombard_wire::v3_1::payments::names;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::process::Command;

const PAGE: &str = include_str!("../../../docs/operating/payments.md");
const NOW: PaymentProduct = PaymentProduct::DomesticPayment;
/// The payee that keeps an order waiting for an outcome.
const HELD: &str = "Held Payment";

/// An immediate order of a TPP that stays where it is; its id.
async fn held(paying: &PayingTpp) -> String {
    let mut asked = paying.asking(NOW);
    asked["Data"]["Initiation"]["CreditorAccount"]["Name"] = json!(HELD);
    paying.ordered(&paying.agreed_to(NOW, asked).await).await.0
}

/// A TPP whose customer is bashir, who needs chloe.
async fn shared(bank: &Bank) -> PayingTpp {
    bank.create_tpp(&json!({"name": "partners", "roles": ["pisp"], "headless": "bashir"})).await;
    PayingTpp::as_tpp(bank, "partners").await
}

async fn outcome(bank: &Bank, id: &str, body: &Value) -> Value {
    order(bank, &format!("/sandbox/orders/{id}/outcome"), body).await
}

#[tokio::test]
async fn pis_045_046_048_an_order_gets_the_status_the_tester_sets_and_tpps_see() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let id = held(&paying).await;
        for (word, status) in [
            ("settle", "AcceptedSettlementCompleted"),
            ("without-posting", "AcceptedWithoutPosting"),
            ("credit", "AcceptedCreditSettlementCompleted"),
        ] {
            let told = outcome(&bank, &id, &json!({"outcome": word})).await;
            assert_eq!((told.text("order_id"), told.text("status")), (id.as_str(), status));
            assert_eq!(paying.order_now(NOW, &id).await["Data"].text("Status"), status);
        }
        for word in ["settle", "without-posting", "credit", "reject", "cancel"] {
            refused(&bank, &format!("/sandbox/orders/{id}/outcome"), &json!({"outcome": word}), 409).await;
        }
        let id = held(&paying).await;
        let told = outcome(&bank, &id, &json!({"outcome": "reject", "reason": "suspected-fraud"})).await;
        assert_eq!((told.text("status"), told.text("reason")), ("Rejected", "suspected-fraud"));
        assert_eq!(paying.order_now(NOW, &id).await["Data"].text("Status"), "Rejected");
    }
}

#[tokio::test]
async fn sch_008_so_016_an_order_before_its_day_can_only_be_cancelled() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in [PaymentProduct::DomesticScheduledPayment, PaymentProduct::DomesticStandingOrder] {
            let (id, _) = paying.ordered(&paying.agreed(product).await).await;
            let told = outcome(&bank, &id, &json!({"outcome": "cancel"})).await;
            assert_eq!((told.text("status"), told.text("reason")), ("Cancelled", "cancelled-by-customer"));
            assert_eq!(paying.order_now(product, &id).await["Data"].text("Status"), "Cancelled");
            let path = format!("/sandbox/orders/{id}/outcome");
            refused(&bank, &path, &json!({"outcome": "settle"}), 409).await;
        }
    }
}

#[tokio::test]
async fn pis_112_an_order_of_two_waits_for_the_second() {
    for bank in Bank::each_engine().await {
        let paying = shared(&bank).await;
        let (id, made) = paying.ordered(&paying.agreed(NOW).await).await;
        let approvals = &made["Data"]["MultiAuthorisation"];
        assert_eq!(approvals.text("Status"), "AwaitingFurtherAuthorisation");
        assert_eq!((&approvals["NumberRequired"], &approvals["NumberReceived"]), (&json!(2), &json!(1)));
        let early = refused(&bank, &format!("/sandbox/orders/{id}/outcome"), &json!({"outcome": "credit"}), 409).await;
        assert!(early.contains("agree first"), "{early}");
        let path = format!("/sandbox/orders/{id}/authorise");
        for (body, status) in [
            (json!({"psu": "amelia", "decision": "approve"}), 400),
            (json!({"psu": "bashir", "decision": "approve"}), 409),
            (json!({"psu": "bashir", "decision": "reject"}), 409),
        ] {
            refused(&bank, &path, &body, status).await;
        }
        let told = order(&bank, &path, &json!({"psu": "chloe", "decision": "approve"})).await;
        assert_eq!(told["authorisation"]["agreed"], json!(["bashir", "chloe"]));
        let told = outcome(&bank, &id, &json!({"outcome": "credit"})).await;
        assert_eq!(told.text("status"), "AcceptedCreditSettlementCompleted");
        let seen = paying.order_now(NOW, &id).await;
        assert_eq!(seen["Data"]["MultiAuthorisation"].text("Status"), "Authorised");

        let (id, _) = paying.ordered(&paying.agreed(NOW).await).await;
        let path = format!("/sandbox/orders/{id}/authorise");
        let told = order(&bank, &path, &json!({"psu": "chloe", "decision": "reject"})).await;
        assert_eq!((told.text("status"), told.text("reason")), ("Rejected", "refused-by-authoriser"));
        assert_eq!(paying.order_now(NOW, &id).await["Data"].text("Status"), "Rejected");
    }
}

#[tokio::test]
async fn a_plan_for_a_consent_is_what_becomes_of_its_order() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(NOW).await;
        let plan = json!({"outcome": "suspected-fraud", "wait_secs": 3600});
        let told = order(&bank, &format!("/sandbox/consents/{}/plan", agreed.consent), &plan).await;
        assert_eq!((told.text("outcome"), &told["wait_secs"]), ("suspected-fraud", &json!(3600)));
        let (id, _) = paying.ordered(&agreed).await;
        for (secs, status) in [(0, "Pending"), (3_540, "Pending"), (120, "Rejected")] {
            order(&bank, "/sandbox/clock", &json!({ "advance_secs": secs })).await;
            assert_eq!(paying.order_now(NOW, &id).await["Data"].text("Status"), status);
        }
        refused(&bank, "/sandbox/consents/none/plan", &plan, 404).await;
    }
}

#[tokio::test]
async fn an_order_that_is_not_there_is_not_found() {
    let bank = Bank::start().await;
    assert_eq!(bank.ops_get("/sandbox/orders/none").await.status.as_u16(), 404);
    refused(&bank, "/sandbox/orders/none/outcome", &json!({"outcome": "settle"}), 404).await;
    refused(&bank, "/sandbox/orders/none/authorise", &json!({"psu": "chloe", "decision": "approve"}), 404).await;
}

#[tokio::test]
async fn the_commands_of_the_page_work_in_their_order() {
    let bank = Bank::start().await;
    let held = held(&PayingTpp::robot(&bank).await).await;
    let partners = shared(&bank).await;
    let (shared, _) = partners.ordered(&partners.agreed(NOW).await).await;
    let blocks: Vec<_> = PAGE.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let script = blocks.concat().replace("http://127.0.0.1:9090", &bank.endpoints().ops);
    let mut shell = Command::new("sh");
    let planned = PayingTpp::robot(&bank).await.agreed(NOW).await.consent;
    shell
        .env("ORDER", &held)
        .env("SHARED", &shared)
        .env("PLANNED", &planned)
        .args(["-euc", &script])
        .stdin(Stdio::null());
    let run = shell.output().await.unwrap();
    let out = String::from_utf8_lossy(&run.stdout);
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{script}\n{out}\n{err}");
    let answers: Vec<Value> = serde_json::Deserializer::from_str(&out).into_iter().map(Result::unwrap).collect();
    assert_eq!((answers[0].text("consent_id"), answers[0].text("outcome")), (planned.as_str(), "credited-late"));
    let statuses: Vec<_> = answers[1..].iter().map(|answer| answer.text("status")).collect();
    let unposted = "AcceptedWithoutPosting";
    let credited = "AcceptedCreditSettlementCompleted";
    assert_eq!(statuses, ["Pending", unposted, credited, "Pending"]);
    assert_eq!(answers[4]["authorisation"].text("status"), "Authorised");
}

#[test]
fn the_triggers_of_the_page_are_those_of_the_bank() {
    for row in &TRIGGERS {
        let line = format!("| {}.{:02} | {} | {} |", row.ending / 100, row.ending % 100, row.payee, row.about);
        assert!(PAGE.lines().any(|it| it == line), "missing: {line}");
    }
    let on_page = PAGE.lines().filter(|line| line.starts_with("| 13.")).count();
    assert_eq!(on_page, TRIGGERS.len());
    assert!(TRIGGERS.iter().any(|row| row.payee == HELD));
}

#[test]
fn pis_100_pis_105_pis_108_the_rails_of_the_page_are_those_of_the_bank() {
    let offered = [
        Instrument::FasterPayments,
        Instrument::Chaps,
        Instrument::Bacs,
        Instrument::BalanceTransfer,
        Instrument::MoneyTransfer,
        Instrument::Swift,
        Instrument::SepaCreditTransfer,
        Instrument::SepaInstantCreditTransfer,
        Instrument::Target2,
        Instrument::Euro1,
    ];
    for instrument in offered {
        let line = rail(instrument);
        assert!(PAGE.lines().any(|it| it == line), "missing: {line}");
    }
    let on_page = PAGE.lines().filter(|line| line.starts_with("| `UK.OBIE.")).count();
    assert_eq!(on_page, offered.len());
}

#[test]
fn int_013_int_015_the_rates_and_deals_of_the_page_are_those_of_the_bank() {
    let rates = MIDDLE.map(|(currency, rate)| format!("| `{currency}` | {rate} |"));
    let deals = AGREED_RATES
        .map(|(contract, unit, transfer, rate)| format!("| `{contract}` | `{unit}` | `{transfer}` | {rate} |"));
    for line in rates.iter().chain(&deals) {
        assert!(PAGE.lines().any(|it| it == line), "missing: {line}");
    }
    assert_eq!(PAGE.lines().filter(|line| line.starts_with("| `LSB-FX-")).count(), AGREED_RATES.len());
    for (said, ten_thousandths) in [("worth up to", MOVEMENT), ("the bank keeps", SPREAD)] {
        let share = format!("{said} {}.{:02} %", ten_thousandths / 100, ten_thousandths % 100);
        assert!(PAGE.replace('\n', " ").contains(&share), "missing: {share}");
    }
}

/// The row of a rail.
fn rail(instrument: Instrument) -> String {
    let rail = Rails::default().for_instrument(instrument);
    let time = |at: TimeOfDay| format!("{:02}:{:02}", at.hour, at.minute);
    let opens = match time(rail.timing.opens).as_str() {
        "00:00" => String::new(),
        opens => format!(" from {opens}"),
    };
    let days = if rail.timing.every_day { "every day" } else { "working days" };
    let last = rail.cut_off.map_or("none".to_owned(), |it| match it.late_policy {
        AfterCutOffPolicy::Refused => format!("{}, later is refused", time(it.at)),
        AfterCutOffPolicy::Accepted => format!("{}, later goes a working day on", time(it.at)),
    });
    let arrives = match rail.timing.arrives {
        CreditTime::After(millis) => format!("after {} s more", millis / 1_000),
        CreditTime::WorkingDays(1, at) => format!("at {}, 1 working day on", time(at)),
        CreditTime::WorkingDays(days, at) => format!("at {}, {days} working days on", time(at)),
    };
    let charge = rail.charge.map_or("none".to_owned(), |it| {
        let kind = names::charge_type(it.kind);
        let bearer = names::charge_bearer(it.bearer);
        format!("{} {}, `{kind}`, `{bearer}`", it.amount.currency(), it.amount.decimal())
    });
    let debited = format!("after {} s", rail.timing.debits_after_millis / 1_000);
    format!("| `{}` | {days}{opens} | {last} | {debited} | {arrives} | {charge} |", names::instrument(instrument))
}
