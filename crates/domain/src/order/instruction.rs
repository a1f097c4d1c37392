//! What is to be paid, to whom, when and how often. Source: tables 1.2 and 1.3.

use super::{Conditions, Instrument, Product, Schedule};
use crate::account::{Identification, PostalAddress};
use crate::calendar::london_midnight;
use crate::ids::OrderId;
use crate::money::Amount;
use jiff::Timestamp;
use jiff::civil::Date;
use std::ops::Deref;

/// What a payment consent is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentTerms {
    /// How often the consent may be used.
    pub usage: Use,
    /// What is to be paid.
    pub instruction: Instruction,
    /// The account to pay from, where the TPP names it: then the customer may use no other. Source: PIS-032.
    pub debtor: Option<Identification>,
    /// Whether orders tell the account to refund to. Source: PIS-096.
    pub refund: bool,
    /// Who is to authorise it, and until when.
    pub authorisation: AuthorisationWish,
    /// What the TPP says about strong authentication. Advice, no more. Source: PIS-151.
    pub sca: ScaSupport,
    /// The kind of purchase, for the scoring of risk. Source: PIS-144.
    pub context: Option<PaymentContext>,
}

/// How often a consent may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// For one order. Source: PIS-041.
    Once,
}

/// What is to be paid. One variant per kind of transfer; no match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instruction {
    /// A payment inside the country.
    Domestic {
        /// To whom, and what goes with it.
        credit: Credit,
        /// How much; of a schedule, the first payment, and the others where it says nothing else.
        amount: Amount,
        /// When.
        timing: Timing,
    },
}

/// When a payment is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Timing {
    /// Now.
    Immediate,
    /// On a day, London's. Source: SCH-001, PIS-154.
    On(Date),
    /// Again and again.
    Recurring(Schedule),
}

/// To whom a payment goes, and what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credit {
    /// The rail, where the TPP names it; else the bank chooses. Source: PIS-139.
    pub instrument: Option<Instrument>,
    /// The account to pay to.
    pub creditor: NamedAccount,
    /// The payee's address.
    pub address: Option<PostalAddress>,
    /// What identifies the payment, and to whom.
    pub references: References,
}

/// What identifies a payment. Source: PIS-130, PIS-131.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// The TPP's own, which stops at the bank; at most 35 characters.
    pub instruction: Option<String>,
    /// The one that travels to the payee; at most 35 characters.
    pub end_to_end: Option<String>,
    /// For the payee's books; at most 35 characters.
    pub reference: Option<String>,
    /// A message to the payee; at most 140 characters.
    pub message: Option<String>,
}

/// An account whose holder's name is known. Source: PIS-117.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedAccount(Identification);

impl NamedAccount {
    /// The account, if its name is there.
    pub fn new(account: Identification) -> Option<Self> {
        account.name.is_some().then_some(Self(account))
    }

    /// The account under this name.
    pub fn named(account: Identification, name: String) -> Self {
        Self(Identification { name: Some(name), ..account })
    }

    /// The holder's name.
    pub fn holder(&self) -> &str {
        self.0.name.as_deref().unwrap_or_default()
    }
}

impl Deref for NamedAccount {
    type Target = Identification;

    fn deref(&self) -> &Identification {
        &self.0
    }
}

/// Who is to authorise a payment. Source: PIS-110, `OBAuthorisation1`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuthorisationWish {
    /// One customer, or as many as the account needs.
    pub kind: AuthorisationWishType,
    /// Until when everybody must have agreed.
    pub complete_by: Option<Timestamp>,
}

impl AuthorisationWish {
    /// Whether an account will do that needs so many customers to agree. Source: PIS-111.
    pub const fn allows(self, authorisers: u16) -> bool {
        match self.kind {
            AuthorisationWishType::Any => true,
            AuthorisationWishType::Single => authorisers <= 1,
        }
    }
}

/// How many customers may be asked. Source: PIS-110.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum AuthorisationWishType {
    /// As many as the account needs.
    #[default]
    Any,
    /// One, so only accounts that need no more will do. Source: PIS-111.
    Single,
}

/// What the TPP says about strong authentication. Source: PIS-150, `OBSCASupportData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScaSupport {
    /// The exemption it thinks applies.
    pub exemption: Option<Exemption>,
    /// What it did itself.
    pub applied: Option<AppliedApproach>,
    /// An earlier order with the same payee and amount; it may name nothing we know (PIS-151).
    pub earlier_order: Option<OrderId>,
}

/// A reason to do without strong authentication. Source: PIS-150.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exemption {
    /// A bill.
    BillPayment,
    /// Travel by contactless card.
    ContactlessTravel,
    /// Goods bought online.
    EcommerceGoods,
    /// Services bought online.
    EcommerceServices,
    /// An unattended terminal.
    Kiosk,
    /// Parking.
    Parking,
    /// From one person to another.
    PartyToParty,
}

/// How a TPP authenticated its user. Source: PIS-150.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AppliedApproach {
    /// By one factor.
    Customer,
    /// By two.
    Strong,
}

/// What a payment is for. Source: PIS-144, `OBRisk1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentContext {
    /// Billed before delivery.
    BilledInAdvance,
    /// Billed after delivery.
    BilledInArrears,
    /// The TPP itself is paid.
    PispPayee,
    /// A merchant starts it.
    MerchantInitiated,
    /// At a till.
    FaceToFace,
    /// To an account of the same holder.
    TransferToSelf,
    /// To somebody else.
    TransferToThirdParty,
    /// A bill (discouraged).
    BillPayment,
    /// Goods bought online (discouraged).
    EcommerceGoods,
    /// Services bought online (discouraged).
    EcommerceServices,
    /// Anything else (discouraged).
    Other,
    /// From one person to another (discouraged).
    PartyToParty,
}

impl PaymentTerms {
    /// Which product they are of.
    pub const fn product(&self) -> Product {
        match self.usage {
            Use::Once => self.instruction.product(),
        }
    }
}

impl Instruction {
    /// Which product it is of, used once.
    pub const fn product(&self) -> Product {
        match self {
            Self::Domestic { timing: Timing::Immediate, .. } => Product::DomesticPayment,
            Self::Domestic { timing: Timing::On(_), .. } => Product::DomesticScheduledPayment,
            Self::Domestic { timing: Timing::Recurring(_), .. } => Product::DomesticStandingOrder,
        }
    }

    /// To whom it goes.
    pub const fn credit(&self) -> &Credit {
        match self {
            Self::Domestic { credit, .. } => credit,
        }
    }

    /// How much, of the first payment.
    pub const fn amount(&self) -> Amount {
        match self {
            Self::Domestic { amount, .. } => *amount,
        }
    }

    /// When.
    pub const fn timing(&self) -> &Timing {
        match self {
            Self::Domestic { timing, .. } => timing,
        }
    }

    /// What its first payment takes from the account: the amount and the charges the payer bears in its currency.
    /// Source: PIS-083.
    pub fn needs(&self, conditions: &Conditions) -> Amount {
        let amount = self.amount();
        let charges = conditions.borne_by_debtor().filter(|charge| charge.currency() == amount.currency());
        let minor = charges.fold(amount.minor(), |sum, charge| sum.saturating_add(charge.minor()));
        Amount::from_minor(minor, amount.currency())
    }

    /// The moment its order must have been posted by: the beginning of its first day in London. Source: SCH-006.
    pub fn last_submission_at(&self) -> Option<Timestamp> {
        match self.timing() {
            Timing::Immediate => None,
            Timing::On(day) => Some(london_midnight(*day)),
            Timing::Recurring(schedule) => Some(london_midnight(schedule.first_on)),
        }
    }
}
