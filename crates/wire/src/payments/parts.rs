//! Objects that the payment requests share.

use super::forms::PaymentForms;
use super::values::RailText;
use crate::parse::object;
use crate::time::SentInstant;
use lombard_domain::account::AccountIdentification;
use lombard_domain::payment::order::{
    AppliedAuthenticationApproach, RequestedAuthorisation, RequestedAuthorisationType, ScaExemption, ScaSupport,
};
use lombard_domain::payment::transfer::{NamedAccount, References};

/// Declares the accounts of requests, in two modules: closed, and open for the payment classes that allow unknown
/// members, in which the creditor's name has a type of its own. Source: PIS-157, VRP-016.
macro_rules! accounts {
    ($(#[$doc:meta])* $module:ident: $openness:ident, $name:ty) => {
        $(#[$doc])*
        pub(crate) mod $module {
            use crate::parse::object;
            use crate::payments::forms::PaymentForms;
            use crate::payments::values::RailText;
            use crate::payments::proxy::RequestedProxy;
            use lombard_domain::account::{AccountScheme, AccountIdentification};
            use lombard_domain::payment::transfer::NamedAccount;

            object! {
                /// Source: `OBWriteDomestic2/Data/Initiation/DebtorAccount`, `OBFundsConfirmationConsent1/Data/DebtorAccount`.
                struct DebtorAccount<V: PaymentForms>: $openness {
                    required scheme: AccountScheme = "SchemeName",
                    required number: RailText<1, 256> = "Identification",
                    optional name: RailText<1, 350> = "Name",
                    optional secondary: RailText<1, 34> = "SecondaryIdentification",
                    optional proxy: V::Only4<RequestedProxy> = "Proxy",
                }
            }

            impl<V: PaymentForms> From<DebtorAccount<V>> for AccountIdentification {
                fn from(it: DebtorAccount<V>) -> Self {
                    let name = it.name.map(|name| name.0);
                    let secondary = it.secondary.map(|secondary| secondary.0);
                    let proxy = it.proxy.and_then(Into::into).map(|proxy| Box::new(proxy.into()));
                    Self { scheme: it.scheme, number: it.number.0, name, secondary, proxy }
                }
            }

            object! {
                /// An account with its holder's name. Source: PIS-117,
                /// `OBWriteDomestic2/Data/Initiation/CreditorAccount`, `OBCashAccountDebtorWithName`,
                /// `OBCashAccountCreditor3`.
                struct CreditorAccount<V: PaymentForms>: $openness {
                    required scheme: AccountScheme = "SchemeName",
                    required number: RailText<1, 256> = "Identification",
                    required name: $name = "Name",
                    optional secondary: RailText<1, 34> = "SecondaryIdentification",
                    optional proxy: V::Only4<RequestedProxy> = "Proxy",
                }
            }

            impl<V: PaymentForms> From<CreditorAccount<V>> for NamedAccount {
                fn from(it: CreditorAccount<V>) -> Self {
                    let secondary = it.secondary.map(|secondary| secondary.0);
                    let proxy = it.proxy.and_then(Into::into).map(|proxy| Box::new(proxy.into()));
                    let account = AccountIdentification { scheme: it.scheme, number: it.number.0, name: None, secondary, proxy };
                    Self::under_name(account, it.name.into())
                }
            }
        }
    };
}

accounts! {
    /// Unknown members are rejected.
    closed: Closed, RailText<1, 350>
}
accounts! {
    /// Unknown members are accepted.
    open: Open, V::VrpCreditorName
}

pub(crate) use closed::{CreditorAccount, DebtorAccount};

/// The debtor account of a VRP request in v3.1, which must have a name. Source: PIS-117.
impl<V: PaymentForms> From<open::CreditorAccount<V>> for AccountIdentification {
    fn from(it: open::CreditorAccount<V>) -> Self {
        (*NamedAccount::from(it)).clone()
    }
}

/// The references of a payment.
pub(crate) fn references<R: Into<References>>(
    instruction: Option<RailText<1, 35>>,
    end_to_end: Option<RailText<1, 35>>,
    remittance: Option<R>,
) -> References {
    let instruction = instruction.map(|text| text.0);
    let end_to_end = end_to_end.map(|text| text.0);
    References { instruction, end_to_end, ..remittance.map(Into::into).unwrap_or_default() }
}

object! {
    /// The standard documents no members, so only an empty object is accepted. Source: PIS-158, `OBSupplementaryData1`.
    struct SupplementaryData: Closed {}
}

object! {
    /// Source: PIS-110, `OBWriteDomesticConsent4/Data/Authorisation`.
    struct Authorisation: Closed {
        required kind: RequestedAuthorisationType = "AuthorisationType",
        optional complete_by: SentInstant = "CompletionDateTime",
    }
}

impl From<Authorisation> for RequestedAuthorisation {
    fn from(it: Authorisation) -> Self {
        Self { kind: it.kind, complete_by: it.complete_by.map(|sent| sent.instant) }
    }
}

object! {
    /// Unknown members are accepted (PIS-157). Source: PIS-150, `OBSCASupportData1`.
    struct ScaSupportData: Open {
        optional exemption: ScaExemption = "RequestedSCAExemptionType",
        optional applied: AppliedAuthenticationApproach = "AppliedAuthenticationApproach",
        optional earlier_order: RailText<1, 40> = "ReferencePaymentOrderId",
    }
}

impl From<ScaSupportData> for ScaSupport {
    fn from(it: ScaSupportData) -> Self {
        let earlier_order = it.earlier_order.map(|id| id.0.into());
        Self { exemption: it.exemption, applied: it.applied, earlier_order }
    }
}
