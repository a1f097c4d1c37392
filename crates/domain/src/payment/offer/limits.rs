//! The bank's payment offer: instruments and schemes by product, ceilings, horizon. Published for TPPs. Source:
//! PIS-021.

use crate::account::AccountScheme;
use crate::frequency::ScottishQuarterDays;
use crate::money::{Amount, Currency};
use crate::payment::PaymentProduct;
use crate::payment::exchange::ExchangeLimits;
use crate::payment::transfer::Instrument;
use crate::payment::vrp::VrpCapabilities;
use crate::refusal::{Fault, FaultCode, Field};
use std::collections::BTreeMap;

/// The offer for one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductLimits {
    /// The instruments that a TPP may name. Source: PIS-139.
    pub instruments: Vec<Instrument>,
    /// The schemes in which the debtor account may be named.
    pub debtor_schemes: Vec<AccountScheme>,
    /// The schemes in which the creditor account may be named.
    pub creditor_schemes: Vec<AccountScheme>,
}

/// The bank's payment offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentLimits {
    /// The offer by product; a product that is absent is not offered.
    pub products: BTreeMap<PaymentProduct, ProductLimits>,
    /// The largest amount of one payment, by currency; a currency that is absent has no ceiling. Source: PIS-124.
    pub ceilings: Vec<Amount>,
    /// The largest number of days ahead for a scheduled payment, or for the first payment of a standing order. Source:
    /// SCH-003.
    pub horizon_days: i32,
    /// The instruments on which texts that are too long are truncated; on the others they are rejected. Source:
    /// PIS-133.
    pub truncating_instruments: Vec<Instrument>,
    /// Whether `PaymentContextCode` is mandatory. Source: PIS-145.
    pub context_required: bool,
    /// The offer of foreign exchange.
    pub exchange: ExchangeLimits,
    /// The offer of variable recurring payments.
    pub vrp: VrpCapabilities,
    /// Whether new standing orders of v4.0 may have a frequency in the words of v3.1. Source: V4-017, X-24.
    pub legacy_frequency: bool,
    /// The days that new schedules use as Scottish quarter days. Source: X-23.
    pub scottish_quarter_days: ScottishQuarterDays,
    /// Whether a sweeping VRP consent may omit the creditor account. Source: VRP-015.
    pub allows_sweeping_without_creditor: bool,
}

impl PaymentLimits {
    /// The largest amount of one payment in this currency.
    pub fn ceiling(&self, currency: Currency) -> Option<Amount> {
        self.ceilings.iter().copied().find(|ceiling| ceiling.currency() == currency)
    }

    /// Whether the amount exceeds the ceiling. Source: PIS-124.
    pub fn is_above_ceiling(&self, amount: Amount) -> bool {
        self.ceiling(amount.currency()).is_some_and(|ceiling| amount.minor() > ceiling.minor())
    }

    /// The fault of an amount above the ceiling. Source: PIS-124.
    pub fn above_ceiling(at: Field) -> Fault {
        Fault::field(FaultCode::FieldInvalid, at, "The amount is more than one payment may be.")
    }
}

/// The default offer. Source: PIS-114, PIS-124, PIS-139, SCH-003.
impl Default for PaymentLimits {
    fn default() -> Self {
        Self {
            products: PaymentProduct::ALL.into_iter().map(|product| (product, ProductLimits::usual(product))).collect(),
            ceilings: vec![
                Amount::from_minor(100_000_000, Currency::GBP),
                Amount::from_minor(100_000_000, Currency::EUR),
            ],
            horizon_days: 366,
            truncating_instruments: Instrument::ALL.to_vec(),
            context_required: false,
            exchange: ExchangeLimits::default(),
            vrp: VrpCapabilities::default(),
            legacy_frequency: false,
            scottish_quarter_days: ScottishQuarterDays::default(),
            allows_sweeping_without_creditor: false,
        }
    }
}

impl ProductLimits {
    fn usual(product: PaymentProduct) -> Self {
        use AccountScheme as S;
        use Instrument as I;
        const ABROAD: &[Instrument] =
            &[I::Swift, I::SepaCreditTransfer, I::SepaInstantCreditTransfer, I::Target2, I::Euro1];
        let (instruments, creditors): (&[I], &[S]) = match product {
            PaymentProduct::DomesticPayment => (
                &[I::FasterPayments, I::Chaps, I::Bacs, I::BalanceTransfer, I::MoneyTransfer],
                &[S::SortCodeAccountNumber, S::Iban, S::Pan],
            ),
            PaymentProduct::DomesticScheduledPayment => {
                (&[I::FasterPayments, I::Bacs, I::Chaps], &[S::SortCodeAccountNumber, S::Iban])
            }
            PaymentProduct::DomesticStandingOrder => (&[], &[S::SortCodeAccountNumber, S::Iban]),
            // Only instruments without charges: the charges of a file's payments are not shown one by one.
            PaymentProduct::FilePayment => (&[I::FasterPayments, I::Bacs], &[S::SortCodeAccountNumber, S::Iban]),
            PaymentProduct::DomesticVrp => (&[I::FasterPayments], &[S::SortCodeAccountNumber, S::Iban]),
            PaymentProduct::InternationalPayment | PaymentProduct::InternationalScheduledPayment => {
                (ABROAD, &[S::Iban, S::Bban, S::SortCodeAccountNumber])
            }
            PaymentProduct::InternationalStandingOrder => (&[], &[S::Iban, S::Bban, S::SortCodeAccountNumber]),
        };
        Self {
            instruments: instruments.to_vec(),
            debtor_schemes: vec![S::SortCodeAccountNumber, S::Iban, S::Pan],
            creditor_schemes: creditors.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payment::transfer::tests::pounds;

    #[test]
    fn pis_124_a_ceiling_is_for_its_currency_and_may_be_reached() {
        let limits = PaymentLimits {
            ceilings: vec![pounds(500), Amount::from_minor(900, Currency::EUR)],
            ..PaymentLimits::default()
        };
        for (minor, currency, above) in [
            (500, Currency::GBP, false),
            (501, Currency::GBP, true),
            (900, Currency::EUR, false),
            (901, Currency::EUR, true),
            (u64::MAX, Currency::USD, false),
        ] {
            assert_eq!(limits.is_above_ceiling(Amount::from_minor(minor, currency)), above, "{minor} {currency}");
        }
        assert_eq!(limits.ceiling(Currency::EUR), Some(Amount::from_minor(900, Currency::EUR)));
    }
}
