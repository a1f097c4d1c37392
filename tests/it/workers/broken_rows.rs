//! Corrupt rows, and rows whose work fails, do not stop a worker from processing others. Each table that workers read has more
//! of them than one batch, on both engines.

use super::rows::{change, texts};
use super::tables::{SOUND, Victims, broken};
use crate::harness::paying::AgreedConsent;
use crate::harness::vrp::{VRP, limit};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt, until};
use crate::payments::books::count;
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;
const LATER: PaymentProduct = PaymentProduct::DomesticScheduledPayment;
const FILE: PaymentProduct = PaymentProduct::FilePayment;

/// How long the bank is stopped: more than a month ends meanwhile.
const STOPPED: SignedDuration = SignedDuration::from_hours(24 * 40);

/// The server's quarantine and the bank's.
const QUARANTINES: &str =
    "(SELECT kind, subject FROM quarantined_work UNION ALL SELECT kind, subject FROM bank_quarantine)";

/// What is done, beside what is broken.
struct Done {
    /// Orders of the robot's that are paid, with their product.
    paid: Vec<(PaymentProduct, String)>,
    /// The robot's consent that nobody decides on.
    undecided: String,
    /// The order of partners that chloe does not agree to.
    lapsed: String,
}

/// The body with the amount of a trigger, or any other.
fn of_amount(mut body: Value, amount: &str) -> Value {
    body["Data"]["Initiation"]["InstructedAmount"]["Amount"] = amount.into();
    body
}

/// An immediate payment that is under way while the clock stands still.
async fn under_way(paying: &PayingTpp, amount: &str) -> String {
    let agreed = paying.agreed_to(NOW, of_amount(paying.asking(NOW), amount)).await;
    paying.ordered(&agreed).await.0
}

/// When the month of the bank's day ends, to the second.
fn month_ends_micros(bank: &Bank) -> i64 {
    let next = bank.now().to_zoned(TimeZone::UTC).date().last_of_month().tomorrow().unwrap();
    next.to_zoned(TimeZone::UTC).unwrap().timestamp().as_microsecond() - 1_000_000
}

/// Everything that is to be done, and what will be broken, before the bank is stopped.
async fn prepare(bank: &Bank) -> (Done, Victims) {
    let robot = PayingTpp::robot(bank).await;
    let mut paid = vec![(NOW, under_way(&robot, "12.50").await)];
    paid.push((LATER, robot.ordered(&robot.agreed(LATER).await).await.0));
    paid.push((FILE, robot.ordered(&robot.agreed(FILE).await).await.0));
    let month = [limit("Month", "Consent", "200.00")];
    let recurring = robot.agreed_within(&month).await;
    paid.push((VRP, robot.ordered(&recurring).await.0));

    // A payment that the scheme refuses comes back to its consent.
    let refused = robot.agreed_within(&month).await;
    let refused = robot.pay(&refused, "13.91").await.ok(201)["Data"].text(VRP.id_member()).to_owned();
    let unreadable = robot.agreed(FILE).await;
    break_lines(bank, &unreadable).await;
    robot.ordered(&unreadable).await;
    let undecided = robot.consent(NOW, &robot.asking(NOW)).await["Data"].text("ConsentId").to_owned();

    bank.create_tpp(&json!({"name": "partners", "roles": ["pisp"], "headless": "bashir"})).await;
    let partners = PayingTpp::as_tpp(bank, "partners").await;
    let mut asked = partners.asking(NOW);
    let complete_by = (bank.now() + SignedDuration::from_hours(24)).to_string();
    asked["Data"]["Authorisation"] = json!({"AuthorisationType": "Any", "CompletionDateTime": complete_by});
    let lapsed = partners.ordered(&partners.agreed_to(NOW, asked).await).await.0;
    // The bank has what it was given, and its clock stands still.
    until_given(bank).await;
    let victims = Victims {
        at_bank: under_way(&robot, "12.51").await,
        order: under_way(&robot, "12.52").await,
        payment: under_way(&robot, "12.53").await,
        recurring: refused,
        month_ends_micros: month_ends_micros(bank),
    };
    let begun = format!("SELECT count(*) FROM order_payments WHERE order_id = '{}'", victims.payment);
    until(async || (count(bank, &begun).await > 0).then_some(())).await;
    (Done { paid, undecided, lapsed }, victims)
}

/// Breaks the lines of a consent's file.
async fn break_lines(bank: &Bank, agreed: &AgreedConsent) {
    let of_consent = format!("SELECT terms FROM consents WHERE id = '{}'", agreed.consent);
    let terms = texts(bank, &of_consent).await.pop_first().unwrap();
    let uploads = texts(bank, "SELECT id FROM uploads").await;
    let upload = uploads.iter().find(|id| terms.contains(id.as_str())).unwrap();
    assert_eq!(change(bank, &format!("UPDATE file_lines SET line = '{{' WHERE upload_id = '{upload}'")).await, 1);
}

