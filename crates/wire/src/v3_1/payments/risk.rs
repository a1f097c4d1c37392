//! The risk block. Source: section 2.17, `OBRisk1`.

use super::values::{Country, RailText, UpTo};
use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use lombard_domain::order::PaymentRisk;
use lombard_domain::refusal::FaultCode;
use serde_json::Value;

object! {
    /// The members that the bank's decisions use are parsed, the others only checked and echoed. Members that official
    /// files and examples misspell are accepted as well (PIS-148). Source: PIS-143.
    struct Risk: Closed {
        optional context: PaymentRisk = "PaymentContextCode",
        optional _merchant_category: RailText<3, 4> = "MerchantCategoryCode",
        optional _merchant_customer: RailText<1, 70> = "MerchantCustomerIdentification",
        optional _contract_present: bool = "ContractPresentIndicator",
        optional _contract_present_misspelt: bool = "ContractPresentInidicator",
        optional _prepopulated: bool = "BeneficiaryPrepopulatedIndicator",
        optional _prepopulated_misnamed: bool = "BeneficiaryPaymentDetailsPrepopulatedIndicator",
        optional _purpose: RailText<3, 4> = "PaymentPurposeCode",
        optional _beneficiary: BeneficiaryAccountType = "BeneficiaryAccountType",
        optional _delivery: DeliveryAddress = "DeliveryAddress",
    }
}

object! {
    /// Unknown members are accepted (PIS-157). Source: PIS-147.
    struct DeliveryAddress: Open {
        optional _lines: UpTo<RailText<1, 70>, 2> = "AddressLine",
        optional _street: RailText<1, 70> = "StreetName",
        optional _building: RailText<1, 16> = "BuildingNumber",
        optional _post_code: RailText<1, 16> = "PostCode",
        required _town: RailText<1, 35> = "TownName",
        optional _county: RailText<1, 35> = "CountrySubDivision",
        required _country: Country = "Country",
    }
}

/// Checked and echoed only. Source: PIS-146, `OBExternalExtendedAccountType1Code`.
#[derive(Debug)]
pub(crate) struct BeneficiaryAccountType;

const BENEFICIARY_ACCOUNT_TYPES: [&str; 15] = [
    "Personal",
    "JointPersonal",
    "PersonalSavingsAccount",
    "Business",
    "BusinessSavingsAccount",
    "Charity",
    "Collection",
    "Corporate",
    "Government",
    "Ewallet",
    "Investment",
    "ISA",
    "Premier",
    "Wealth",
    "Pension",
];

impl FromJson for BeneficiaryAccountType {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        one_of(BENEFICIARY_ACCOUNT_TYPES)
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        if BENEFICIARY_ACCOUNT_TYPES.contains(&text) {
            return Some(Self);
        }
        reader.fault(FaultCode::FieldInvalid, at, "Must be an account type of the standard.");
        None
    }
}
