//! Tests of the pages about international payments: both currencies, the rate and its certainty, and the total debit.

use super::payments::{means, order, pounds};
use super::*;
use lombard_auth::authorisation::journey::PaymentFindings;
use lombard_domain::account::PostalAddress;
use lombard_domain::payment::exchange::{
    AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote, QuoteBasis, RequestedRate,
};
use lombard_domain::payment::transfer::{AgentCode, International, PayeeAgent, Priority};
use lombard_service::payments::consents::PricedDebit;

const RATE: &str = "1.1702";

fn euros(cents: u64) -> Amount {
    Amount::from_minor(cents, Currency::EUR)
}

fn rate() -> ConversionRate {
    RATE.parse().unwrap()
}

/// An international payment to an account in France, with all optional members or with none.
fn abroad(exchange: Option<ExchangeRateRequest>, full: bool) -> International {
    let text = |text: &str| full.then(|| text.to_owned());
    let iban = "FR7630006000011234567890189".to_owned();
    let account = AccountIdentification::new(AccountScheme::Iban, iban);
    let address = PostalAddress {
        street: Some("Rue <de> Rivoli".into()),
        building: Some("12".into()),
        town: Some("Paris".into()),
        ..PostalAddress::default()
    };
    let agent = PayeeAgent {
        code: Some(AgentCode::Bic("AGRIFRPPXXX".into())),
        name: Some("Banque \u{202e}verte".into()),
        address: Some(address.clone()),
        lei: None,
    };
    International {
        credit: CreditorDetails {
            instrument: None,
            creditor: NamedAccount::under_name(account, NASTY.into()),
            address: full.then_some(address),
            references: References { reference: text("FACTURE 42"), ..References::default() },
        },
        payee: text("Société Générale de Plomberie"),
        agent: full.then_some(agent),
        transfer: Currency::EUR,
        exchange,
        bearer: full.then_some(ChargeBearer::Shared),
        priority: full.then_some(Priority::Urgent),
        destination: text("FR"),
        purpose: text("SUPP"),
        purpose_in_words: text("Pipes & taps"),
    }
}

/// An international payment of this amount, with the bank's conditions.
fn payment(payment: International, amount: Amount, timing: Timing, quote: Option<Quote>) -> PaymentConsent {
    let charge = Charge { bearer: ChargeBearer::Shared, kind: ChargeType::SwiftOut, amount: pounds(1_500) };
    let conditions = PaymentConditions { charges: vec![charge], quote, ..PaymentConditions::default() };
    let terms = PaymentConsentRequest::new(Transfer::international(payment, amount, timing));
    PaymentConsent::new(terms, conditions)
}

/// Each type of exchange rate request, with the bank's quote.
fn quoted() -> [(ExchangeRateRequest, Quote); 3] {
    let contract = || "FX <2026> 17".to_owned();
    let deal = AgreedRate { rate: rate(), contract: contract() };
    let expires_at = "2026-02-20T12:30:00Z".parse().unwrap();
    let of = |basis, quoted| {
        let quote =
            Quote { pair: CurrencyPair { unit: Currency::GBP, transfer: Currency::EUR }, rate: rate(), basis: quoted };
        (ExchangeRateRequest { unit: Currency::GBP, basis }, quote)
    };
    [
        of(RequestedRate::Actual, QuoteBasis::Actual { expires_at }),
        of(RequestedRate::Agreed(deal), QuoteBasis::Agreed { contract: contract() }),
        of(RequestedRate::Indicative, QuoteBasis::Indicative),
    ]
}