/// Waits until orders are submitted to the bank and its first status updates are applied.
async fn until_given(bank: &Bank) {
    let waiting = ["SELECT count(*) FROM jobs WHERE attempts = 0", "SELECT count(*) FROM bank_news"];
    until(async || {
        for question in waiting {
            if count(bank, question).await > 0 {
                return None;
            }
        }
        Some(())
    })
    .await;
}

/// What is due and not in quarantine, once workers have done their work: nothing.
fn left(now: i64) -> Vec<String> {
    let but = |kind: &str, subject: &str| {
        format!("NOT EXISTS (SELECT 1 FROM {QUARANTINES} AS q WHERE q.kind = '{kind}' AND q.subject IN ({subject}))")
    };
    let of = |table: &str, condition: &str| format!("SELECT count(*) FROM {table} AS t WHERE {condition}");
    let due =
        |table, kind, subject: &str, condition: &str| of(table, &format!("{condition} AND {}", but(kind, subject)));
    let day_ago = now - 24 * 3_600_000_000;
    vec![
        due("arrangements", "arrangement", "t.kind || '/' || t.account_id || '/' || t.id", &format!("due_at <= {now}")),
        due("bank_orders", "bank-order", "t.id", &format!("due_at <= {now}")),
        due("bank_news", "status-update", "t.order_id", "number > 0"),
        due("jobs", "job", "t.id", "kind = 'order'"),
        due("orders", "lapsed-order", "t.id", &format!("approval = 'awaiting' AND approve_by <= {now}")),
        due("entries", "pending-entry", "t.id", &format!("status = 'pending' AND booked_at <= {now}")),
        due(
            "consents",
            "undecided-consent",
            "t.id",
            &format!("state = 'awaiting-authorisation' AND kind <> 'account-access' AND created_at <= {day_ago}"),
        ),
        due("uploads", "upload", "t.id", &format!("kept = 0 AND begun_at <= {day_ago}")),
        of("tokens", &format!("expires_at < {day_ago}")),
        of("codes", &format!("expires_at < {day_ago}")),
        of("replays", &format!("expires_at < {day_ago}")),
        of("attempts", &format!("expires_at < {day_ago}")),
        of("sessions", &format!("ends_at < {day_ago}")),
        of("provider_logins", &format!("expires_at < {day_ago}")),
        of("portal_links", &format!("expires_at < {day_ago}")),
        of("portal_sessions", &format!("ends_at < {day_ago}")),
        of("staff_sessions", &format!("ends_at < {day_ago}")),
        of("backchannel_requests", &format!("expires_at < {day_ago}")),
        of("interactions", &format!("expires_at < {day_ago}")),
        of("pushed_requests", &format!("expires_at < {day_ago}")),
        of("idempotency_keys", &format!("first_used_at < {day_ago}")),
    ]
}

/// Waits until nothing is left; the clock goes on, for what is tried again later.
async fn until_done(bank: &Bank) {
    for question in left(bank.now().as_microsecond()) {
        until(async || {
            bank.clock.advance(SignedDuration::from_secs(1));
            (count(bank, &question).await == 0).then_some(())
        })
        .await;
    }
}

async fn quarantine(bank: &Bank) -> Vec<Value> {
    bank.ops_get("/operations/quarantine").await.ok(200).list("/work")
}

/// The subjects of a kind in quarantine.
async fn subjects(bank: &Bank, kind: &str) -> BTreeSet<String> {
    texts(bank, &format!("SELECT subject FROM {QUARANTINES} AS q WHERE kind = '{kind}'")).await
}

#[tokio::test]
async fn a_broken_row_in_any_table_stops_no_other_work() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::start_on(engine).await;
        let (done, victims) = prepare(&bank).await;
        bank.stop().await;
        for table in broken(&victims) {
            for statement in table.statements {
                assert!(change(&bank, &statement).await > 0, "nothing of {} was broken: {statement}", table.table);
            }
        }
        bank.clock.advance(STOPPED);
        // The consent that nobody decides on is looked at after its day.
        bank.restart_with(&[("retention.unauthorised_consent_days", "90")]).await;
        until_done(&bank).await;
        everything_else_is_done(&bank, &done).await;
        what_was_broken_is_shown(&bank, &victims).await;
        what_was_mended_is_tried_again(&bank).await;
    }
}

