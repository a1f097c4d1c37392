//! The content of a payment consent: the requested payment, the bank's conditions, and the debtor.

use crate::account::AccountIdentification;
use crate::ids::OrderId;
use crate::money::Currency;
use crate::payment::PaymentContext;
use crate::payment::file::{CommonValue, UploadedFile};
use crate::payment::order::{
    AppliedAuthenticationApproach, Debtor, Instruction, PaymentConsentRequest, Refund, RequestedAuthorisation,
    RequestedAuthorisationType, ScaExemption, ScaSupport,
};
use crate::payment::transfer::{NamedAccount, PaymentConditions, Route};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The content of a payment consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredPaymentConsent")]
pub struct PaymentConsent {
    /// The requested payment. Never changes.
    #[serde(flatten)]
    pub terms: PaymentConsentRequest,
    /// The charges, times and rate that the bank states; kept up to date. Source: PIS-104.
    pub conditions: PaymentConditions,
    /// The uploaded file; `None` before the upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<UploadedFile>,
    /// The debtor, set when the PSU authorises.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<PaymentSource>,
}

/// The debtor account as it was at authorisation, stored so that the bank need not be queried to render it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentSource {
    /// The account number and the account holder's name. Source: PIS-098, PIS-099.
    pub account: NamedAccount,
    /// The BIC of the servicing bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bic: Option<String>,
    /// The number of PSUs who must authorise the order, at least one. Source: PIS-112.
    pub authorisers: u16,
}

/// The stored form of a [`PaymentConsent`]. It is flat, and `serde(flatten)` would copy the whole document on reading.
#[derive(Deserialize)]
struct StoredPaymentConsent {
    instruction: Instruction,
    debtor: Option<AccountIdentification>,
    refund: bool,
    authorisers: RequestedAuthorisationType,
    #[serde(default, with = "crate::stored")]
    complete_by: Option<Timestamp>,
    exemption: Option<ScaExemption>,
    applied: Option<AppliedAuthenticationApproach>,
    earlier_order: Option<OrderId>,
    context: Option<PaymentContext>,
    conditions: PaymentConditions,
    file: Option<UploadedFile>,
    source: Option<PaymentSource>,
}

impl From<StoredPaymentConsent> for PaymentConsent {
    fn from(it: StoredPaymentConsent) -> Self {
        let terms = PaymentConsentRequest {
            instruction: it.instruction,
            debtor: it.debtor,
            refund: it.refund,
            authorisation: RequestedAuthorisation { kind: it.authorisers, complete_by: it.complete_by },
            sca: ScaSupport { exemption: it.exemption, applied: it.applied, earlier_order: it.earlier_order },
            context: it.context,
        };
        Self { terms, conditions: it.conditions, file: it.file, source: it.source }
    }
}

impl PaymentConsent {
    /// The content of a consent that is not authorised yet.
    pub const fn new(terms: PaymentConsentRequest, conditions: PaymentConditions) -> Self {
        Self { terms, conditions, file: None, source: None }
    }

    /// The debtor account that is already determined: named by the TPP in the consent or in its file, or selected by
    /// the PSU at an earlier authorisation. The PSU may select no other. Source: PIS-032, PIS-035, FILE-016, VRP-022.
    pub fn named_debtor(&self) -> Option<&AccountIdentification> {
        let in_file = self.file.as_ref().and_then(|file| match &file.totals.debtor {
            CommonValue::Single(debtor) => Some(debtor),
            CommonValue::Absent | CommonValue::Mixed => None,
        });
        let chosen = self.source.as_ref().map(|source| &*source.account);
        self.terms.debtor.as_ref().or(in_file).or(chosen)
    }

    /// Whether the payment can be made from an account in this currency. Source: INT-012, INT-023.
    pub fn accepts_debtor(&self, unit: Currency) -> bool {
        match &self.terms.instruction {
            Instruction::Transfer(transfer) => match &transfer.route {
                Route::Domestic(_) => transfer.amount.currency() == unit,
                Route::International(payment) => payment.account_faults(transfer.amount, unit).is_empty(),
            },
            Instruction::File(_) => {
                let totals = self.file.as_ref().map(|file| file.totals.by_currency.as_slice());
                totals.is_some_and(|totals| totals.iter().any(|total| total.currency() == unit))
            }
            Instruction::Vrp(terms) => terms.controls.currency() == unit,
        }
    }

    /// The debtor; `None` before it is known. Source: PIS-099, VRP-019.
    pub(super) fn debtor(&self) -> Option<Debtor> {
        let source = self.source.as_ref()?;
        let account = match &self.terms.instruction {
            Instruction::Vrp(_) => Some((*source.account).clone()),
            Instruction::Transfer(_) | Instruction::File(_) => self.terms.debtor.clone(),
        };
        Some(Debtor { name: source.account.holder_name().to_owned(), account })
    }

    /// The debtor account for a refund, if the TPP requested it. Source: PIS-096, PIS-098.
    pub(super) fn refund(&self) -> Option<Refund> {
        let source = self.source.as_ref().filter(|_| self.terms.refund)?;
        Some(Refund { account: source.account.clone(), bic: source.bic.clone() })
    }
}

impl PaymentConsent {
    /// Whether the debtor account may require this number of authorising PSUs. Source: PIS-111, VRP-020.
    pub const fn allows_authorisers(&self, authorisers: u16) -> bool {
        let many = self.terms.product().allows_several_authorisers();
        self.terms.authorisation.allows_authorisers(authorisers) && (many || authorisers <= 1)
    }
}