#[test]
fn as_142_int_010_the_page_shows_currencies_rate_charges_and_total_debit() {
    for (rate_request, quote) in quoted() {
        let certain = quote.fixed_rate().is_some();
        for full in [true, false] {
            let consent = asked(payment(
                abroad(Some(rate_request.clone()), full),
                euros(100_000),
                Timing::Immediate,
                Some(quote.clone()),
            ));
            let [html, code, _] = journey_of(FRAMES[0], None, &consent, means(), &[]);
            let about = if certain { "" } else { "about " };
            for page in [&html, &code] {
                assert!(page.contains("€1,000.00"));
                assert!(
                    page.contains(&format!("{about}£854.55 from your account, at {about}1 GBP = 1.1702 EUR")),
                    "{page}"
                );
            }
            assert!(html.contains("Make this international payment?"));
            assert!(html.contains(&format!("{about}£869.55</dd>")), "PIS-101: with the charges: {html}");
            assert!(html.contains("SWIFT payment, shared between you and the payee"));
            assert_eq!(html.contains("This rate may change"), !certain);
            assert!(html.contains("GB") && html.contains("FR76 3000 6000 0112 3456 7890 189"));
            for said in [
                "Banque verte, BIC AGRIFRPPXXX, 12 Rue &#60;de&#62; Rivoli, Paris",
                "Pipes &#38; taps (SUPP)",
                "Société Générale de Plomberie",
                "Urgent",
                "Shared: you pay ours",
                "FACTURE 42",
            ] {
                assert_eq!(html.contains(said), full || said.starts_with("Shared"), "{said}: {html}");
            }
        }
    }
    let [actual, agreed, _] = quoted().map(|(rate_request, quote)| {
        let consent = asked(payment(abroad(Some(rate_request), false), euros(100_000), Timing::Immediate, Some(quote)));
        journey_of(FRAMES[0], None, &consent, means(), &[])
    });
    assert!(actual[0].contains("holds this rate until Friday 20 February 2026 at 12:30, London time"), "INT-021");
    assert!(actual[0].contains("must order it before Friday 20 February 2026 at 12:30"), "INT-020");
    assert!(agreed[0].contains("agreed with you in the contract FX &#60;2026&#62; 17"), "INT-013");
}

#[test]
fn int_023_an_amount_in_the_payers_currency_says_what_is_sent() {
    for (rate_request, quote) in quoted() {
        let about = if quote.fixed_rate().is_some() { "" } else { "about " };
        let consent =
            asked(payment(abroad(Some(rate_request), false), pounds(100_000), Timing::Immediate, Some(quote)));
        let [html, ..] = journey_of(FRAMES[0], None, &consent, means(), &[]);
        assert!(html.contains(&format!("{about}€1,170.20 is sent, at {about}1 GBP = 1.1702 EUR")), "{html}");
        assert!(html.contains(">£1,015.00</dd>"), "what leaves the account is certain: {html}");
    }
}

#[test]
fn int_012_without_a_currency_each_account_says_what_it_would_take() {
    let consent = asked(payment(abroad(None, false), euros(100_000), Timing::Immediate, None));
    let terms = consent.request.payment().unwrap();
    let transfer = terms.terms.instruction.transfer().unwrap();
    let priced = |unit, rate: ConversionRate, is_fixed| {
        let total_debit = transfer.total_debit(unit, &terms.conditions, rate);
        total_debit.ok().map(|total_debit| PricedDebit { rate, is_fixed, total_debit })
    };
    let mut means = means();
    means[0].debit = priced(Currency::GBP, rate(), false);
    let dearer = "0.97".parse().unwrap();
    means[1].debit = priced(Currency::USD, dearer, false);
    let [html, code, _] = journey_of(FRAMES[0], None, &consent, means, &[]);
    assert!(html.contains("<strong>about £869.55</strong>, charges included, at about 1 GBP = 1.1702 EUR"), "{html}");
    assert!(
        html.contains("This rate may change") && !html.contains("US$"),
        "a charge in a third currency has no price"
    );
    for page in [html, code] {
        assert!(page.contains("depends on the account you pay from"), "{page}");
    }
}

#[test]
fn int_002_where_nothing_is_exchanged_no_rate_is_spoken_of() {
    let rate_request = ExchangeRateRequest { unit: Currency::EUR, basis: RequestedRate::Indicative };
    let pair = CurrencyPair { unit: Currency::EUR, transfer: Currency::EUR };
    let quote = Quote { pair, rate: ConversionRate::ONE, basis: QuoteBasis::Indicative };
    let mut consent = payment(abroad(Some(rate_request), true), euros(5_000), Timing::Immediate, Some(quote));
    consent.conditions.charges.clear();
    let [html, ..] = journey_of(FRAMES[0], None, &asked(consent), means(), &[]);
    assert!(html.contains("€50.00") && !html.contains("Rate</dt>") && !html.contains("may change"), "{html}");
}

