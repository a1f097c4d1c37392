//! Property tests: documents of random payments read back unchanged.

use jiff::Timestamp;
use jiff::civil::Date;
use lombard_database::document;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::instant;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::{
    AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote, QuoteBasis, RequestedRate,
};
use lombard_domain::payment::file::{FileLine, FilePayee, UnpayableReason};
use lombard_domain::payment::transfer::{Instrument, NamedAccount, References};
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpConsentRequest, VrpType,
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn texts() -> impl Strategy<Value = Option<String>> {
    prop::option::of(any::<String>())
}

fn currencies() -> impl Strategy<Value = Currency> {
    prop::sample::select(vec![Currency::GBP, Currency::EUR, "JPY".parse().unwrap(), "BHD".parse().unwrap()])
}

fn amounts() -> impl Strategy<Value = Amount> {
    (any::<u64>(), currencies()).prop_map(|(minor, currency)| Amount::from_minor(minor, currency))
}

fn days() -> impl Strategy<Value = Date> {
    (-1_i16..=9999, 1_i8..=12, 1_i8..=28).prop_map(|(year, month, day)| Date::new(year, month, day).unwrap())
}

fn instants() -> impl Strategy<Value = Timestamp> {
    let seconds = Timestamp::MIN.as_second()..=Timestamp::MAX.as_second();
    (seconds, 0..=999_999_999)
        .prop_map(|(second, nanos)| instant::truncate_to_micros(Timestamp::new(second, nanos).unwrap()))
}

fn references() -> impl Strategy<Value = References> {
    (texts(), texts(), texts(), texts()).prop_map(|(instruction, end_to_end, reference, message)| References {
        instruction,
        end_to_end,
        reference,
        message,
        remittance: None,
    })
}

fn accounts() -> impl Strategy<Value = NamedAccount> {
    (any::<String>(), any::<String>(), texts()).prop_map(|(number, name, secondary)| {
        let account = AccountIdentification { secondary, ..AccountIdentification::new(AccountScheme::Iban, number) };
        NamedAccount::under_name(account, name)
    })
}

fn rates() -> impl Strategy<Value = ConversionRate> {
    (1_i64..1_000_000_000_000_000, 0_u32..=12)
        .prop_map(|(digits, scale)| Decimal::new(digits, scale).try_into().unwrap())
}

fn lines() -> impl Strategy<Value = FileLine> {
    let payees = prop_oneof![
        accounts().prop_map(|creditor| Ok(FilePayee { creditor, address: None })),
        Just(Err(UnpayableReason::NoName)),
        Just(Err(UnpayableReason::Remittance)),
    ];
    let rails = prop::option::of(prop::sample::select(vec![Instrument::Bacs, Instrument::FasterPayments]));
    let debtors = prop::option::of(accounts().prop_map(|it| (*it).clone()));
    (any::<u32>(), amounts(), references(), rails, debtors, prop::option::of(days()), payees).prop_map(
        |(number, amount, references, instrument, debtor, execute_on, payee)| FileLine {
            number,
            amount,
            references,
            instrument,
            debtor,
            execute_on,
            payee,
            details: None,
        },
    )
}

fn rate_requests() -> impl Strategy<Value = ExchangeRateRequest> {
    let bases = prop_oneof![
        Just(RequestedRate::Actual),
        Just(RequestedRate::Indicative),
        (rates(), any::<String>()).prop_map(|(rate, contract)| RequestedRate::Agreed(AgreedRate { rate, contract })),
    ];
    (currencies(), bases).prop_map(|(unit, basis)| ExchangeRateRequest { unit, basis })
}

fn quotes() -> impl Strategy<Value = Quote> {
    let bases = prop_oneof![
        instants().prop_map(|expires_at| QuoteBasis::Actual { expires_at }),
        Just(QuoteBasis::Indicative),
        any::<String>().prop_map(|contract| QuoteBasis::Agreed { contract }),
    ];
    (currencies(), currencies(), rates(), bases).prop_map(|(unit, transfer, rate, basis)| Quote {
        pair: CurrencyPair { unit, transfer },
        rate,
        basis,
    })
}

fn cycles() -> impl Strategy<Value = PeriodCycle> {
    use LimitPeriod as P;
    let periods = prop::sample::select(vec![P::Day, P::Week, P::Fortnight, P::Month, P::HalfYear, P::Year]);
    (periods, any::<bool>()).prop_filter_map("calendars have no fortnights", |(period, calendar)| {
        PeriodCycle::new(period, if calendar { PeriodAlignment::Calendar } else { PeriodAlignment::Consent })
    })
}

fn vrp_requests() -> impl Strategy<Value = VrpConsentRequest> {
    let limits = prop::collection::vec((cycles(), amounts()), 1..9).prop_map(|limits| {
        let limits = limits.into_iter().map(|(cycle, amount)| PeriodicLimit { cycle, amount });
        PeriodicLimits::new(limits.collect()).unwrap()
    });
    let some = |from, to| (prop::option::of(from), prop::option::of(to));
    let types = prop::sample::subsequence(VrpType::ALL.to_vec(), 0..=5);
    let methods = prop::sample::subsequence(AuthenticationMethod::ALL.to_vec(), 0..=2);
    let interactions = prop::sample::subsequence(InteractionType::ALL.to_vec(), 0..=2);
    let whole = (amounts(), limits, some(days(), days()), types, methods, interactions);
    (whole, prop::option::of(accounts()), references()).prop_map(|(controls, creditor, references)| {
        let (individual, limits, (valid_from, valid_to), types, methods, interactions) = controls;
        let (types, methods) = (types.into_iter().collect(), methods.into_iter().collect());
        let interactions = interactions.into_iter().collect();
        let controls = ControlParameters { valid_from, valid_to, individual, limits, types, methods, interactions };
        VrpConsentRequest { controls, creditor, address: None, references }
    })
}

/// Writes a value as a document and reads it back.
fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    document::read(&document::write(value)).unwrap()
}

proptest! {
    #[test]
    fn a_line_of_a_file_is_read_as_it_was_written(line in lines()) {
        let read = FileLine { number: line.number, ..again(&line) };
        prop_assert_eq!(read, line);
    }

    #[test]
    fn exchanges_are_read_as_they_were_written(rate_request in rate_requests(), quote in quotes()) {
        prop_assert_eq!(again(&rate_request), rate_request);
        prop_assert_eq!(again(&quote), quote);
    }

    #[test]
    fn limits_are_read_as_they_were_written(terms in vrp_requests()) {
        prop_assert_eq!(again(&terms), terms);
    }
}
