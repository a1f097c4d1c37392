//! The risk block. Source: section 2.17, `OBRisk1`.

use super::forms::{PaymentForms, RiskForms};
use super::values::RailText;
use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath, object};
use crate::payments::codes::CategoryPurposeCode;
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::transfer::{Transfer, TransferDetails};
use lombard_domain::refusal::{FaultCode, RiskField};
use serde_json::Value;
use std::marker::PhantomData;

/// The risk block of a new consent.
#[derive(Debug)]
pub(crate) struct NewRisk<V>(PhantomData<V>);

impl<V: PaymentForms> RiskForms for NewRisk<V> {
    type Context = V::Context;
    type Purpose = V::Purpose;
    type Delivery = V::DeliveryAddress;
}

/// The risk block of a consent that may have been created through an older version, and of the payments that must repeat it. It
/// may have any payment context. Source: V4-028.
#[derive(Debug)]
pub(crate) struct KeptRisk<V>(PhantomData<V>);

impl<V: PaymentForms> RiskForms for KeptRisk<V> {
    type Context = PaymentContext;
    type Purpose = V::Purpose;
    type Delivery = V::DeliveryAddress;
}

object! {
    /// The members that the bank uses are parsed, the others only checked and echoed. Members that official
    /// files and examples of v3.1 misspell are accepted as well (PIS-148). The payment context is that of a new consent,
    /// or any that an older consent may have. Source: PIS-143, PIS-144.
    struct Risk<V: PaymentForms, R: RiskForms>: Closed {
        optional context: R::Context = "PaymentContextCode",
        optional merchant_category: RailText<3, 4> = "MerchantCategoryCode",
        optional merchant_customer: RailText<1, 70> = "MerchantCustomerIdentification",
        optional contract_present: bool = "ContractPresentIndicator",
        optional _contract_present_misspelt: V::Only3<bool> = "ContractPresentInidicator",
        optional prepopulated: bool = "BeneficiaryPrepopulatedIndicator",
        optional _prepopulated_misnamed: V::Only3<bool> = "BeneficiaryPaymentDetailsPrepopulatedIndicator",
        optional purpose: R::Purpose = "PaymentPurposeCode",
        optional category: V::Only4<CategoryPurposeCode> = "CategoryPurposeCode",
        optional _beneficiary: BeneficiaryAccountType = "BeneficiaryAccountType",
        optional _delivery: R::Delivery = "DeliveryAddress",
    }
}

impl<V: PaymentForms, R: RiskForms> Risk<V, R> {
    /// The payment with the purposes that this risk block states.
    pub(crate) fn with_purposes(&mut self, transfer: Transfer) -> Transfer {
        let purpose = self.purpose.take().and_then(Into::into);
        let category = self.category.take().and_then(Into::into);
        if purpose.is_none() && category.is_none() {
            return transfer;
        }
        let category_purpose = category.map(|code: CategoryPurposeCode| code.0);
        let details = transfer.details.as_deref().cloned().unwrap_or_default();
        transfer.with_details(TransferDetails { purpose, category_purpose, ..details })
    }

    /// The absent members of those that only commercial VRP may require. Source: CVRP-005.
    pub(crate) fn absent(&self) -> impl Iterator<Item = RiskField> {
        [
            (RiskField::MerchantCategory, self.merchant_category.is_none()),
            (RiskField::MerchantCustomer, self.merchant_customer.is_none()),
            (RiskField::ContractPresent, self.contract_present.is_none()),
            (RiskField::Prepopulated, self.prepopulated.is_none()),
            (RiskField::Purpose, self.purpose.is_none()),
            (RiskField::CategoryPurpose, self.category.is_none()),
        ]
        .into_iter()
        .filter_map(|(field, is_absent)| is_absent.then_some(field))
    }
}

/// The type of the beneficiary's account, which is only checked and echoed. Source: PIS-146,
/// `OBExternalExtendedAccountType1Code`.
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
