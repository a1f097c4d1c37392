//! International payments: the limits are checked in both currencies.

use super::*;
use lombard_domain::payment::exchange::{AgreedRate, CurrencyPair, ExchangeRateRequest, RequestedRate};
use lombard_domain::payment::transfer::International;
use lombard_domain::refusal::ExchangeField;

const GBP: Currency = Currency::GBP;
const USD: Currency = Currency::USD;

/// So many cents in dollars, by SWIFT; from an account in pounds, if that is said.
fn dollars(cents: u64, unit: Option<Currency>, timing: Timing) -> PaymentConsentRequest {
    let iban = AccountIdentification::new(AccountScheme::Iban, "DE89370400440532013000");
    let payment = International {
        credit: CreditorDetails::new(NamedAccount::under_name(iban, "Kaffee und Kuchen".into())),
        payee: None,
        agent: None,
        transfer: USD,
        exchange: unit.map(|unit| ExchangeRateRequest { unit, basis: RequestedRate::Actual }),
        bearer: None,
        priority: None,
        destination: None,
        purpose: None,
        purpose_in_words: None,
    };
    let transfer = Transfer::international(payment, Amount::from_minor(cents, USD), timing);
    PaymentConsentRequest { instruction: transfer.into(), ..terms(now()) }
}

async fn world() -> World {
    let world = World::new().await;
    world.bank.set_exchange_price(CurrencyPair { unit: GBP, transfer: USD }, "1.25".parse().unwrap(), monday());
    world
}

fn places<T: std::fmt::Debug>(made: Result<T, Failure>) -> Vec<(FaultCode, Option<FaultLocation>)> {
    refusal(made).faults.into_iter().map(|fault| (fault.code, fault.at)).collect()
}

#[tokio::test]
async fn pis_124_a_third_currency_is_no_way_around_the_ceiling() {
    let world = world().await;
    // A million pounds are 1,250,000 dollars, which have no ceiling of their own.
    assert!(world.create(dollars(125_000_000, Some(GBP), now()), "a").await.is_ok());
    let place = Some(FaultLocation::Field(Field::InstructedAmount));
    assert_eq!(
        places(world.create(dollars(125_000_002, Some(GBP), now()), "b").await),
        [(FaultCode::FieldInvalid, place)]
    );
    let offered = async |cents| {
        let consent = world.create(dollars(cents, None, now()), &format!("c{cents}")).await.unwrap();
        asked::list_payer_accounts(&world.context, &"amelia".into(), consent.request.payment().unwrap())
            .await
            .unwrap()
            .len()
    };
    assert_eq!(
        [offered(125_000_000).await, offered(125_000_002).await],
        [2, 0],
        "where nobody named the account before"
    );
}

#[tokio::test]
async fn int_023_what_comes_to_nothing_is_refused_before_anybody_agrees() {
    let world = world().await;
    let place = Some(FaultLocation::Field(Field::Exchange(ExchangeField::InstructedAmount)));
    let made = world.create(dollars(0, Some(GBP), now()), "a").await;
    assert_eq!(codes(made), [FaultCode::FieldInvalid]);
    // Half a penny rounds to even, which is zero.
    world.bank.set_exchange_price(CurrencyPair { unit: GBP, transfer: USD }, "2".parse().unwrap(), monday());
    assert_eq!(places(world.create(dollars(1, Some(GBP), now()), "b").await), [(FaultCode::FieldInvalid, place)]);
}

#[tokio::test]
async fn pis_084_funds_for_a_later_day_are_confirmed_only_for_immediate_debit() {
    let world = world().await;
    for (unit, told) in [(Some(GBP), true), (None, false)] {
        let consent = world.create(dollars(100, unit, on_wednesday()), if told { "a" } else { "b" }).await.unwrap();
        let consent = world.agree(consent, "amelia", "b-1").await;
        let funds = asked::confirm_payment_funds(&world.context, &consent).await;
        assert_eq!(funds.is_ok(), told, "{unit:?}");
    }
}

#[tokio::test]
async fn int_013_a_rate_that_was_agreed_is_for_whom_it_was_agreed_with() {
    let world = world().await;
    let mut terms = dollars(100, None, now());
    let Instruction::Transfer(Transfer { route: Route::International(international), .. }) = &mut terms.instruction
    else {
        panic!("it goes abroad")
    };
    let deal = AgreedRate { rate: "1.25".parse().unwrap(), contract: "FX-1".into() };
    international.exchange = Some(ExchangeRateRequest { unit: GBP, basis: RequestedRate::Agreed(deal) });
    let consent = world.create(terms, "a").await.unwrap();
    for (party, offered) in [("bashir", 0), ("amelia", 2)] {
        world.bank.payment_script().agreed_rate_customers = Some([PsuId::from(party)].into());
        let payers = asked::list_payer_accounts(&world.context, &"amelia".into(), consent.request.payment().unwrap())
            .await
            .unwrap();
        assert_eq!(payers.len(), offered, "agreed with {party}");
    }
}

#[tokio::test]
async fn int_021_the_rate_that_was_told_stays_though_the_price_moves() {
    let world = world().await;
    let consent = world.create(dollars(100, Some(GBP), now()), "a").await.unwrap();
    let told = consent.request.payment().unwrap().conditions.quote.clone();
    assert_eq!(told.as_ref().map(|quote| quote.rate), Some("1.25".parse().unwrap()));
    world.bank.set_exchange_price(CurrencyPair { unit: GBP, transfer: USD }, "2".parse().unwrap(), monday());
    let shown = asked::current_conditions(&world.context, consent.request.payment().unwrap()).await.unwrap();
    assert_eq!(shown.quote, told);
    let agreed = world.agree(consent, "amelia", "b-1").await;
    assert_eq!(agreed.request.payment().unwrap().conditions.quote, told);
    assert_eq!(world.place(&agreed, "a").await.unwrap().conditions.quote, told);
}

#[tokio::test]
async fn pis_098_the_payee_sees_the_number_that_is_used_where_the_payment_goes() {
    use AccountScheme::{Iban, SortCodeAccountNumber};
    let mut world = world().await;
    for schemes in [[Iban, SortCodeAccountNumber], [SortCodeAccountNumber, Iban]] {
        let numbers = schemes.map(|scheme| AccountIdentification { scheme, ..account("80200110203341") });
        let held = Account { identifications: numbers.into(), ..account_of(AccountSubType::CurrentAccount, "b-1", "") };
        world.bank = Arc::new(StubBank::with_accounts([("amelia".into(), held)]));
        world.context.bank = Arc::clone(&world.bank) as _;
        world.bank.set_exchange_price(CurrencyPair { unit: GBP, transfer: USD }, "1.25".parse().unwrap(), monday());
        for (asked, expected) in [(terms(now()), SortCodeAccountNumber), (dollars(100, None, now()), Iban)] {
            let consent = world.create(asked, &format!("{schemes:?} {expected:?}")).await.unwrap();
            let agreed = world.agree(consent, "amelia", "b-1").await;
            let source = agreed.request.payment().unwrap().source.clone().unwrap();
            assert_eq!(source.account.scheme, expected, "{schemes:?}");
        }
    }
}
