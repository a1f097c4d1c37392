//! The cost of a payment: the total debit with charges, and the amount sent.

use crate::money;
use lombard_domain::payment::exchange::{ConversionRate, CurrencyPair, InstructedLeg, TotalDebit};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};
use lombard_service::payments::consents::PricedDebit;

/// The cost of a payment from an account in one currency. An amount that is not final is marked as such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CostView {
    /// The amount that is debited for the payment itself.
    pub payment: String,
    /// The charges that are debited in addition.
    pub charges: Vec<ChargeView>,
    /// The total debit.
    pub total: String,
    /// The charges that are deducted before the payment is sent.
    pub taken_off: Option<String>,
    /// The amount that is sent to the payee's bank, if it differs from the debit.
    pub sent: Option<String>,
    /// The exchange rate, if currencies are exchanged.
    pub rate: Option<String>,
    /// The amount in the other currency than the instructed one, if currencies are exchanged.
    pub other_side: Option<String>,
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChargeView {
    /// The purpose of the charge, and who bears it.
    pub label: String,
    /// The amount of the charge.
    pub amount: String,
}

impl CostView {
    pub(crate) fn of(priced: &PricedDebit, charges: &[Charge]) -> Self {
        let PricedDebit { total_debit, rate, is_fixed } = *priced;
        let legs = total_debit.legs();
        let pair = total_debit.legs().pair();
        // The instructed amount does not depend on the rate, so it is final.
        let debit_is_fixed = is_fixed || legs.instructed_leg() == InstructedLeg::Debit;
        let credit_is_fixed = is_fixed || legs.instructed_leg() == InstructedLeg::Credit;
        let said = |text: String, certain: bool| if certain { text } else { format!("about {text}") };
        let rate = (!pair.is_single_currency()).then(|| said(in_words(pair, rate), is_fixed));
        let other_side = rate.as_ref().map(|rate| match legs.instructed_leg() {
            InstructedLeg::Debit => format!("{} is sent, at {rate}", said(money::amount(legs.credit()), is_fixed)),
            InstructedLeg::Credit => {
                format!("{} from your account, at {rate}", said(money::amount(legs.debit()), is_fixed))
            }
        });
        let taken_off =
            (total_debit.charges_on_payee().minor() > 0).then(|| money::amount(total_debit.charges_on_payee()));
        let sent = (!pair.is_single_currency() || taken_off.is_some())
            .then(|| said(money::amount(total_debit.sent()), credit_is_fixed));
        Self {
            payment: said(money::amount(legs.debit()), debit_is_fixed),
            charges: on_top(&total_debit, charges),
            total: said(money::amount(total_debit.amount()), debit_is_fixed),
            taken_off,
            sent,
            rate,
            other_side,
        }
    }

    /// Whether the cost consists of more than the amount of the payment.
    pub(crate) const fn has_more(&self) -> bool {
        !self.charges.is_empty() || self.taken_off.is_some() || self.rate.is_some()
    }
}

/// The amount of the transfer currency for one unit of the payer's currency, in words. Source: INT-011.
fn in_words(pair: CurrencyPair, rate: ConversionRate) -> String {
    format!("1 {} = {} {}", pair.unit, rate.decimal(), pair.transfer)
}

/// The charges that the payer bears. They become one sum if some are in another currency, so that the lines add up.
fn on_top(total_debit: &TotalDebit, charges: &[Charge]) -> Vec<ChargeView> {
    let unit = total_debit.legs().pair().unit;
    let borne: Vec<_> = charges.iter().filter(|charge| charge.bearer != ChargeBearer::Creditor).collect();
    if borne.iter().all(|charge| charge.amount.currency() == unit) {
        return borne.into_iter().map(charge).collect();
    }
    vec![ChargeView { label: "Charges, you pay".to_owned(), amount: money::amount(total_debit.charges_on_payer()) }]
}

fn charge(charge: &Charge) -> ChargeView {
    let what = match charge.kind {
        ChargeType::ChapsOut => "CHAPS payment",
        ChargeType::BalanceTransferOut => "Balance transfer",
        ChargeType::MoneyTransferOut => "Money transfer",
        ChargeType::SwiftOut => "SWIFT payment",
    };
    let who = match charge.bearer {
        ChargeBearer::Debtor => "you pay",
        ChargeBearer::Creditor => "the payee pays",
        ChargeBearer::Shared => "shared between you and the payee",
        ChargeBearer::ServiceLevel => "as the scheme’s rules say",
    };
    ChargeView { label: format!("{what}, {who}"), amount: money::amount(charge.amount) }
}
