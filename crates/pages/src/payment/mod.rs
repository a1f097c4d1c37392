//! Describes a payment: the amount, the payee, the time and the cost. Every page about a payment uses these parts.
//!
//! A customer approves what the page shows, so nothing is omitted and nothing is rounded. Source: AS-142.

mod cost;
mod file;
mod international;
mod payee;
mod transfer;
mod vrp;

pub(super) use cost::CostView;
pub(super) use file::{FileView, LineView, LinesView};
pub(super) use international::RateCertainty;
pub(super) use payee::PayeeCheck;
pub(super) use transfer::{PaymentTimeView, TransferView};
pub(super) use vrp::{LimitUsageView, VrpConsentView, ends};

use jiff::Timestamp;
use lombard_domain::consent::PaymentConsent;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_service::payments::consents::PricedDebit;

/// The content of a payment consent, as its payer sees it. Each kind of payment has its own variant, so that none is shown as another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PaymentSummaryView {
    /// A payment to one payee, or a schedule of them.
    Transfer(Box<TransferView>),
    /// The payments of a file.
    File(Box<FileView>),
    /// The limits within which the application can make single payments.
    Vrp(Box<VrpConsentView>),
}

impl PaymentSummaryView {
    /// Describes a consent that was created at `created_at`, as of `now`. Both are times of the bank's clock.
    pub(super) fn of(
        consent: &PaymentConsent,
        conditions: &PaymentConditions,
        created_at: Timestamp,
        now: Timestamp,
    ) -> Self {
        match &consent.terms.instruction {
            Instruction::Transfer(transfer) => Self::Transfer(Box::new(TransferView::of(transfer, conditions))),
            Instruction::File(terms) => Self::File(Box::new(FileView::of(terms, consent))),
            Instruction::Vrp(terms) => {
                Self::Vrp(Box::new(VrpConsentView::of(terms, consent.terms.context, created_at, now)))
            }
        }
    }

    /// Adds the cost from an account for which the debit is known.
    pub(super) fn priced(self, priced: Option<&PricedDebit>, conditions: &PaymentConditions) -> Self {
        match self {
            Self::Transfer(transfer) => Self::Transfer(Box::new(transfer.priced(priced, conditions))),
            Self::File(_) | Self::Vrp(_) => self,
        }
    }

    /// Adds an estimated debit from an account in pounds, if no account is selected yet.
    pub(super) fn estimated(self, in_pounds: Option<&PricedDebit>) -> Self {
        match self {
            Self::Transfer(transfer) => Self::Transfer(Box::new(transfer.estimated(in_pounds))),
            Self::File(_) | Self::Vrp(_) => self,
        }
    }

    /// Whether the cost depends on the selected account.
    pub(super) const fn depends_on_account(&self) -> bool {
        match self {
            Self::Transfer(transfer) => transfer.depends_on_account(),
            Self::File(_) | Self::Vrp(_) => false,
        }
    }

    /// The question that is the heading of the decision page.
    pub(super) const fn question(&self) -> &'static str {
        match self {
            Self::Transfer(transfer) => transfer.question(),
            Self::File(_) => "Make the payments of this file?",
            Self::Vrp(vrp) if vrp.commercial => "Allow commercial variable recurring payments within these limits?",
            Self::Vrp(_) => "Allow payments within these limits?",
        }
    }

    /// The requested action, which follows the words `It asks you to`.
    pub(super) const fn asked(&self) -> &'static str {
        match self {
            Self::Transfer(transfer) => match transfer.when {
                PaymentTimeView::Now | PaymentTimeView::On { .. } => "make a payment",
                PaymentTimeView::StandingOrder(_) => "set up a standing order",
            },
            Self::File(_) => "make the payments of a file",
            Self::Vrp(vrp) if vrp.commercial => {
                "let it make commercial variable recurring payments for you, within limits"
            }
            Self::Vrp(_) => "let it make payments for you, within limits",
        }
    }

    /// The purpose of the one-time code, which follows the words `It works for`.
    pub(super) const fn code_is_for(&self) -> &'static str {
        match self {
            Self::Transfer(transfer) => match transfer.when {
                PaymentTimeView::Now | PaymentTimeView::On { .. } => {
                    "this payment only, and for no other amount or payee"
                }
                PaymentTimeView::StandingOrder(_) => "this standing order only, and for no other amount or payee",
            },
            Self::File(_) => "this file only, and for no other payments",
            Self::Vrp(_) => "this agreement only, and for no other limits or payee",
        }
    }

    /// The facts that the customer should check before the decision.
    pub(super) const fn check(&self) -> &'static str {
        match self {
            Self::Transfer(_) => "Check who is paid and how much.",
            Self::File(_) => "Check the total of its payments, and review them.",
            Self::Vrp(_) => "Check how much it may pay, to whom and until when.",
        }
    }

    /// The label of the button that approves.
    pub(super) fn approve_label(&self) -> String {
        match self {
            Self::Transfer(transfer) => transfer.approve_label(),
            Self::File(file) => format!("Agree to pay {}", file.sum()),
            Self::Vrp(_) => "Agree to these limits".to_owned(),
        }
    }

    /// The noun for the payment in the middle of a sentence.
    pub(super) const fn noun(&self) -> &'static str {
        match self {
            Self::Transfer(transfer) => transfer.noun(),
            Self::File(_) => "file",
            Self::Vrp(_) => "agreement",
        }
    }

    /// The actions that the consent never allows.
    pub(super) const fn excluded_actions(&self) -> &'static [&'static str] {
        match self {
            Self::Transfer(_) => &[
                "Pay a penny more, or anybody else",
                "Use your agreement a second time",
                "See your password or your one-time codes",
            ],
            Self::File(_) => &[
                "Pay a penny more, or anybody who is not in the file",
                "Use your agreement a second time",
                "See your password or your one-time codes",
            ],
            Self::Vrp(vrp_limits) => match vrp_limits.payee {
                Some(_) => &[
                    "Pay more than these limits, or anybody else",
                    "See your balance or your transactions",
                    "See your password or your one-time codes",
                ],
                None => &[
                    "Pay more than these limits",
                    "See your balance or your transactions",
                    "See your password or your one-time codes",
                ],
            },
        }
    }

    /// The payee and the amount in a short text for screen readers.
    pub(super) fn in_short(&self) -> String {
        match self {
            Self::Transfer(transfer) => format!("{} to {}", transfer.amount, transfer.payee),
            Self::File(file) => format!("{}, {}", file.payments, file.sum()),
            Self::Vrp(vrp_limits) => format!("at most {} each", vrp_limits.individual_max),
        }
    }
}
