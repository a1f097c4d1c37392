//! Objects that the payment requests share.

use super::values::{Country, RailText, UpTo};
use crate::parse::object;
use crate::time::SentInstant;
use lombard_domain::account::{AddressType, PostalAddress};
use lombard_domain::order::{
    AppliedAuthenticationApproach, References, RequestedAuthorisation, RequestedAuthorisationType, ScaExemption,
    ScaSupport,
};

/// Declares the objects that requests share, in two modules: closed, and open for the payment classes that allow
/// unknown members. Source: PIS-157.
macro_rules! shared {
    ($(#[$doc:meta])* $module:ident: $openness:ident) => {
        $(#[$doc])*
        pub(crate) mod $module {
            use crate::parse::object;
            use crate::v3_1::payments::values::RailText;
            use lombard_domain::account::{AccountScheme, AccountIdentification};
            use lombard_domain::order::{NamedAccount, References};

            object! {
                /// Source: `OBWriteDomestic2/Data/Initiation/DebtorAccount`, `OBFundsConfirmationConsent1/Data/DebtorAccount`.
                struct DebtorAccount: $openness {
                    required scheme: AccountScheme = "SchemeName",
                    required number: RailText<1, 256> = "Identification",
                    optional name: RailText<1, 350> = "Name",
                    optional secondary: RailText<1, 34> = "SecondaryIdentification",
                }
            }

            impl From<DebtorAccount> for AccountIdentification {
                fn from(it: DebtorAccount) -> Self {
                    let (name, secondary) = (it.name.map(|name| name.0), it.secondary.map(|secondary| secondary.0));
                    Self { scheme: it.scheme, number: it.number.0, name, secondary }
                }
            }

            object! {
                /// An account with its holder's name. Source: PIS-117,
                /// `OBWriteDomestic2/Data/Initiation/CreditorAccount`, `OBCashAccountDebtorWithName`,
                /// `OBCashAccountCreditor3`.
                struct CreditorAccount: $openness {
                    required scheme: AccountScheme = "SchemeName",
                    required number: RailText<1, 256> = "Identification",
                    required name: RailText<1, 350> = "Name",
                    optional secondary: RailText<1, 34> = "SecondaryIdentification",
                }
            }

            impl From<CreditorAccount> for NamedAccount {
                fn from(it: CreditorAccount) -> Self {
                    let secondary = it.secondary.map(|secondary| secondary.0);
                    let account = AccountIdentification { scheme: it.scheme, number: it.number.0, name: None, secondary };
                    Self::under_name(account, it.name.0)
                }
            }

            object! {
                /// Source: PIS-131, `OBWriteDomestic2/Data/Initiation/RemittanceInformation`, `OBVRPRemittanceInformation`.
                struct Remittance: $openness {
                    optional message: RailText<1, 140> = "Unstructured",
                    optional reference: RailText<1, 35> = "Reference",
                }
            }

            impl From<Remittance> for References {
                fn from(it: Remittance) -> Self {
                    let (message, reference) = (it.message.map(|text| text.0), it.reference.map(|text| text.0));
                    Self { message, reference, ..Self::default() }
                }
            }
        }
    };
}

shared! {
    /// Unknown members are rejected.
    closed: Closed
}
shared! {
    /// Unknown members are accepted.
    open: Open
}

pub(crate) use closed::{CreditorAccount, DebtorAccount, Remittance};

object! {
    /// Source: `OBPostalAddress6`.
    struct Address: Closed {
        optional kind: AddressType = "AddressType",
        optional department: RailText<1, 70> = "Department",
        optional sub_department: RailText<1, 70> = "SubDepartment",
        optional street: RailText<1, 70> = "StreetName",
        optional building: RailText<1, 16> = "BuildingNumber",
        optional post_code: RailText<1, 16> = "PostCode",
        optional town: RailText<1, 35> = "TownName",
        optional county: RailText<1, 35> = "CountrySubDivision",
        optional country: Country = "Country",
        optional lines: UpTo<RailText<1, 70>, 7> = "AddressLine",
    }
}

impl From<Address> for PostalAddress {
    fn from(it: Address) -> Self {
        Self {
            kind: it.kind,
            department: it.department.map(|text| text.0),
            sub_department: it.sub_department.map(|text| text.0),
            street: it.street.map(|text| text.0),
            building: it.building.map(|text| text.0),
            post_code: it.post_code.map(|text| text.0),
            town: it.town.map(|text| text.0),
            county: it.county.map(|text| text.0),
            country: it.country.map(|country| country.0),
            lines: it.lines.map_or_else(Vec::new, |lines| lines.0.into_iter().map(|line| line.0).collect()),
        }
    }
}

/// The references of a payment, from their members in v3.1.
pub(crate) fn references(
    instruction: Option<RailText<1, 35>>,
    end_to_end: Option<RailText<1, 35>>,
    remittance: Option<Remittance>,
) -> References {
    let (instruction, end_to_end) = (instruction.map(|text| text.0), end_to_end.map(|text| text.0));
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
