//! What a payment abroad says beside what every payment says.

use super::credit::CreditRecord;
use super::exchange::RateRequestRecord;
use lombard_database::records::AddressRecord;
use lombard_domain::code::Word;
use lombard_domain::exchange::{AgentCode, International, PayeeAgent, Priority};
use lombard_domain::money::Currency;
use lombard_domain::order::ChargeBearer;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct InternationalRecord {
    credit: CreditRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payee: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<PayeeAgentRecord>,
    transfer: Word<Currency>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exchange: Option<RateRequestRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bearer: Option<Word<ChargeBearer>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<Word<Priority>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    destination: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    purpose: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    purpose_in_words: Option<String>,
}

impl InternationalRecord {
    pub(super) fn of(it: &International) -> Self {
        Self {
            credit: CreditRecord::of(&it.credit),
            payee: it.payee.clone(),
            agent: it.agent.as_ref().map(PayeeAgentRecord::of),
            transfer: Word(it.transfer),
            exchange: it.exchange.as_ref().map(RateRequestRecord::of),
            bearer: it.bearer.map(Word),
            priority: it.priority.map(Word),
            destination: it.destination.clone(),
            purpose: it.purpose.clone(),
            purpose_in_words: it.purpose_in_words.clone(),
        }
    }

    pub(super) fn into_domain(self) -> Result<International, Source> {
        Ok(International {
            credit: self.credit.into_domain()?,
            payee: self.payee,
            agent: self.agent.map(PayeeAgentRecord::into_domain),
            transfer: self.transfer.0,
            exchange: self.exchange.map(RateRequestRecord::into_domain).transpose()?,
            bearer: self.bearer.map(|word| word.0),
            priority: self.priority.map(|word| word.0),
            destination: self.destination,
            purpose: self.purpose,
            purpose_in_words: self.purpose_in_words,
        })
    }
}

/// The payee's bank.
#[derive(Serialize, Deserialize)]
struct PayeeAgentRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<AgentCodeRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<AddressRecord>,
}

/// One variant per kind of code.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AgentCodeRecord {
    Bic(String),
    Clearing { country: String, number: String },
}

impl PayeeAgentRecord {
    fn of(it: &PayeeAgent) -> Self {
        let code = it.code.clone().map(|code| match code {
            AgentCode::Bic(bic) => AgentCodeRecord::Bic(bic),
            AgentCode::Clearing { country, number } => AgentCodeRecord::Clearing { country, number },
        });
        Self { code, name: it.name.clone(), address: it.address.as_ref().map(AddressRecord::of) }
    }

    fn into_domain(self) -> PayeeAgent {
        let code = self.code.map(|code| match code {
            AgentCodeRecord::Bic(bic) => AgentCode::Bic(bic),
            AgentCodeRecord::Clearing { country, number } => AgentCode::Clearing { country, number },
        });
        PayeeAgent { code, name: self.name, address: self.address.map(AddressRecord::into_domain) }
    }
}
