//! Asks for Confirmation of Payee, whose result a customer is shown before the decision.

use crate::AuthorisationServer;
use crate::payee_checks::RememberedCheck;
use lombard_domain::code::StoredCode;
use lombard_domain::ids::PsuId;
use lombard_domain::payment::order::{Instruction, PayeeConfirmation, PayeeFinding, UnconfirmedReason};
use lombard_service::payments::payees::confirm_payee;

/// The result of Confirmation of Payee for a payment; `None` if there is no payee whose name can be checked.
pub(crate) async fn check_payee(
    auth: &AuthorisationServer,
    psu: &PsuId,
    instruction: &Instruction,
) -> Option<PayeeConfirmation> {
    let payee = instruction.payee_to_confirm()?;
    let answer = match auth.payee_checks.begin(psu, payee, auth.context.clocks.wall_now()) {
        RememberedCheck::Answered(answer) => answer,
        RememberedCheck::Exceeded => PayeeConfirmation::Unavailable(UnconfirmedReason::NotOffered),
        RememberedCheck::Permitted => {
            let answer = confirm_payee(&auth.context, instruction).await?;
            if !is_passing(&answer) {
                auth.payee_checks.keep(psu, payee, &answer);
            }
            answer
        }
    };
    let outcome = match answer.finding() {
        told @ (PayeeFinding::Match | PayeeFinding::CloseMatch | PayeeFinding::NoMatch) => told.code(),
        PayeeFinding::AccountNotFound
        | PayeeFinding::BankNotTakingPart
        | PayeeFinding::TimedOut
        | PayeeFinding::Failed
        | PayeeFinding::NotOffered => "unavailable",
    };
    // Only the customer learns the names, so metrics and logs must not contain them.
    metrics::counter!("lombard_payee_checks_total", "outcome" => outcome).increment(1);
    tracing::info!(payee.check = outcome, "the customer is told of the payee's name");
    Some(answer)
}

/// Whether the result is temporary, so that the bank may soon give another one.
const fn is_passing(answer: &PayeeConfirmation) -> bool {
    matches!(answer, PayeeConfirmation::Unavailable(UnconfirmedReason::TimedOut | UnconfirmedReason::Failed))
}
