//! Describes a payment to one payee: the amount, the payee, the time and the cost.

use super::cost::CostView;
use super::international::InternationalView;
use crate::money;
use crate::schedule::ScheduleView;
use crate::text;
use crate::times::{day, moment};
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::{ConversionRate, QuoteBasis};
use lombard_domain::payment::transfer::{Instrument, PaymentConditions, Timing, Transfer};
use lombard_service::payments::consents::PricedDebit;

/// A payment, as its payer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TransferView {
    /// The amount; for a standing order, the first amount.
    pub amount: String,
    /// The name of the payee.
    pub payee: String,
    /// The payee's account number, in full except for cards.
    pub number: String,
    /// The reference that the payee will see.
    pub reference: Option<String>,
    /// The message to the payee.
    pub message: Option<String>,
    /// The rail, if the application selected one.
    pub rail: Option<&'static str>,
    /// The time of the payment.
    pub when: PaymentTimeView,
    /// The expected time of arrival.
    pub arrival: Option<String>,
    /// The cost, if the currency of the account is known.
    pub cost: Option<CostView>,
    /// The estimated debit from an account in pounds, if no account is selected yet.
    pub in_pounds: Option<String>,
    /// The facts about an international payment.
    pub international: Option<InternationalView>,
    /// The time by which the application must submit the order.
    pub cut_off: Option<String>,
}

/// The time of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PaymentTimeView {
    /// The payment is immediate.
    Now,
    /// The payment is made on a day.
    On {
        /// The requested day.
        day: String,
        /// The day on which the payment leaves, if it differs. Source: SCH-004.
        leaves: Option<String>,
        /// Whether the account is debited when the order is submitted, because the rate is held. Source: INT-022.
        debited_at_once: bool,
    },
    /// The payments follow the schedule of a standing order.
    StandingOrder(ScheduleView),
}

/// Whether the rail omits the reference because it carries the roll number instead.
fn may_shrink(transfer: &Transfer) -> bool {
    let credit = transfer.credit();
    credit.creditor.secondary.is_some() && credit.rail_texts(transfer.rail()).reference == credit.creditor.secondary
}

impl TransferView {
    pub(super) fn of(transfer: &Transfer, conditions: &PaymentConditions) -> Self {
        let credit = transfer.credit();
        let amount = transfer.amount;
        let unit = unit(transfer);
        let references = &credit.references;
        let priced = unit.and_then(|unit| priced(transfer, conditions, unit));
        Self {
            amount: money::amount(amount),
            payee: text::name(credit.creditor.holder_name()),
            number: money::number(&credit.creditor),
            // On some rails, the roll number, which is shown with the account, replaces the reference (PIS-134).
            reference: references.reference.as_deref().filter(|_| !may_shrink(transfer)).map(text::message),
            message: references.message.as_deref().map(text::message),
            rail: credit.instrument.map(rail),
            when: PaymentTimeView::of(&transfer.timing, amount, conditions),
            arrival: conditions.settlement_at.map(moment),
            cost: priced.map(|priced| CostView::of(&priced, &conditions.charges)),
            in_pounds: None,
            international: transfer
                .international_details()
                .map(|payment| InternationalView::of(payment, conditions, unit)),
            cut_off: conditions.latest_acceptance().map(moment),
        }
    }

    /// Adds the cost from an account for which the debit is known.
    pub(crate) fn priced(self, priced: Option<&PricedDebit>, conditions: &PaymentConditions) -> Self {
        let known = priced.map(|priced| CostView::of(priced, &conditions.charges));
        Self { cost: self.cost.or(known), ..self }
    }

    /// Adds an estimated debit in pounds, unless the cost is known.
    pub(super) fn estimated(self, in_pounds: Option<&PricedDebit>) -> Self {
        let sum = in_pounds.filter(|_| self.cost.is_none()).map(|priced| money::amount(priced.total_debit.amount()));
        Self { in_pounds: sum.map(|sum| format!("about {sum} from an account in pounds, at today’s rate")), ..self }
    }

