//! Parses the values of payment settings from the text form that operators write.

use super::value::ListItem;
use crate::server::MIDDLE_RATES as MIDDLE;
use lombard_domain::ids::PsuId;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::RateAgreement;
use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair};
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::payment::transfer::{AfterCutOffPolicy, Instrument};
use lombard_domain::payment::{PaymentContext, PaymentProduct};
use lombard_wire::v3_1::payments::names;

/// The cut-off time of an instrument on working days, such as `CHAPS 14:30 refuse`, `BACS 16:00 accept` or `CHAPS none`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutOffTime {
    /// The instrument.
    pub instrument: Instrument,
    /// Hours and minutes in London, and the policy for later payments; `None` if there is no cut-off time.
    pub last: Option<(i8, i8, AfterCutOffPolicy)>,
}

/// A middle rate, such as `EUR 1.1640`: the amount of the currency for one pound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiddleRate {
    /// The currency.
    pub currency: Currency,
    /// The rate.
    pub rate: ConversionRate,
}

/// The default middle rates.
pub(super) fn usual_rates() -> Vec<MiddleRate> {
    let row = |(currency, rate): &(&str, &str)| MiddleRate::read(&format!("{currency} {rate}"));
    MIDDLE.iter().filter_map(row).collect()
}

/// The default local instruments of a product. Source: PIS-139.
pub(super) fn usual_instruments(product: PaymentProduct) -> Vec<Instrument> {
    let usual = PaymentLimits::default().products.remove(&product);
    usual.map(|it| it.instruments).unwrap_or_default()
}

/// The standard's name of an instrument, without its namespace. Source: PIS-138.
fn name(instrument: Instrument) -> &'static str {
    let name = names::instrument(instrument);
    name.strip_prefix("UK.OBIE.").unwrap_or(name)
}

impl ListItem for Instrument {
    const KIND: &'static str = "a list of instruments, such as `[\"FPS\", \"CHAPS\"]`";

    fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|instrument| name(*instrument) == text)
    }

    fn write(&self) -> String {
        name(*self).to_owned()
    }
}

impl ListItem for PaymentProduct {
    const KIND: &'static str = "a list of products, such as `[\"domestic-payment\"]`";

    fn read(text: &str) -> Option<Self> {
        Self::from_name(text)
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

/// The payment contexts in use. Consents of v4.0, which alone has the commercial types, can have no others. Source: PIS-144, CVRP-003.
impl ListItem for PaymentContext {
    const KIND: &'static str = "a list of payment contexts that are not deprecated, such as `[\"TransferToSelf\"]`";

    fn read(text: &str) -> Option<Self> {
        Self::CURRENT.into_iter().find(|context| names::payment_context(*context) == text)
    }

    fn write(&self) -> String {
        names::payment_context(*self).to_owned()
    }
}

impl ListItem for Amount {
    const KIND: &'static str = "a list of amounts, such as `[\"GBP 1000000.00\"]`";

    fn read(text: &str) -> Option<Self> {
        let (currency, amount) = text.split_once(' ')?;
        Self::parse(amount, currency.parse().ok()?).ok()
    }

    fn write(&self) -> String {
        format!("{} {}", self.currency(), self.decimal())
    }
}

impl ListItem for Currency {
    const KIND: &'static str = "a list of currencies, such as `[\"GBP\", \"EUR\"]`";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn write(&self) -> String {
        self.code().to_owned()
    }
}

impl ListItem for MiddleRate {
    const KIND: &'static str = "a list of rates, such as `[\"EUR 1.1640\", \"JPY 190.50\"]`";

    fn read(text: &str) -> Option<Self> {
        let (currency, rate) = text.split_once(' ')?;
        Some(Self { currency: currency.parse().ok()?, rate: rate.parse().ok()? })
    }

    fn write(&self) -> String {
        format!("{} {}", self.currency, self.rate.decimal())
    }
}

impl ListItem for RateAgreement {
    const KIND: &'static str = "a list of agreed rates, such as `[\"FX-2026-17 amelia GBP EUR 1.1700\"]`";

    fn read(text: &str) -> Option<Self> {
        let mut words = text.rsplitn(5, ' ');
        let rate = words.next()?;
        let transfer = words.next()?;
        let unit = words.next()?;
        let holder = Some(PsuId::from(words.next().filter(|it| !it.is_empty())?));
        let contract = words.next().filter(|it| (1..=256).contains(&it.chars().count()))?;
        let pair = CurrencyPair { unit: unit.parse().ok()?, transfer: transfer.parse().ok()? };
        Some(Self { pair, deal: AgreedRate { rate: rate.parse().ok()?, contract: contract.to_owned() }, holder })
    }

    fn write(&self) -> String {
        let (CurrencyPair { unit, transfer }, AgreedRate { rate, contract }) = (self.pair, &self.deal);
        let holder = self.holder.as_ref().map(PsuId::as_str).unwrap_or_default();
        format!("{contract} {holder} {unit} {transfer} {}", rate.decimal())
    }
}

impl ListItem for CutOffTime {
    const KIND: &'static str = "a list of last moments, such as `[\"CHAPS 14:30 refuse\", \"BACS 16:00 accept\"]`";

    fn read(text: &str) -> Option<Self> {
        let words: Vec<_> = text.split(' ').collect();
        let (instrument, last) = match *words {
            [instrument, "none"] => (instrument, None),
            [instrument, time, "refuse"] => (instrument, Some((time, AfterCutOffPolicy::Refused))),
            [instrument, time, "accept"] => (instrument, Some((time, AfterCutOffPolicy::Accepted))),
            _ => return None,
        };
        let last = match last {
            Some((time, lateness)) => {
                let (hour, minute) = time_of_day(time)?;
                Some((hour, minute, lateness))
            }
            None => None,
        };
        Some(Self { instrument: Instrument::read(instrument)?, last })
    }

    fn write(&self) -> String {
        let instrument = name(self.instrument);
        match self.last {
            Some((hour, minute, lateness)) => {
                let late = match lateness {
                    AfterCutOffPolicy::Refused => "refuse",
                    AfterCutOffPolicy::Accepted => "accept",
                };
                format!("{instrument} {hour:02}:{minute:02} {late}")
            }
            None => format!("{instrument} none"),
        }
    }
}

/// Parses hours and minutes, such as `09:30`.
fn time_of_day(text: &str) -> Option<(i8, i8)> {
    let (hour, minute) = text.split_once(':')?;
    let number = |part: &str, most: i8| {
        let digits = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i8>().ok().filter(|number| digits && *number <= most)
    };
    Some((number(hour, 23)?, number(minute, 59)?))
}