async fn everything_else_is_done(bank: &Bank, done: &Done) {
    let robot = PayingTpp::robot(bank).await;
    for (product, id) in &done.paid {
        let statuses: Vec<_> =
            robot.details(*product, id).await.iter().map(|it| it.text("Status").to_owned()).collect();
        assert_eq!(statuses, ["AcceptedCreditSettlementCompleted"], "{product:?}");
    }
    assert_eq!(robot.consent_now(NOW, &done.undecided).await["Data"].text("Status"), "Rejected", "PIS-027");
    let partners = PayingTpp::as_tpp(bank, "partners").await;
    assert_eq!(partners.order_now(NOW, &done.lapsed).await["Data"].text("Status"), "Rejected", "PIS-112");
    let token = robot.tpp.client_credentials("payments").await.unwrap().access_token;
    let polled = robot.tpp.poll_events(&token, &json!({"returnImmediately": true, "maxEvents": 100})).await.unwrap();
    assert!(!polled.ok(200)["sets"].as_object().unwrap().is_empty(), "events that can be read are offered");
    assert_eq!(bank.ops_get("/readyz").await.status, 200, "keys that can be opened sign");
    assert_eq!(bank.ops_get("/operations/events").await.status, 200);
}

async fn what_was_broken_is_shown(bank: &Bank, victims: &Victims) {
    let shown = quarantine(bank).await;
    assert!(shown.iter().all(|it| !it.text("cause").is_empty() && !it.text("since").is_empty()), "{shown:?}");
    for (kind, one, many) in [
        ("arrangement", "", 122),
        ("bank-order", victims.at_bank.as_str(), 122),
        ("job", "", 121),
        ("lapsed-order", "late-120", 120),
        ("pending-entry", "broken-120", 121),
        ("status-update", victims.order.as_str(), 123),
        ("status-update", victims.payment.as_str(), 123),
        ("status-update", victims.recurring.as_str(), 123),
        ("undecided-consent", "undecided-120", 120),
    ] {
        let found = subjects(bank, kind).await;
        assert!(found.len() >= many, "{kind}: {} of {many}", found.len());
        assert!(one.is_empty() || found.contains(one), "{kind}: {one} is not in {found:?}");
    }
    let text = bank.ops_get("/metrics").await.text().into_owned();
    assert!(text.contains("lombard_work_quarantined_total"), "{text}");
}

async fn what_was_mended_is_tried_again(bank: &Bank) {
    let mended = "UPDATE consents SET terms = (SELECT MIN(terms) FROM consents WHERE kind = 'domestic-payment-consent' \
                  AND terms <> '{') WHERE id = 'undecided-7'";
    assert_eq!(change(bank, mended).await, 1);
    let work = "SELECT CAST(number AS TEXT) FROM quarantined_work WHERE subject = 'undecided-7'";
    let number = texts(bank, work).await.pop_first().unwrap();
    let path = format!("/operations/quarantine/{number}/retry");
    assert_eq!(bank.ops_post(&path, &Value::Null).await, (200, json!({"retried": 1})));
    assert_eq!(bank.ops_post(&path, &Value::Null).await.0, 400, "it is not in quarantine any more");
    let rejected = "SELECT count(*) FROM consents WHERE id = 'undecided-7' AND state = 'rejected'";
    until(async || (count(bank, rejected).await == 1).then_some(())).await;
    assert_eq!(subjects(bank, "undecided-consent").await.len(), 119);

    // Nothing else comes or goes: every broken row is in quarantine, and clocks stand still.
    let kept = "SELECT (SELECT count(*) FROM quarantined_work) + (SELECT count(*) FROM bank_quarantine)";
    let kept = count(bank, kept).await;
    assert!(kept > 500, "{kept}");
    let all = bank.ops_post("/operations/quarantine/retry", &Value::Null).await;
    assert_eq!(all, (200, json!({"retried": kept})));
    until_done(bank).await;
    assert_eq!(subjects(bank, "undecided-consent").await.len(), 119, "what was not mended is back");
}

/// Whoever adds a table says how its rows are broken, or why no worker minds.
#[tokio::test]
async fn every_table_is_broken_or_sound() {
    let bank = Bank::start().await;
    let victims = Victims {
        at_bank: String::new(),
        order: String::new(),
        payment: String::new(),
        recurring: String::new(),
        month_ends_micros: 0,
    };
    let broken = broken(&victims);
    let named: Vec<_> = broken.iter().map(|it| it.table).chain(SOUND.map(|(table, _)| table)).collect();
    let known: BTreeSet<_> = named.iter().map(|table| (*table).to_owned()).collect();
    assert_eq!(known.len(), named.len(), "each once");
    let there: BTreeSet<_> = bank.rows().into_keys().collect();
    assert_eq!(known, there);
}
