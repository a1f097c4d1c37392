//! A payment in words: what is paid, to whom, when and at what cost. Parts that every page about a payment is made of.
//!
//! What a customer reads here is what they agree to, so nothing is left out and nothing is rounded. Source: AS-142.

use super::money;
use super::schedule::ScheduleWords;
use super::text;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::calendar::{london_clock, london_date};
use lombard_domain::consent::PaymentConsent;
use lombard_domain::exchange::Rate;
use lombard_domain::money::Amount;
use lombard_domain::order::{
    Charge, ChargeBearer, ChargeType, Conditions, Instruction, Instrument, Lateness, Timing, Transfer,
};

/// A payment as its payer is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PaymentWords {
    /// How much; of several payments, the first.
    pub amount: String,
    /// To whom.
    pub payee: String,
    /// The payee's account number, whole.
    pub number: String,
    /// The payee's reference, as it will show there.
    pub reference: Option<String>,
    /// The message that goes with it.
    pub message: Option<String>,
    /// The way it goes, where the application chose one.
    pub rail: Option<&'static str>,
    /// When.
    pub when: When,
    /// When it should arrive.
    pub arrival: Option<String>,
    /// What is charged.
    pub charges: Vec<ChargeWords>,
    /// What leaves the account for the first payment, where that is more than the amount.
    pub total: Option<String>,
    /// Until when the application must have ordered it.
    pub cut_off: Option<String>,
}

/// When a payment is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum When {
    /// At once.
    Now,
    /// On a day.
    On {
        /// The day that was asked for.
        day: String,
        /// The day it leaves on, where that is another. Source: SCH-004.
        leaves: Option<String>,
    },
    /// Again and again.
    Recurring(ScheduleWords),
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChargeWords {
    /// What for, and who bears it.
    pub label: String,
    /// How much.
    pub amount: String,
}

impl PaymentWords {
    pub(super) fn of(consent: &PaymentConsent, conditions: &Conditions) -> Self {
        match &consent.terms.instruction {
            Instruction::Transfer(transfer) => Self::of_transfer(transfer, conditions),
            Instruction::File(_) | Instruction::Recurring(_) => Self::unwritten(),
        }
    }

    fn unwritten() -> Self {
        Self {
            amount: String::new(),
            payee: String::new(),
            number: String::new(),
            reference: None,
            message: None,
            rail: None,
            when: When::Now,
            arrival: None,
            charges: Vec::new(),
            total: None,
            cut_off: None,
        }
    }

    fn of_transfer(transfer: &Transfer, conditions: &Conditions) -> Self {
        let (credit, amount) = (transfer.credit(), transfer.amount);
        let outlay = transfer.outlay(amount.currency(), conditions, Rate::ONE);
        let total = outlay.map_or(amount, |outlay| outlay.total_debit());
        let references = &credit.references;
        Self {
            amount: money::amount(amount),
            payee: text::name(credit.creditor.holder()),
            number: money::number(&credit.creditor),
            reference: references.reference.as_deref().map(text::message),
            message: references.message.as_deref().map(text::message),
            rail: credit.instrument.map(rail),
            when: When::of(&transfer.timing, amount, conditions),
            arrival: conditions.settlement_at.map(about),
            charges: conditions.charges.iter().map(charge).collect(),
            total: (total != amount).then(|| money::amount(total)),
            cut_off: conditions
                .cut_off
                .filter(|cut_off| cut_off.lateness == Lateness::Refused)
                .map(|cut_off| moment(cut_off.at)),
        }
    }

    /// What is asked, as the heading of a page.
    pub(super) const fn question(&self) -> &'static str {
        match self.when {
            When::Now => "Make this payment?",
            When::On { .. } => "Make this payment on a later day?",
            When::Recurring(_) => "Set up this standing order?",
        }
    }

    /// What saying yes is called.
    pub(super) fn yes(&self) -> String {
        match self.when {
            When::Now => format!("Agree to pay {}", self.amount),
            When::On { .. } => format!("Agree to pay {} later", self.amount),
            When::Recurring(_) => "Agree to the standing order".to_owned(),
        }
    }

    /// What it is, in the middle of a sentence.
    pub(super) const fn thing(&self) -> &'static str {
        match self.when {
            When::Now | When::On { .. } => "payment",
            When::Recurring(_) => "standing order",
        }
    }
}

impl When {
    fn of(timing: &Timing, amount: Amount, conditions: &Conditions) -> Self {
        match timing {
            Timing::Immediate => Self::Now,
            Timing::On(wanted) => {
                let leaves = conditions.execution_at.map(london_date).filter(|leaves| leaves != wanted);
                Self::On { day: day(*wanted), leaves: leaves.map(day) }
            }
            Timing::Recurring(schedule) => Self::Recurring(ScheduleWords::of(schedule, amount)),
        }
    }
}

/// A day: `Monday 2 March 2026`.
pub(super) fn day(day: Date) -> String {
    day.strftime("%A %-d %B %Y").to_string()
}

/// A moment by London's clock: `Monday 2 March 2026 at 15:30, London time`.
pub(super) fn moment(at: Timestamp) -> String {
    format!("{}, London time", about(at))
}

fn about(at: Timestamp) -> String {
    london_clock(at).strftime("%A %-d %B %Y at %H:%M").to_string()
}

fn charge(charge: &Charge) -> ChargeWords {
    let what = match charge.kind {
        ChargeType::ChapsOut => "CHAPS payment",
        ChargeType::BalanceTransferOut => "Balance transfer",
        ChargeType::MoneyTransferOut => "Money transfer",
        ChargeType::SwiftOut => "International payment",
    };
    let who = match charge.bearer {
        ChargeBearer::Debtor => "you pay",
        ChargeBearer::Creditor => "the payee pays",
        ChargeBearer::Shared => "shared between you and the payee",
        ChargeBearer::ServiceLevel => "as the scheme’s rules say",
    };
    ChargeWords { label: format!("{what}, {who}"), amount: money::amount(charge.amount) }
}

const fn rail(instrument: Instrument) -> &'static str {
    match instrument {
        Instrument::Bacs => "Bacs, which takes three working days",
        Instrument::Chaps => "CHAPS, on the same working day",
        Instrument::FasterPayments => "Faster Payments, usually within seconds",
        Instrument::Swift => "SWIFT",
        Instrument::BalanceTransfer => "Balance transfer between cards",
        Instrument::MoneyTransfer => "Money transfer from a card",
        Instrument::Paym => "Paym",
        Instrument::Euro1 => "EURO1",
        Instrument::SepaCreditTransfer => "SEPA credit transfer",
        Instrument::SepaInstantCreditTransfer => "SEPA instant credit transfer",
        Instrument::Link => "LINK",
        Instrument::Target2 => "TARGET2",
    }
}
