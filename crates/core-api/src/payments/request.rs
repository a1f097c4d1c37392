//! The content of a payment consent request.

use crate::form::shape::{Boxed, FormOf};
use crate::form::values::AsciiKey;
use crate::{choices, objects};
use jiff::Timestamp;
use lombard_domain::account::AccountIdentification;
use lombard_domain::payment::PaymentContext;
use lombard_domain::payment::file::FileInitiation;
use lombard_domain::payment::order::{
    AppliedAuthenticationApproach, Instruction, PaymentConsentRequest, RequestedAuthorisation,
    RequestedAuthorisationType, ScaExemption, ScaSupport,
};
use lombard_domain::payment::transfer::Transfer;
use lombard_domain::payment::vrp::VrpConsentRequest;

objects! {
    /// The content of a payment consent.
    PaymentConsentRequest as "PaymentConsentRequest" {
        instruction: flat(Instruction);
        /// The debtor account, if the TPP names it; the PSU may select no other.
        debtor: optional(FormOf<AccountIdentification>, "DebtorAccount");
        /// Whether the orders show the debtor account for refunds (`ReadRefundAccount`).
        refund: required(FormOf<bool>, "ReadRefundAccount");
        /// The number of authorising PSUs, and the deadline.
        authorisation: required(FormOf<RequestedAuthorisation>, "Authorisation");
        /// The TPP's `SCASupportData`; informative only.
        sca: required(FormOf<ScaSupport>, "SCASupportData");
        /// The `PaymentContextCode`, for risk scoring.
        context: optional(FormOf<PaymentContext>, "PaymentContextCode");
    }

    /// The authorisation that the TPP requests.
    RequestedAuthorisation as "Authorisation" {
        /// One authorising PSU, or as many as the account requires.
        kind: required(FormOf<RequestedAuthorisationType>, "AuthorisationType");
        /// The `CompletionDateTime`: the deadline for all approvals.
        complete_by: optional(FormOf<Timestamp>, "CompletionDateTime");
    }

    /// The TPP's statement on strong customer authentication.
    ScaSupport as "SCASupportData" {
        /// The exemption that the TPP claims.
        exemption: optional(FormOf<ScaExemption>, "RequestedSCAExemptionType");
        /// The authentication that the TPP applied.
        applied: optional(FormOf<AppliedAuthenticationApproach>, "AppliedAuthenticationApproach");
        /// An earlier order with the same payee and amount; it may be unknown to the bank.
        earlier_order: optional(AsciiKey<128>, "ReferencePaymentOrderId");
    }
}

choices! {
    /// A payment instruction.
    Instruction as "Instruction" of Instruction {
        /// One payment, or a schedule of them, to one payee.
        Transfer(FormOf<Transfer>, "Transfer");
        /// The payments of a file.
        File(Boxed<FormOf<FileInitiation>>, "File");
        /// The limits of variable recurring payments.
        Vrp(Boxed<FormOf<VrpConsentRequest>>, "VRP");
    }
}
