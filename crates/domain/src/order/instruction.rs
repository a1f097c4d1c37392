//! What is to be paid, to whom, when and how often. Source: tables 1.2 and 1.3.

use super::{Instrument, PaymentConditions, PaymentProduct, Schedule};
use crate::account::{AccountIdentification, PostalAddress};
use crate::calendar::london_midnight;
use crate::exchange::{
    ConversionError, ConversionRate, CurrencyLegs, CurrencyPair, International, Quote, RequestedRate, TotalDebit,
};
use crate::file::FileInitiation;
use crate::ids::OrderId;
use crate::money::{Amount, Currency};
use crate::vrp::VrpConsentRequest;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Deref;

/// What a payment consent is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaymentConsentRequest {
    /// What is to be paid.
    pub instruction: Instruction,
    /// The account to pay from, where the TPP names it: then the customer may use no other. Source: PIS-032.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor: Option<AccountIdentification>,
    /// Whether orders tell the account to refund to. Source: PIS-096.
    pub refund: bool,
    /// Who is to authorise it, and until when.
    #[serde(flatten)]
    pub authorisation: RequestedAuthorisation,
    /// What the TPP says about strong authentication. Advice, no more. Source: PIS-151.
    #[serde(flatten)]
    pub sca: ScaSupport,
    /// The kind of purchase, for the scoring of risk. Source: PIS-144.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<PaymentContext>,
}

/// What is to be paid. One variant per kind; no match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are transfers, which need no box of their own")]
pub enum Instruction {
    /// One payment, or a schedule of them, to one payee.
    Transfer(Transfer),
    /// The payments of a file. Source: section 6.
    File(Box<FileInitiation>),
    /// Payments that are asked for one by one, within limits; of a consent only, each of its orders is a transfer.
    /// Source: section 7.
    Vrp(Box<VrpConsentRequest>),
}

/// A payment to one payee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// To whom, and by which kind of way.
    pub route: Route,
    /// How much; of a schedule, the first payment, and the others where it says nothing else.
    pub amount: Amount,
    /// When.
    pub timing: Timing,
}

/// Where a payment goes. One variant per kind of way; no match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all stay in the country, and need no box of their own")]
pub enum Route {
    /// Inside the country.
    Domestic(Credit),
    /// Abroad, or into another currency. Source: section 5.
    International(Box<International>),
}

/// How an [`Instruction`] is stored: the kinds of transfers are kinds of instructions there. What is read is owned, what is
/// written borrowed.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredInstruction<D, I, F, V> {
    Domestic {
        credit: D,
        amount: Amount,
        timing: Timing,
    },
    International {
        payment: I,
        amount: Amount,
        timing: Timing,
    },
    File(F),
    #[serde(rename = "recurring")]
    Vrp(V),
}

impl Serialize for Instruction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Transfer(Transfer { route, amount, timing }) => {
                let (amount, timing) = (*amount, timing.clone());
                match route {
                    Route::Domestic(credit) => StoredInstruction::Domestic { credit, amount, timing },
                    Route::International(payment) => StoredInstruction::International { payment, amount, timing },
                }
            }
            Self::File(terms) => StoredInstruction::File(terms),
            Self::Vrp(terms) => StoredInstruction::Vrp(terms),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Instruction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Owned = StoredInstruction<Credit, Box<International>, Box<FileInitiation>, Box<VrpConsentRequest>>;
        Ok(match Owned::deserialize(deserializer)? {
            StoredInstruction::Domestic { credit, amount, timing } => Transfer::domestic(credit, amount, timing).into(),
            StoredInstruction::International { payment, amount, timing } => {
                Transfer { route: Route::International(payment), amount, timing }.into()
            }
            StoredInstruction::File(terms) => Self::File(terms),
            StoredInstruction::Vrp(terms) => Self::Vrp(terms),
        })
    }
}

/// When a payment is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timing {
    /// Now.
    Immediate,
    /// On a day, London's. Source: SCH-001, PIS-154.
    #[serde(rename = "on", with = "crate::stored")]
    Scheduled(Date),
    /// Again and again.
    #[serde(rename = "recurring")]
    StandingOrder(Schedule),
}

/// To whom a payment goes, and what goes with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credit {
    /// The rail, where the TPP names it; else the bank chooses. Source: PIS-139.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The account to pay to.
    pub creditor: NamedAccount,
    /// The payee's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
    /// What identifies the payment, and to whom.
    #[serde(flatten)]
    pub references: References,
}

