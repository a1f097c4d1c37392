//! The purpose of an authentication.

use lombard_domain::account::AccountIdentification;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentRequest, ConsentState, PaymentConsent};
use lombard_domain::grant::Digest;
use lombard_domain::money::Amount;
use lombard_domain::payment::order::Instruction;
use lombard_domain::payment::transfer::{NamedAccount, Route, Timing, Transfer};
use lombard_domain::payment::vrp::PeriodicLimit;

/// The purpose of an authentication, which must not be valid for anything else. Source: AS-142, Delegated Regulation (EU)
/// 2018/389, article 5, as kept in the FCA's technical standards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthenticationPurpose {
    /// Authentication of the PSU.
    Login,
    /// Authorisation of a payment with this amount and payee, both to be shown to the PSU who authenticates.
    Payment {
        /// The amount; for a schedule, that of the first payment.
        amount: Amount,
        /// The payee.
        payee: NamedAccount,
    },
    /// Authorisation of a payment on a device that shows exactly the members of this variant.
    DevicePayment {
        /// The amount of the one payment.
        amount: Amount,
        /// The payee.
        payee: NamedAccount,
        /// The account that is debited, as the TPP named it.
        payer: AccountIdentification,
        /// The TPP that requests the payment.
        requester: Requester,
    },
    /// Authorisation of a payment file: its totals, and its digest, which identifies all payees.
    File {
        /// The sum of each currency.
        totals: Vec<Amount>,
        /// The SHA-256 of the file.
        file: Digest,
    },
    /// Authorisation of a VRP consent.
    Vrp {
        /// The maximum individual amount.
        most: Amount,
        /// The limits on periods.
        limits: Vec<PeriodicLimit>,
        /// The payee, if the consent names one.
        payee: Option<NamedAccount>,
    },
}

/// The TPP that requests the payment, by the names of its software statement. Source: AS-142.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requester {
    /// The software's name.
    pub software: String,
    /// The organisation's name.
    pub organisation: String,
    /// The party on whose behalf it acts.
    pub on_behalf_of: Option<String>,
}

impl AuthenticationPurpose {
    /// The purpose for authorising a consent on a device, without the server's pages; `None` if the consent can be authorised on
    /// the pages only.
    ///
    /// Everything that the customer agrees to must be in the purpose. This holds for a single immediate domestic payment, without
    /// charges, from an account that the TPP named. Schedules, files, payments abroad, recurring payments and access to accounts
    /// have more terms than a purpose states.
    pub fn of_consent_on_device(client: &Client, consent: &Consent) -> Option<Self> {
        let awaits = consent.state == ConsentState::AwaitingAuthorisation;
        let payment = consent.request.payment().filter(|payment| awaits && payment.conditions.charges.is_empty())?;
        let payer = payment.terms.debtor.clone()?;
        let Transfer { route, amount, timing, .. } = payment.terms.instruction.transfer()?;
        let (Route::Domestic(credit), Timing::Immediate) = (route, timing) else { return None };
        let requester = Requester {
            software: client.software_name.clone(),
            organisation: client.org_name.clone(),
            on_behalf_of: client.on_behalf_of.clone(),
        };
        Some(Self::DevicePayment { amount: *amount, payee: credit.creditor.clone(), payer, requester })
    }

    /// The purpose for authorising a consent: a payment is linked to its amount and payee.
    pub fn of_consent(consent: &Consent) -> Self {
        match &consent.request {
            ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => Self::Login,
            ConsentRequest::Payment(payment) => Self::of_payment(payment),
        }
    }

    /// The purpose for authorising a payment consent.
    pub fn of_payment(payment: &PaymentConsent) -> Self {
        match &payment.terms.instruction {
            Instruction::Transfer(transfer) => {
                Self::Payment { amount: transfer.amount, payee: transfer.credit().creditor.clone() }
            }
            Instruction::File(terms) => {
                let totals = payment.file.as_ref().map(|file| file.totals.by_currency.clone());
                Self::File { totals: totals.unwrap_or_default(), file: terms.hash }
            }
            Instruction::Vrp(terms) => Self::Vrp {
                most: terms.controls.individual,
                limits: terms.controls.limits.to_vec(),
                payee: terms.creditor.clone(),
            },
        }
    }
}
