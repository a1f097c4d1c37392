//! The JSON paths of the fields to which domain rules refer. Source: RW-124.

use crate::payments::{file, international};
use lombard_domain::refusal::{Field, RiskField};
use lombard_domain::version::Version;
use std::borrow::Cow;

/// The path of a field. v4.0 moved the dates and remittance information of standing orders. Source: section 10.2.
pub fn field_path(version: Version, field: Field) -> Cow<'static, str> {
    let moved = match (version, field) {
        (Version::V4_0, Field::Frequency) => "Data.Initiation.MandateRelatedInformation.Frequency.Type",
        (Version::V4_0, Field::FirstPayment) => "Data.Initiation.MandateRelatedInformation.FirstPaymentDateTime",
        (Version::V4_0, Field::RecurringPayment) => {
            "Data.Initiation.MandateRelatedInformation.RecurringPaymentDateTime"
        }
        (Version::V4_0, Field::FinalPayment) => "Data.Initiation.MandateRelatedInformation.FinalPaymentDateTime",
        (Version::V4_0, Field::RemittanceReference | Field::StandingOrderReference) => {
            "Data.Initiation.RemittanceInformation.Structured[0].CreditorReferenceInformation.Reference"
        }
        (Version::V4_0, Field::VrpReference) => {
            "Data.Instruction.RemittanceInformation.Structured[0].CreditorReferenceInformation.Reference"
        }
        (Version::V4_0, Field::RemittanceMessage) => "Data.Initiation.RemittanceInformation.Unstructured[0]",
        (Version::V3_1 | Version::V4_0, field) => return first(field),
    };
    Cow::Borrowed(moved)
}

/// The path of a field of a VRP payment: fields that are in `Data.Initiation` for other products are in `Data.Instruction` here.
/// Source: VRP-052.
pub fn vrp_field_path(version: Version, field: Field) -> Cow<'static, str> {
    match field_path(version, field).strip_prefix("Data.Initiation.") {
        Some(inside) => Cow::Owned(format!("Data.Instruction.{inside}")),
        None => field_path(version, field),
    }
}

