//! Describes reasons and outcomes in words.

use lombard_domain::consent::ConsentStatusReason;
use lombard_domain::payment::order::RejectionReason;

/// Why an order was not paid.
pub(super) const fn rejection(reason: RejectionReason) -> &'static str {
    match reason {
        RejectionReason::InsufficientFunds => "there is not enough money",
        RejectionReason::DebtorAccountUnusable => "the payer’s account cannot be used",
        RejectionReason::CreditorAccountUnusable => "the payee’s account cannot be used",
        RejectionReason::RefusedByScheme => "the payment scheme refuses it",
        RejectionReason::SuspectedFraud => "the bank suspects fraud",
        RejectionReason::RefusedByAuthoriser => "a further authoriser declined",
        RejectionReason::AuthorisationLapsed => "further authorisers did not decide in time",
        RejectionReason::CancelledByCustomer => "the customer cancelled it",
        RejectionReason::NotGiven => "the bank gives no reason",
    }
}

/// Why a consent has its status.
pub(super) const fn consent_status(reason: ConsentStatusReason) -> &'static str {
    match reason {
        ConsentStatusReason::InsufficientFunds => "the chosen account does not hold enough",
        ConsentStatusReason::NotKnown => "the last attempt failed at the bank",
        ConsentStatusReason::CredentialUnusable => "the application sent a code or a refresh token that cannot be used",
        ConsentStatusReason::AfterCutOff => "the bank’s cut-off passed",
        ConsentStatusReason::RateExpired => "the exchange rate expired",
        ConsentStatusReason::AfterCompletionDate => "the application’s completion date passed",
        ConsentStatusReason::UndecidedTooLong => "it was left undecided too long",
        ConsentStatusReason::DebtorAccountUnusable => "the customer cannot pay from the account that was named",
        ConsentStatusReason::TooManyAuthorisers => "the account needs more authorisers than the consent allows",
        ConsentStatusReason::FileInvalid => "the file is not valid",
        ConsentStatusReason::FileControlSum => "the file has another control sum",
        ConsentStatusReason::FileCount => "the file has another number of payments",
    }
}
