//! Local instruments: the rails that a payment may use. Source: PIS-138, PIS-139.

use crate::money::Currency;

/// A local instrument of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instrument {
    /// Bacs direct credit; settles in three working days.
    Bacs,
    /// CHAPS, the same-day high-value system.
    Chaps,
    /// Faster Payments; immediate, on every day.
    FasterPayments,
    /// SWIFT, through a correspondent bank.
    Swift,
    /// A transfer of a card balance to another card.
    BalanceTransfer,
    /// A transfer from a card to a bank account.
    MoneyTransfer,
    /// Paym, to a mobile number.
    Paym,
    /// EURO1.
    Euro1,
    /// SEPA credit transfer.
    SepaCreditTransfer,
    /// SEPA instant credit transfer.
    SepaInstantCreditTransfer,
    /// LINK, the cash machine network.
    Link,
    /// TARGET2.
    Target2,
}

crate::code::document_codes! {
    Instrument {
        Bacs = "bacs", Chaps = "chaps", FasterPayments = "faster-payments", Swift = "swift",
        BalanceTransfer = "balance-transfer", MoneyTransfer = "money-transfer", Paym = "paym", Euro1 = "euro1",
        SepaCreditTransfer = "sepa-credit-transfer", SepaInstantCreditTransfer = "sepa-instant-credit-transfer",
        Link = "link", Target2 = "target2",
    }
}

impl Instrument {
    /// Every instrument of the standard.
    pub const ALL: [Self; 12] = [
        Self::Bacs,
        Self::Chaps,
        Self::FasterPayments,
        Self::Swift,
        Self::BalanceTransfer,
        Self::MoneyTransfer,
        Self::Paym,
        Self::Euro1,
        Self::SepaCreditTransfer,
        Self::SepaInstantCreditTransfer,
        Self::Link,
        Self::Target2,
    ];

    /// The only currency that the instrument carries; `None` if it carries any currency. Source: PIS-123.
    pub const fn currency(self) -> Option<Currency> {
        match self {
            Self::Bacs
            | Self::Chaps
            | Self::FasterPayments
            | Self::BalanceTransfer
            | Self::MoneyTransfer
            | Self::Paym
            | Self::Link => Some(Currency::GBP),
            Self::Euro1 | Self::SepaCreditTransfer | Self::SepaInstantCreditTransfer | Self::Target2 => {
                Some(Currency::EUR)
            }
            Self::Swift => None,
        }
    }

    /// Whether the debtor account must be a card account; all other instruments exclude card accounts. Source: PIS-139.
    pub const fn takes_from_cards(self) -> bool {
        match self {
            Self::BalanceTransfer | Self::MoneyTransfer => true,
            Self::Bacs
            | Self::Chaps
            | Self::FasterPayments
            | Self::Swift
            | Self::Paym
            | Self::Euro1
            | Self::SepaCreditTransfer
            | Self::SepaInstantCreditTransfer
            | Self::Link
            | Self::Target2 => false,
        }
    }

    /// Whether the instrument executes payments on every day; the others execute only on working days. Source: SCH-004.
    pub const fn runs_every_day(self) -> bool {
        match self {
            Self::FasterPayments | Self::Paym | Self::Link | Self::SepaInstantCreditTransfer => true,
            Self::Bacs
            | Self::Chaps
            | Self::Swift
            | Self::BalanceTransfer
            | Self::MoneyTransfer
            | Self::Euro1
            | Self::SepaCreditTransfer
            | Self::Target2 => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Instrument as I;

    #[test]
    fn pis_123_pis_139_sch_004_what_the_rails_carry_take_and_run_on() {
        let those = |has: fn(I) -> bool| I::ALL.into_iter().filter(|it| has(*it)).collect::<Vec<_>>();
        assert_eq!(those(I::takes_from_cards), [I::BalanceTransfer, I::MoneyTransfer]);
        assert_eq!(those(I::runs_every_day), [I::FasterPayments, I::Paym, I::SepaInstantCreditTransfer, I::Link]);
        assert_eq!(those(|it| it.currency().is_none()), [I::Swift]);
    }
}