/// The path of a field in v3.1.
fn first(field: Field) -> Cow<'static, str> {
    let fixed = match field {
        Field::Permissions => "Data.Permissions",
        Field::ConsentExpiration => "Data.ExpirationDateTime",
        Field::TransactionFrom => "Data.TransactionFromDateTime",
        Field::TransactionTo => "Data.TransactionToDateTime",
        Field::AuthorisationCompletion => "Data.Authorisation.CompletionDateTime",
        Field::AuthorisationType => "Data.Authorisation.AuthorisationType",
        Field::ConsentId => "Data.ConsentId",
        Field::ConsentStatus => "Data.Status",
        Field::CutOff => "Data.CutOffDateTime",
        Field::DebtorAccount => "Data.Initiation.DebtorAccount",
        Field::DebtorScheme => "Data.Initiation.DebtorAccount.SchemeName",
        Field::DebtorIdentification => "Data.Initiation.DebtorAccount.Identification",
        Field::DebtorSecondary => "Data.Initiation.DebtorAccount.SecondaryIdentification",
        Field::FundsScheme => "Data.DebtorAccount.SchemeName",
        Field::FundsIdentification => "Data.DebtorAccount.Identification",
        Field::FundsSecondary => "Data.DebtorAccount.SecondaryIdentification",
        Field::FundsReference => "Data.Reference",
        Field::FundsCurrency => "Data.InstructedAmount.Currency",
        Field::CreditorAccount => "Data.Initiation.CreditorAccount",
        Field::CreditorScheme => "Data.Initiation.CreditorAccount.SchemeName",
        Field::CreditorIdentification => "Data.Initiation.CreditorAccount.Identification",
        Field::CreditorSecondary => "Data.Initiation.CreditorAccount.SecondaryIdentification",
        Field::CreditorName => "Data.Initiation.CreditorAccount.Name",
        Field::CreditorAddress => "Data.Initiation.CreditorPostalAddress",
        Field::ReadRefundAccount => "Data.ReadRefundAccount",
        Field::EndToEnd => "Data.Initiation.EndToEndIdentification",
        Field::RemittanceReference => "Data.Initiation.RemittanceInformation.Reference",
        Field::RemittanceMessage => "Data.Initiation.RemittanceInformation.Unstructured",
        Field::StandingOrderReference => "Data.Initiation.Reference",
        Field::LocalInstrument => "Data.Initiation.LocalInstrument",
        Field::InstructedAmount => "Data.Initiation.InstructedAmount.Amount",
        Field::InstructedCurrency => "Data.Initiation.InstructedAmount.Currency",
        Field::RequestedExecution => "Data.Initiation.RequestedExecutionDateTime",
        Field::FirstAmount => "Data.Initiation.FirstPaymentAmount.Amount",
        Field::FirstCurrency => "Data.Initiation.FirstPaymentAmount.Currency",
        Field::RecurringAmount => "Data.Initiation.RecurringPaymentAmount.Amount",
        Field::RecurringCurrency => "Data.Initiation.RecurringPaymentAmount.Currency",
        Field::FinalMoney => "Data.Initiation.FinalPaymentAmount",
        Field::FinalAmount => "Data.Initiation.FinalPaymentAmount.Amount",
        Field::FinalCurrency => "Data.Initiation.FinalPaymentAmount.Currency",
        Field::PaymentRisk => "Risk.PaymentContextCode",
        Field::Risk(field) => risk_path(field),
        Field::Frequency => "Data.Initiation.Frequency",
        Field::FirstPayment => "Data.Initiation.FirstPaymentDateTime",
        Field::RecurringPayment => "Data.Initiation.RecurringPaymentDateTime",
        Field::FinalPayment => "Data.Initiation.FinalPaymentDateTime",
        Field::ValidFrom => "Data.ControlParameters.ValidFromDateTime",
        Field::ValidTo => "Data.ControlParameters.ValidToDateTime",
        Field::IndividualAmount => "Data.ControlParameters.MaximumIndividualAmount.Amount",
        Field::IndividualCurrency => "Data.ControlParameters.MaximumIndividualAmount.Currency",
        Field::PeriodicLimits => "Data.ControlParameters.PeriodicLimits",
        Field::PeriodicAmount(limit) => return periodic(limit, "Amount"),
        Field::PeriodicCurrency(limit) => return periodic(limit, "Currency"),
        Field::VrpTypes => "Data.ControlParameters.VRPType",
        Field::AuthenticationMethods => "Data.ControlParameters.PSUAuthenticationMethods",
        Field::InteractionTypes => "Data.ControlParameters.PSUInteractionTypes",
        Field::VrpInteraction => "Data.PSUInteractionType",
        Field::VrpCreditor => "Data.Instruction.CreditorAccount",
        Field::VrpReference => "Data.Instruction.RemittanceInformation.Reference",
        Field::VrpFundsReference => "Data.Reference",
        Field::Exchange(field) => international::exchange_field_path(field),
        Field::File(field) => file::file_field_path(field),
    };
    Cow::Borrowed(fixed)
}

/// The path of a member of the risk block. Source: CVRP-005.
const fn risk_path(field: RiskField) -> &'static str {
    match field {
        RiskField::MerchantCategory => "Risk.MerchantCategoryCode",
        RiskField::MerchantCustomer => "Risk.MerchantCustomerIdentification",
        RiskField::ContractPresent => "Risk.ContractPresentIndicator",
        RiskField::Prepopulated => "Risk.BeneficiaryPrepopulatedIndicator",
        RiskField::Purpose => "Risk.PaymentPurposeCode",
        RiskField::CategoryPurpose => "Risk.CategoryPurposeCode",
    }
}

/// The path of a member of one of the periodic limits.
fn periodic(limit: usize, member: &str) -> Cow<'static, str> {
    Cow::Owned(format!("Data.ControlParameters.PeriodicLimits[{limit}].{member}"))
}
