//! The content of a consent, by kind.

use super::{AccountAccess, ConsentKind, FundsConfirmationTerms, PaymentConsent};
use serde::{Deserialize, Serialize};

/// The content of a consent, one variant per kind. No match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsentRequest {
    /// Account information. Source: `OBReadConsent1/Data`.
    AccountAccess(AccountAccess),
    /// A payment order of one of the products, or VRP.
    Payment(Box<PaymentConsent>),
    /// Confirmation of funds. Source: CBP-001.
    FundsConfirmation(FundsConfirmationTerms),
}

impl ConsentRequest {
    /// The kind of this request.
    pub const fn kind(&self) -> ConsentKind {
        match self {
            Self::AccountAccess(_) => ConsentKind::AccountAccess,
            Self::Payment(payment) => ConsentKind::Payment(payment.terms.product()),
            Self::FundsConfirmation(_) => ConsentKind::FundsConfirmation,
        }
    }

    /// The account-access request; `None` for another kind.
    pub const fn account_access(&self) -> Option<&AccountAccess> {
        match self {
            Self::AccountAccess(access) => Some(access),
            Self::Payment(_) | Self::FundsConfirmation(_) => None,
        }
    }

    /// The payment request; `None` for another kind.
    pub const fn payment(&self) -> Option<&PaymentConsent> {
        match self {
            Self::Payment(payment) => Some(payment),
            Self::AccountAccess(_) | Self::FundsConfirmation(_) => None,
        }
    }

    /// The funds-confirmation request; `None` for another kind.
    pub const fn funds_confirmation(&self) -> Option<&FundsConfirmationTerms> {
        match self {
            Self::FundsConfirmation(named) => Some(named),
            Self::AccountAccess(_) | Self::Payment(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::Permission;
    use crate::payment::PaymentProduct;
    use crate::scope::Scope;

    #[test]
    fn as_050_each_kind_of_consent_has_its_scope_and_its_terms() {
        let permissions = [Permission::ReadAccountsBasic].into_iter().collect();
        let it = ConsentRequest::AccountAccess(AccountAccess {
            permissions,
            transactions_from: None,
            transactions_to: None,
        });
        assert_eq!((it.kind(), it.kind().scope()), (ConsentKind::AccountAccess, Scope::Accounts));
        assert!(it.account_access().is_some_and(|access| access.permissions.contains(Permission::ReadAccountsBasic)));
        assert!(it.payment().is_none() && it.funds_confirmation().is_none());
        assert_eq!(ConsentKind::FundsConfirmation.scope(), Scope::FundsConfirmations);
        assert!(
            PaymentProduct::ALL.into_iter().all(|product| ConsentKind::Payment(product).scope() == Scope::Payments)
        );
        let mut names: Vec<_> =
            PaymentProduct::ALL.into_iter().map(|product| ConsentKind::Payment(product).name()).collect();
        names.extend([ConsentKind::AccountAccess.name(), ConsentKind::FundsConfirmation.name()]);
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 10, "they are stored: {names:?}");
    }
}
