//! The parts of the description that only an international payment has. Source: AS-142, section 5.

use crate::text;
use crate::times::moment;
use lombard_domain::account::PostalAddress;
use lombard_domain::money::Currency;
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::{Quote, QuoteBasis};
use lombard_domain::payment::transfer::{AgentCode, International, PayeeAgent, PaymentConditions, Priority};

/// An international payment, as its payer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InternationalView {
    /// How certain the rate is, if currencies are exchanged.
    pub firmness: Option<RateCertainty>,
    /// The other facts, as pairs of label and text.
    pub facts: Vec<(&'static str, String)>,
}

/// How certain a rate is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RateCertainty {
    /// The rate is fixed; the text states until when or by which contract.
    Held(String),
    /// The rate may differ when the account is debited.
    MayChange,
}

impl InternationalView {
    /// Describes a payment; `unit` is the payer's currency, if it is known.
    pub(super) fn of(payment: &International, conditions: &PaymentConditions, unit: Option<Currency>) -> Self {
        let facts = [
            ("Payee", payment.payee.as_deref().map(text::name)),
            ("Payee’s address", payment.credit.address.as_ref().and_then(address)),
            ("Payee’s bank", payment.agent.as_ref().and_then(agent)),
            ("Country", payment.destination.as_deref().map(text::name)),
            ("What it is for", purpose(payment)),
            ("How soon", payment.priority.map(|it| priority(it).to_owned())),
            ("Charges", bearer(payment, conditions).map(|it| borne(it).to_owned())),
        ];
        let is_single_currency = unit.is_some_and(|unit| payment.pair(unit).is_single_currency());
        Self {
            firmness: (!is_single_currency).then(|| RateCertainty::of(conditions.quote.as_ref())),
            facts: facts.into_iter().filter_map(|(label, said)| Some((label, said?))).collect(),
        }
    }
}

impl RateCertainty {
    fn of(quote: Option<&Quote>) -> Self {
        match quote.map(|quote| &quote.basis) {
            Some(QuoteBasis::Actual { expires_at }) => {
                Self::Held(format!("The bank holds this rate until {}.", moment(*expires_at)))
            }
            Some(QuoteBasis::Agreed { contract }) => {
                Self::Held(format!("This rate was agreed with you in the contract {}.", text::name(contract)))
            }
            Some(QuoteBasis::Indicative) | None => Self::MayChange,
        }
    }
}

fn agent(agent: &PayeeAgent) -> Option<String> {
    let code = agent.code.as_ref().map(|code| match code {
        AgentCode::Bic(bic) => format!("BIC {}", text::name(bic)),
        AgentCode::Clearing { country, number } => {
            format!("{} clearing number {}", text::name(country), text::name(number))
        }
    });
    let parts = [agent.name.as_deref().map(text::name), code, agent.address.as_ref().and_then(address)];
    joined(parts.into_iter().flatten())
}

fn address(address: &PostalAddress) -> Option<String> {
    let street = [&address.building, &address.street].into_iter().flatten().map(String::as_str).collect::<Vec<_>>();
    let street = (!street.is_empty()).then(|| street.join(" "));
    let fields = [&street, &address.town, &address.county, &address.post_code, &address.country];
    let said = address.lines.iter().chain(fields.into_iter().flatten());
    joined(said.map(|part| text::name(part)))
}

fn joined(parts: impl Iterator<Item = String>) -> Option<String> {
    let parts: Vec<_> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The purpose of the payment. Source: INT-006.
fn purpose(payment: &International) -> Option<String> {
    let words = payment.purpose_in_words.as_deref().map(text::message);
    let code = payment.purpose.as_deref().map(text::name);
    match (words, code) {
        (Some(words), Some(code)) => Some(format!("{words} ({code})")),
        (Some(said), None) | (None, Some(said)) => Some(said),
        (None, None) => None,
    }
}

const fn priority(priority: Priority) -> &'static str {
    match priority {
        Priority::Normal => "As usual",
        Priority::Urgent => "Urgent",
    }
}

/// The requested bearer of the charges, or else the bearer of the bank's charges. Source: PIS-101, PIS-103.
fn bearer(payment: &International, conditions: &PaymentConditions) -> Option<ChargeBearer> {
    payment.bearer.or_else(|| conditions.charges.first().map(|charge| charge.bearer))
}

const fn borne(bearer: ChargeBearer) -> &'static str {
    match bearer {
        ChargeBearer::Debtor => "You pay all of them",
        ChargeBearer::Creditor => "The payee pays: they are taken off what is sent",
        ChargeBearer::Shared => "Shared: you pay ours, the payee those of the other banks",
        ChargeBearer::ServiceLevel => "As the scheme’s rules say: each side pays its own bank",
    }
}
