//! Members that official files misspell.

/// The correct name of a member that official files misspell. Source: PIS-148, X-03, X-04.
pub(super) fn spelling(name: &str) -> &str {
    match name {
        "ContractPresentInidicator" => "ContractPresentIndicator",
        "BeneficiaryPaymentDetailsPrepopulatedIndicator" => "BeneficiaryPrepopulatedIndicator",
        other => other,
    }
}