#[test]
fn pis_101_charges_the_payee_bears_are_taken_off_what_is_sent() {
    let [(rate_request, quote), ..] = quoted();
    let mut consent = payment(abroad(Some(rate_request), false), euros(100_000), Timing::Immediate, Some(quote));
    consent.conditions.charges[0] = Charge { bearer: ChargeBearer::Creditor, ..consent.conditions.charges[0] };
    let [html, ..] = journey_of(FRAMES[0], None, &asked(consent), means(), &[]);
    assert!(html.contains(">£854.55</dd>") && !html.contains("£869.55"));
    assert!(html.contains(">€17.55</dd>") && html.contains(">€982.45</dd>"), "{html}");
}

#[test]
fn int_022_a_held_rate_debits_at_once_and_the_other_timings_say_when() {
    let schedule = Schedule {
        frequency: Frequency::EveryDay,
        first_on: date(2026, 3, 2),
        recurring_from: None,
        end: ScheduleEnd::Open,
        regular: None,
        last: None,
    };
    for (rate_request, quote) in quoted() {
        let held = quote.expires_at().is_some();
        let timing = Timing::Scheduled(date(2026, 3, 2));
        let consent = asked(payment(abroad(Some(rate_request), false), euros(100_000), timing, Some(quote)));
        let [html, ..] = journey_of(FRAMES[0], None, &consent, means(), &[]);
        assert!(html.contains("Monday 2 March 2026") && html.contains("international payment on a later day?"));
        assert_eq!(html.contains("Leaves your account</dt><dd>When "), held, "{html}");
    }
    let consent = asked(payment(abroad(None, true), euros(100_000), Timing::StandingOrder(schedule), None));
    let [html, ..] = journey_of(FRAMES[0], None, &consent, means(), &[]);
    assert!(html.contains("Set up this international standing order?") && html.contains("each time"));
}

#[test]
fn pis_112_the_second_customer_sees_the_same_of_a_payment_abroad() {
    let [(rate_request, quote), ..] = quoted();
    let consent = payment(abroad(Some(rate_request), true), euros(100_000), Timing::Immediate, Some(quote));
    let order = order(&consent);
    let waiting = PendingPaymentView::new(journey(None).who, (&order, &consent, None), None, &[NASTY.to_owned()], None);
    let html = JointPage::new(FRAMES[0], "form-token".into(), None, waiting, None, &[]).render().unwrap();
    sound(&html);
    for said in ["€1,000.00", "£854.55 from your account", ">£869.55</dd>", "holds this rate until", "BIC AGRIFRPPXXX"]
    {
        assert!(html.contains(said), "{said}: {html}");
    }
}

#[test]
fn a_foreign_payment_shows_an_estimate_in_pounds_until_account_choice() {
    let paid = payment(abroad(None, false), euros(100_000), Timing::Immediate, None);
    let transfer = paid.terms.instruction.transfer().unwrap();
    let total_debit = transfer.total_debit(Currency::GBP, &paid.conditions, rate()).unwrap();
    let in_pounds = Some(PricedDebit { rate: rate(), is_fixed: false, total_debit });
    let consent = asked(paid);
    let page = |in_pounds| {
        let journey = payment_journey(None, words(consent.request.payment().unwrap()));
        let known = PaymentFindings { in_pounds, ..PaymentFindings::default() };
        let view = PaymentView { means: means(), known, ..PaymentView::default() };
        let html = paying(FRAMES[0], journey, None, NASTY, &consent, view).unwrap().render().unwrap();
        sound(&html);
        html
    };
    let estimate = "about £869.55 from an account in pounds, at today’s rate";
    assert!(page(in_pounds).contains(estimate) && !page(None).contains("in pounds"));
}