    /// Whether the cost depends on the selected account.
    pub(crate) const fn depends_on_account(&self) -> bool {
        self.cost.is_none()
    }

    /// The texts below the amount: the later amounts, and the amount in the other currency.
    pub(crate) fn details_below_amount(&self) -> Vec<&str> {
        let followed_by = match &self.when {
            PaymentTimeView::StandingOrder(schedule) => Some(schedule.amounts.as_str()),
            PaymentTimeView::Now | PaymentTimeView::On { .. } => None,
        };
        let other_side = self.cost.as_ref().and_then(|cost| cost.other_side.as_deref());
        let open = "how much that is in your currency depends on the account you pay from";
        let open = self.depends_on_account().then_some(open);
        followed_by.into_iter().chain(other_side).chain(self.in_pounds.as_deref()).chain(open).collect()
    }

    pub(super) const fn question(&self) -> &'static str {
        match (&self.when, self.international.is_some()) {
            (PaymentTimeView::Now, false) => "Make this payment?",
            (PaymentTimeView::Now, true) => "Make this international payment?",
            (PaymentTimeView::On { .. }, false) => "Make this payment on a later day?",
            (PaymentTimeView::On { .. }, true) => "Make this international payment on a later day?",
            (PaymentTimeView::StandingOrder(_), false) => "Set up this standing order?",
            (PaymentTimeView::StandingOrder(_), true) => "Set up this international standing order?",
        }
    }

    pub(super) fn approve_label(&self) -> String {
        match self.when {
            PaymentTimeView::Now => format!("Agree to pay {}", self.amount),
            PaymentTimeView::On { .. } => format!("Agree to pay {} later", self.amount),
            PaymentTimeView::StandingOrder(_) => "Agree to the standing order".to_owned(),
        }
    }

    pub(super) const fn noun(&self) -> &'static str {
        match self.when {
            PaymentTimeView::Now | PaymentTimeView::On { .. } => "payment",
            PaymentTimeView::StandingOrder(_) => "standing order",
        }
    }
}

/// The currency of the debtor account, if only one currency is possible. Source: INT-012.
fn unit(transfer: &Transfer) -> Option<Currency> {
    match transfer.international_details() {
        None => Some(transfer.amount.currency()),
        Some(payment) => payment.exchange.as_ref().map(|rate_request| rate_request.unit),
    }
}

/// The debit from an account in this currency at the quoted rate, which may be only indicative.
fn priced(transfer: &Transfer, conditions: &PaymentConditions, unit: Currency) -> Option<PricedDebit> {
    let quote = conditions.quote.as_ref();
    let fixed = transfer.rate(unit, quote, None);
    let told = quote.filter(|quote| quote.pair == transfer.pair(unit)).map(|quote| quote.rate);
    let rate: ConversionRate = fixed.or(told)?;
    let total_debit = transfer.total_debit(unit, conditions, rate).ok()?;
    Some(PricedDebit { rate, is_fixed: fixed.is_some(), total_debit })
}

impl PaymentTimeView {
    fn of(timing: &Timing, amount: Amount, conditions: &PaymentConditions) -> Self {
        match timing {
            Timing::Immediate => Self::Now,
            Timing::Scheduled(wanted) => {
                let held = conditions.quote.as_ref().filter(|quote| !quote.pair.is_single_currency());
                let debited_at_once = held.is_some_and(|quote| matches!(quote.basis, QuoteBasis::Actual { .. }));
                let leaves = conditions.execution_at.map(london_date).filter(|leaves| leaves != wanted);
                let leaves = leaves.filter(|_| !debited_at_once).map(day);
                Self::On { day: day(*wanted), leaves, debited_at_once }
            }
            Timing::StandingOrder(schedule) => Self::StandingOrder(ScheduleView::of(schedule, amount)),
        }
    }
}

pub(super) const fn rail(instrument: Instrument) -> &'static str {
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
