//! The kinds of consent and their properties.

use crate::code::StoredCode;
use crate::payment::PaymentProduct;
use crate::scope::Scope;

/// The kind of a consent, without its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsentKind {
    /// Account information.
    AccountAccess,
    /// A payment.
    Payment(PaymentProduct),
    /// Confirmation of funds.
    FundsConfirmation,
}

impl ConsentKind {
    /// The name of the kind, as stored and logged.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AccountAccess => "account-access",
            Self::Payment(product) => product.consent_resource_type().name(),
            Self::FundsConfirmation => "funds-confirmation",
        }
    }

    /// The scope of consents of this kind. Source: AS-050.
    pub const fn scope(self) -> Scope {
        match self {
            Self::AccountAccess => Scope::Accounts,
            Self::Payment(product) => product.consent_resource_type().scope(),
            Self::FundsConfirmation => Scope::FundsConfirmations,
        }
    }

    /// Whether the PSU may authenticate again while the consent is authorised. Source: RW-305, AS-130.
    pub const fn is_long_lived(self) -> bool {
        match self {
            Self::AccountAccess | Self::FundsConfirmation => true,
            Self::Payment(product) => product.reuses_consents(),
        }
    }
}

impl StoredCode for ConsentKind {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        let payments = PaymentProduct::ALL.into_iter().map(Self::Payment);
        [Self::AccountAccess, Self::FundsConfirmation].into_iter().chain(payments).find(|kind| kind.name() == word)
    }
}
