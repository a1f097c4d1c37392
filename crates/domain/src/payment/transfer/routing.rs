//! The rail of a payment: the requested one, else the default. Validation and execution share this choice.

use super::{Instrument, International, Priority, Route, Transfer, default_charge_bearer};
use crate::account::AccountScheme;
use crate::money::Currency;

/// The country codes of IBANs within the reach of SEPA. Source: European Payments Council, list of countries in the
/// geographical scope of the SEPA schemes (EPC409-09).
const SEPA: [&str; 42] = [
    "AD", "AL", "AT", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GI", "GR", "HR", "HU",
    "IE", "IS", "IT", "LI", "LT", "LU", "LV", "MC", "MD", "ME", "MK", "MT", "NL", "NO", "PL", "PT", "RO", "RS", "SE",
    "SI", "SK", "SM", "VA",
];

impl Transfer {
    /// The rail that the payment uses. Source: PIS-139, INT-007.
    pub fn rail(&self) -> Instrument {
        self.credit().instrument.unwrap_or_else(|| match &self.route {
            Route::Domestic(_) => Instrument::FasterPayments,
            Route::International(payment) => payment.usual_rail(),
        })
    }
}

impl International {
    /// Euro payments to an IBAN within SEPA use a SEPA credit transfer, or TARGET2 if urgent. All others use SWIFT, and
    /// so do payments whose charge bearer those rails do not support. Source: INT-007, PIS-103.
    fn usual_rail(&self) -> Instrument {
        let euros = self.transfer == Currency::EUR && self.is_in_reach_of_sepa();
        let is_urgent = self.priority == Some(Priority::Urgent);
        let ways = [(Instrument::Target2, euros && is_urgent), (Instrument::SepaCreditTransfer, euros)];
        let fits = |(rail, open): &(Instrument, bool)| *open && default_charge_bearer(*rail, self.bearer).is_some();
        ways.into_iter().find(fits).map_or(Instrument::Swift, |(rail, _)| rail)
    }

    /// Whether the rail reaches the payee's bank: the euro rails reach SEPA only. Source: PIS-139.
    pub(in crate::payment) fn is_in_reach_of(&self, rail: Instrument) -> bool {
        match rail {
            Instrument::SepaCreditTransfer
            | Instrument::SepaInstantCreditTransfer
            | Instrument::Target2
            | Instrument::Euro1 => self.is_in_reach_of_sepa(),
            Instrument::Swift
            | Instrument::Bacs
            | Instrument::Chaps
            | Instrument::FasterPayments
            | Instrument::BalanceTransfer
            | Instrument::MoneyTransfer
            | Instrument::Paym
            | Instrument::Link => true,
        }
    }

    fn is_in_reach_of_sepa(&self) -> bool {
        let account = &self.credit.creditor;
        let country = account.number.get(..2).filter(|_| account.scheme == AccountScheme::Iban);
        country.is_some_and(|country| SEPA.contains(&country))
    }
}
