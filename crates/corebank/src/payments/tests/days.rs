//! Rails and working days of international payments.

use super::international::{abroad, at_rate, borne, money, which};
use super::*;
use jiff::civil::date;
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::ExchangeRateType;
use lombard_domain::payment::transfer::{AfterCutOffPolicy, Priority};

fn said(it: Transfer, now: &str) -> PaymentConditions {
    Rails::default().conditions(&terms_of(it), &ExchangeMarket::default(), at(now))
}

#[test]
fn int_007_the_rail_follows_from_currency_payee_priority_and_bearer() {
    let urgent = |it| which(it, |payment| payment.priority = Some(Priority::Urgent));
    let euros = || abroad(money(1, "EUR"), "EUR");
    let to_mauritius = |it| {
        let account = AccountIdentification::new(AccountScheme::Iban, "MU17BOMM0101101030300200000MUR");
        with(it, |credit, _| credit.creditor = NamedAccount::under_name(account.clone(), "Elsewhere".to_owned()))
    };
    for (it, rail) in [
        (euros(), Instrument::SepaCreditTransfer),
        (urgent(euros()), Instrument::Target2),
        (by(Instrument::SepaInstantCreditTransfer, urgent(euros())), Instrument::SepaInstantCreditTransfer),
        (to_mauritius(euros()), Instrument::Swift),
        (to_mauritius(urgent(euros())), Instrument::Swift),
        (abroad(money(1, "GBP"), "USD"), Instrument::Swift),
        (urgent(abroad(money(1, "GBP"), "USD")), Instrument::Swift),
        // SEPA shares charges, so a payment whose charges one side bears goes by another instrument.
        (borne(ChargeBearer::Shared, euros()), Instrument::SepaCreditTransfer),
        (borne(ChargeBearer::ServiceLevel, urgent(euros())), Instrument::SepaCreditTransfer),
        (borne(ChargeBearer::Debtor, euros()), Instrument::Swift),
        (borne(ChargeBearer::Debtor, urgent(euros())), Instrument::Target2),
    ] {
        assert_eq!(it.rail(), rail, "{it:?}");
    }
}

#[test]
fn pis_108_each_rail_has_its_last_moment() {
    for (rail, lateness) in [
        (Instrument::Swift, Some(("15:00", AfterCutOffPolicy::Refused))),
        (Instrument::Target2, Some(("15:00", AfterCutOffPolicy::Refused))),
        (Instrument::Euro1, Some(("15:00", AfterCutOffPolicy::Refused))),
        (Instrument::SepaCreditTransfer, Some(("14:00", AfterCutOffPolicy::Accepted))),
        (Instrument::SepaInstantCreditTransfer, None),
    ] {
        let cut_off = said(by(rail, abroad(money(1, "EUR"), "EUR")), "2026-02-25T12:00:00Z").cut_off;
        let expected = lateness.map(|(time, lateness)| (at(&format!("2026-02-25T{time}:00Z")), lateness));
        assert_eq!(cut_off.map(|it| (it.at, it.lateness)), expected, "{rail:?}");
    }
    let late = said(abroad(money(1, "EUR"), "EUR"), "2026-02-27T14:00:00Z");
    assert_eq!(late.execution_at, Some(at("2026-03-02T06:00:00Z")), "PIS-107: the next working day");
    let instant =
        said(by(Instrument::SepaInstantCreditTransfer, abroad(money(1, "EUR"), "EUR")), "2026-02-28T23:00:00Z");
    assert_eq!(instant.settlement_at, Some(at("2026-02-28T23:00:02Z")), "at any hour");
}

#[test]
fn a_payment_leaves_and_arrives_on_days_on_which_both_its_currencies_move() {
    let days = |it: Transfer, now: &str| {
        let said = said(it, now);
        (
            said.execution_at.unwrap().to_string()[..10].to_owned(),
            said.settlement_at.unwrap().to_string()[..10].to_owned(),
        )
    };
    let pounds_to = |code| abroad(money(100, "GBP"), code);
    for (it, now, leaves, arrives) in [
        // Friday 3 July 2026: the Federal Reserve works, and 4 July is a Saturday.
        (pounds_to("USD"), "2026-07-03T10:00:00Z", "2026-07-03", "2026-07-07"),
        // In 2027 the 4th is a Sunday and kept on the Monday.
        (pounds_to("USD"), "2027-07-05T10:00:00Z", "2027-07-06", "2027-07-08"),
        (pounds_to("USD"), "2027-07-02T10:00:00Z", "2027-07-02", "2027-07-07"),
        // London has a holiday on the first Monday of May, TARGET on 1 May.
        (pounds_to("EUR"), "2026-05-01T08:00:00Z", "2026-05-05", "2026-05-06"),
        (pounds_to("EUR"), "2026-04-30T08:00:00Z", "2026-04-30", "2026-05-05"),
        // Payments from euros to euros do not use London's calendar.
        (
            at_rate(ExchangeRateType::Actual, "EUR", abroad(money(1, "EUR"), "EUR")),
            "2026-05-04T08:00:00Z",
            "2026-05-04",
            "2026-05-05",
        ),
        // Payments from dollars to euros work on neither calendar's holidays: Thanksgiving is 26 November 2026, Good Friday 3 April.
        (
            at_rate(ExchangeRateType::Actual, "USD", abroad(money(1, "EUR"), "EUR")),
            "2026-11-26T10:00:00Z",
            "2026-11-27",
            "2026-11-30",
        ),
        (
            at_rate(ExchangeRateType::Actual, "USD", abroad(money(1, "EUR"), "EUR")),
            "2026-04-03T10:00:00Z",
            "2026-04-07",
            "2026-04-08",
        ),
        // For other currencies the bank knows only weekends.
        (pounds_to("JPY"), "2026-02-27T10:00:00Z", "2026-02-27", "2026-03-03"),
    ] {
        assert_eq!(days(it, now), (leaves.to_owned(), arrives.to_owned()), "{now}");
    }
}

#[test]
fn sch_004_a_scheduled_payment_rolls_by_both_calendars() {
    let it = on(date(2026, 7, 3), abroad(money(100, "GBP"), "USD"));
    assert_eq!(said(it, "2026-06-01T10:00:00Z").execution_at, Some(at("2026-07-03T05:00:00Z")));
    let it = on(date(2027, 7, 4), abroad(money(100, "GBP"), "USD"));
    assert_eq!(said(it, "2027-06-01T10:00:00Z").execution_at, Some(at("2027-07-06T05:00:00Z")));
}

#[tokio::test]
async fn sch_004_the_account_decides_where_nobody_could_know_it_before() {
    // The order does not say that it is paid from dollars, so a payment from pounds is assumed at first.
    let world = world_at(at("2026-11-26T10:00:00Z")).await;
    let it = abroad(money(1_000, "EUR"), "EUR");
    let order = world.order_from("dollars", "o", it).await;
    assert_eq!(order.conditions.execution_at, Some(at("2026-11-26T10:00:00Z")));
    world.turn().await;
    let what = OrderUpdate::TimesChanged {
        execution_at: Some(at("2026-11-27T06:00:00Z")),
        settlement_at: Some(at("2026-11-30T09:00:00Z")),
    };
    assert!(world.hear().await.into_iter().any(|it| it.change == what), "PIS-104");
}