/// What identifies a payment. Source: PIS-130, PIS-131.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// The TPP's own, which stops at the bank; at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// The one that travels to the payee; at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_to_end: Option<String>,
    /// For the payee's books; at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// A message to the payee; at most 140 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl References {
    /// Whether nothing identifies the payment.
    pub const fn is_empty(&self) -> bool {
        let Self { instruction, end_to_end, reference, message } = self;
        instruction.is_none() && end_to_end.is_none() && reference.is_none() && message.is_none()
    }
}

/// An account whose holder's name is known. Source: PIS-117.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "AccountIdentification")]
pub struct NamedAccount(AccountIdentification);

impl TryFrom<AccountIdentification> for NamedAccount {
    type Error = &'static str;

    fn try_from(account: AccountIdentification) -> Result<Self, &'static str> {
        Self::new(account).ok_or("an account that must have a name has none")
    }
}

impl NamedAccount {
    /// The account, if its name is there.
    pub fn new(account: AccountIdentification) -> Option<Self> {
        account.name.is_some().then_some(Self(account))
    }

    /// The account under this name.
    pub fn under_name(account: AccountIdentification, name: String) -> Self {
        Self(AccountIdentification { name: Some(name), ..account })
    }

    /// The holder's name.
    pub fn holder_name(&self) -> &str {
        self.0.name.as_deref().unwrap_or_default()
    }
}

impl Deref for NamedAccount {
    type Target = AccountIdentification;

    fn deref(&self) -> &AccountIdentification {
        &self.0
    }
}

/// Who is to authorise a payment. Source: PIS-110, `OBAuthorisation1`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestedAuthorisation {
    /// One customer, or as many as the account needs.
    #[serde(rename = "authorisers")]
    pub kind: RequestedAuthorisationType,
    /// Until when everybody must have agreed.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub complete_by: Option<Timestamp>,
}

impl RequestedAuthorisation {
    /// Whether an account will do that needs so many customers to agree. Source: PIS-111.
    pub const fn allows_authorisers(self, authorisers: u16) -> bool {
        match self.kind {
            RequestedAuthorisationType::Any => true,
            RequestedAuthorisationType::Single => authorisers <= 1,
        }
    }
}

/// How many customers may be asked. Source: PIS-110.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RequestedAuthorisationType {
    /// As many as the account needs.
    #[default]
    Any,
    /// One, so only accounts that need no more will do. Source: PIS-111.
    Single,
}

/// What the TPP says about strong authentication. Source: PIS-150, `OBSCASupportData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ScaSupport {
    /// The exemption it thinks applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exemption: Option<Exemption>,
    /// What it did itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<AppliedApproach>,
    /// An earlier order with the same payee and amount; it may name nothing we know (PIS-151).
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

impl PaymentConsentRequest {
    /// Which product they are of.
    pub const fn product(&self) -> PaymentProduct {
        self.instruction.product()
    }
}

impl Instruction {
    /// Which product a consent to it is of.
    pub const fn product(&self) -> PaymentProduct {
        match self {
            Self::Transfer(transfer) => transfer.product(),
            Self::File(_) => PaymentProduct::FilePayment,
            Self::Vrp(_) => PaymentProduct::DomesticVrp,
        }
    }

    /// The payment, if it is one.
    pub const fn transfer(&self) -> Option<&Transfer> {
        match self {
            Self::Transfer(transfer) => Some(transfer),
            Self::File(_) | Self::Vrp(_) => None,
        }
    }

    /// The file, if it is one.
    pub const fn file(&self) -> Option<&FileInitiation> {
        match self {
            Self::File(terms) => Some(terms),
            Self::Transfer(_) | Self::Vrp(_) => None,
        }
    }

    /// The limits, if that is what it is.
    pub const fn vrp(&self) -> Option<&VrpConsentRequest> {
        match self {
            Self::Vrp(terms) => Some(terms),
            Self::Transfer(_) | Self::File(_) => None,
        }
    }

    /// The rail that is asked for, if one is.
    pub fn instrument(&self) -> Option<Instrument> {
        match self {
            Self::Transfer(transfer) => transfer.credit().instrument,
            Self::File(terms) => terms.instrument,
            Self::Vrp(_) => None,
        }
    }

    /// The account to pay to, where there is one and it is known.
    pub fn creditor(&self) -> Option<&NamedAccount> {
        match self {
            Self::Transfer(transfer) => Some(&transfer.credit().creditor),
            Self::File(_) => None,
            Self::Vrp(terms) => terms.creditor.as_ref(),
        }
    }

