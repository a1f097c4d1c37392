//! International payments: every type of rate, every charge bearer, and a few currency pairs.

use super::domestic::{AMOUNTS, timing};
use super::payee::payee;
use crate::random::SeededRandom;
use jiff::Timestamp;
use lombard_corebank::market::AGREED_RATES;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::{AgreedRate, ExchangeRateRequest, ExchangeRateType, RequestedRate};
use lombard_domain::payment::transfer::{
    AgentCode, CreditorDetails, Instrument, International, NamedAccount, PayeeAgent, Priority, Timing, Transfer,
};

const CURRENCIES: [Currency; 4] = [Currency::GBP, Currency::GBP, Currency::EUR, Currency::USD];

/// An international payment.
pub(super) fn transfer(chance: &mut SeededRandom, now: Timestamp) -> Transfer {
    let drawn = |chance: &mut SeededRandom| chance.pick(&CURRENCIES).copied().unwrap_or(Currency::EUR);
    let unit = drawn(chance);
    let mut transfer = drawn(chance);
    if chance.one_in(30) {
        // The currency is one that the bank does not send.
        transfer = "JPY".parse().unwrap_or(transfer);
    }
    let in_unit = chance.one_in(3);
    let currency = if in_unit { unit } else { transfer };
    let timing = timing(chance, london_date(now), currency);
    let exchange = match &timing {
        Timing::StandingOrder(_) => None,
        Timing::Immediate | Timing::Scheduled(_) => intent(chance, unit, transfer),
    };
    let rails = [
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        Some(Instrument::Swift),
        Some(Instrument::SepaInstantCreditTransfer),
    ];
    let instrument = match &timing {
        Timing::StandingOrder(_) => None,
        Timing::Immediate | Timing::Scheduled(_) => chance.pick(&rails).copied().flatten(),
    };
    let bearers = [None, Some(ChargeBearer::Shared), Some(ChargeBearer::Debtor), Some(ChargeBearer::Creditor)];
    let bearer =
        if chance.one_in(12) { Some(ChargeBearer::ServiceLevel) } else { chance.pick(&bearers).copied().flatten() };
    let (creditor, agent) = creditor(chance);
    let amount = chance.pick(&AMOUNTS).copied().unwrap_or(1);
    let payment = International {
        credit: CreditorDetails { instrument, ..CreditorDetails::new(creditor) },
        payee: None,
        agent,
        transfer,
        exchange,
        bearer,
        priority: chance.one_in(4).then_some(Priority::Urgent),
        destination: None,
        purpose: None,
        purpose_in_words: None,
    };
    Transfer::international(payment, Amount::from_minor(amount, currency), timing)
}

/// The requested exchange rate, if any.
fn intent(chance: &mut SeededRandom, unit: Currency, transfer: Currency) -> Option<ExchangeRateRequest> {
    let kinds = [
        None,
        Some(ExchangeRateType::Actual),
        Some(ExchangeRateType::Actual),
        Some(ExchangeRateType::Agreed),
        Some(ExchangeRateType::Indicative),
        Some(ExchangeRateType::Indicative),
    ];
    let basis = match chance.pick(&kinds).copied().flatten()? {
        ExchangeRateType::Actual => RequestedRate::Actual,
        ExchangeRateType::Indicative => RequestedRate::Indicative,
        ExchangeRateType::Agreed => {
            let fits = |deal: &&(&str, &str, &str, &str)| deal.1 == unit.code() && deal.2 == transfer.code();
            let known = AGREED_RATES.iter().find(fits).filter(|_| !chance.one_in(6));
            let (contract, rate) = known.map_or(("LSB-FX-9999", "1.25"), |deal| (deal.0, deal.3));
            RequestedRate::Agreed(AgreedRate { rate: rate.parse().ok()?, contract: contract.to_owned() })
        }
    };
    Some(ExchangeRateRequest { unit, basis })
}

/// A payee with an IBAN or with an account at this bank. The bank is named if the account number does not identify it.
fn creditor(chance: &mut SeededRandom) -> (NamedAccount, Option<PayeeAgent>) {
    if chance.one_in(3) {
        let code = AgentCode::Bic("LOMBGB2L".to_owned());
        return (payee(chance), Some(PayeeAgent { code: Some(code), ..PayeeAgent::default() }));
    }
    let iban = AccountIdentification::new(AccountScheme::Iban, "DE89370400440532013000");
    (NamedAccount::under_name(iban, "Stadtwerke".to_owned()), None)
}
