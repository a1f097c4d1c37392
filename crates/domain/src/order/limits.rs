//! What this bank offers: instruments and schemes by product, ceilings, the horizon. Facts for TPPs to read. Source: PIS-021.

use super::{Instrument, PaymentProduct};
use crate::account::AccountScheme;
use crate::exchange::ExchangeLimits;
use crate::money::{Amount, Currency};
use crate::refusal::{Fault, FaultCode, Field};
use crate::vrp::VrpCapabilities;
use std::collections::BTreeMap;

/// What is offered of one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductLimits {
    /// The instruments a TPP may ask for. Source: PIS-139.
    pub instruments: Vec<Instrument>,
    /// The schemes an account to pay from may be named in.
    pub debtor_schemes: Vec<AccountScheme>,
    /// The schemes an account to pay to may be named in.
    pub creditor_schemes: Vec<AccountScheme>,
}

/// What is offered of payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentLimits {
    /// By product; one that is absent is not offered.
    pub products: BTreeMap<PaymentProduct, ProductLimits>,
    /// The most one payment may be, by currency; a currency that is absent has no ceiling. Source: PIS-124.
    pub ceilings: Vec<Amount>,
    /// How far ahead a payment's day, or a standing order's first, may lie. Source: SCH-003.
    pub horizon_days: i32,
    /// The instruments on which texts that are too long are cut; on the others they are refused. Source: PIS-133.
    pub cuts: Vec<Instrument>,
    /// Whether a payment must say what it is for. Source: PIS-145.
    pub context_required: bool,
    /// What is offered of foreign exchange.
    pub exchange: ExchangeLimits,
    /// What is offered of variable recurring payments.
    pub vrp: VrpCapabilities,
    /// Whether payments between a customer's own accounts may leave open where to. Source: VRP-015.
    pub sweeps_anywhere: bool,
}

impl PaymentLimits {
    /// The most one payment in the currency may be.
    pub fn ceiling(&self, currency: Currency) -> Option<Amount> {
        self.ceilings.iter().copied().find(|ceiling| ceiling.currency() == currency)
    }

    /// Whether an amount is more than one payment may be. Source: PIS-124.
    pub fn is_above_ceiling(&self, amount: Amount) -> bool {
        self.ceiling(amount.currency()).is_some_and(|ceiling| amount.minor() > ceiling.minor())
    }

    /// The fault of such an amount. Source: PIS-124.
    pub fn above_ceiling(at: Field) -> Fault {
        Fault::field(FaultCode::FieldInvalid, at, "The amount is more than one payment may be.")
    }
}

/// Offered unless the operator says otherwise. Source: PIS-114, PIS-124, PIS-139, SCH-003.
impl Default for PaymentLimits {
    fn default() -> Self {
        Self {
            products: PaymentProduct::ALL.into_iter().map(|product| (product, ProductLimits::usual(product))).collect(),
            ceilings: vec![
                Amount::from_minor(100_000_000, Currency::GBP),
                Amount::from_minor(100_000_000, Currency::EUR),
            ],
            horizon_days: 366,
            cuts: Instrument::ALL.to_vec(),
            context_required: false,
            exchange: ExchangeLimits::default(),
            vrp: VrpCapabilities::default(),
            sweeps_anywhere: false,
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
            // No instrument that costs something: nobody is told what each payment of a file costs.
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