    /// The moment its order must have been posted by: the beginning of its first day in London. Source: SCH-006.
    pub fn last_submission_at(&self) -> Option<Timestamp> {
        self.transfer().and_then(Transfer::last_submission_at)
    }
}

impl From<Transfer> for Instruction {
    fn from(transfer: Transfer) -> Self {
        Self::Transfer(transfer)
    }
}

impl Transfer {
    /// A payment inside the country.
    pub const fn domestic(credit: Credit, amount: Amount, timing: Timing) -> Self {
        Self { route: Route::Domestic(credit), amount, timing }
    }

    /// A payment abroad, or into another currency.
    pub fn international(payment: International, amount: Amount, timing: Timing) -> Self {
        Self { route: Route::International(Box::new(payment)), amount, timing }
    }

    /// Which product it is of, as a consent of its own.
    pub const fn product(&self) -> PaymentProduct {
        match (&self.route, &self.timing) {
            (Route::Domestic(_), Timing::Immediate) => PaymentProduct::DomesticPayment,
            (Route::Domestic(_), Timing::Scheduled(_)) => PaymentProduct::DomesticScheduledPayment,
            (Route::Domestic(_), Timing::StandingOrder(_)) => PaymentProduct::DomesticStandingOrder,
            (Route::International(_), Timing::Immediate) => PaymentProduct::InternationalPayment,
            (Route::International(_), Timing::Scheduled(_)) => PaymentProduct::InternationalScheduledPayment,
            (Route::International(_), Timing::StandingOrder(_)) => PaymentProduct::InternationalStandingOrder,
        }
    }

    /// To whom it goes, and what goes with it.
    pub const fn credit(&self) -> &Credit {
        match &self.route {
            Route::Domestic(credit) => credit,
            Route::International(payment) => &payment.credit,
        }
    }

    /// What it says of foreign exchange, if it goes abroad.
    pub const fn international_details(&self) -> Option<&International> {
        match &self.route {
            Route::Domestic(_) => None,
            Route::International(payment) => Some(payment),
        }
    }

    /// Whether the account is debited when the order is made although it is for another day: where the bank holds a rate
    /// that would not last until then. Source: INT-022.
    pub fn is_debited_in_advance(&self) -> bool {
        let wish = self.international_details().and_then(|payment| payment.exchange.as_ref());
        let actual = wish.is_some_and(|wish| matches!(wish.basis, RequestedRate::Actual));
        actual && matches!(self.timing, Timing::Scheduled(_))
    }

    /// The currencies it exchanges when it is paid from an account in this one: of a payment inside the country, one.
    pub const fn pair(&self, unit: Currency) -> CurrencyPair {
        match &self.route {
            Route::Domestic(_) => CurrencyPair { unit: self.amount.currency(), transfer: self.amount.currency() },
            Route::International(payment) => payment.pair(unit),
        }
    }

    /// The rate it is debited at, from an account in this currency: that of the quote, or the bank's price now where
    /// there is none, or only an indication. `None` where the price is needed and not given.
    pub fn rate(&self, unit: Currency, quote: Option<&Quote>, price: Option<ConversionRate>) -> Option<ConversionRate> {
        let pair = self.pair(unit);
        match quote.filter(|quote| quote.pair == pair) {
            _ if pair.is_single_currency() => Some(ConversionRate::ONE),
            Some(quote) => quote.fixed_rate().or(price),
            None => price,
        }
    }

    /// What its first payment takes from an account in this currency, charges included, and what is left of it for the
    /// payee; `rate` is what [`Self::rate`] says. Source: PIS-083, INT-023.
    ///
    /// # Errors
    /// [`ConversionError`]: no account in this currency can pay it.
    pub fn total_debit(
        &self,
        unit: Currency,
        conditions: &PaymentConditions,
        rate: ConversionRate,
    ) -> Result<TotalDebit, ConversionError> {
        let pair = self.pair(unit);
        if pair.unit != unit {
            return Err(ConversionError::ThirdCurrency);
        }
        TotalDebit::new(CurrencyLegs::new(self.amount, pair, rate)?, &conditions.charges, rate)
    }

    /// The moment its order must have been posted by: the beginning of its first day in London. Source: SCH-006.
    pub fn last_submission_at(&self) -> Option<Timestamp> {
        match &self.timing {
            Timing::Immediate => None,
            Timing::Scheduled(day) => Some(london_midnight(*day)),
            Timing::StandingOrder(schedule) => Some(london_midnight(schedule.first_on)),
        }
    }
}
