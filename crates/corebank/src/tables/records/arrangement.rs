//! What an arrangement says, beside the columns it is found by.

use super::party::{AgentRecord, PartyRecord};
use crate::storage::{Arrangement, ArrangementKind, Routine};
use jiff::Timestamp;
use lombard_database::records::{
    AmountRecord, FrequencyRecord, IdentificationRecord, json, read_amount, read_instant, write_amount,
};
use lombard_domain::account::{
    AccountParty, AccountRole, ArrangementStatus, Beneficiary, BeneficiaryType, DirectDebit, DirectDebitFrequency,
    Instalment, Offer, OfferType, PartyType, Product, ScheduledPayment, ScheduledType, StandingOrder,
};
use lombard_domain::code::Word;
use lombard_domain::ids::BankAccountId;
use lombard_domain::instant;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// Writes and reads the detail of an arrangement; the kind says which record it is.
pub(crate) struct ArrangementRecord;

impl ArrangementRecord {
    pub(crate) fn write(arrangement: &Arrangement) -> String {
        match arrangement {
            Arrangement::Beneficiary(it) => json(&BeneficiaryRecord::of(it)),
            Arrangement::DirectDebit(it) => json(&DirectDebitRecord::of(it)),
            Arrangement::StandingOrder(it) => json(&StandingOrderRecord::of(it)),
            Arrangement::ScheduledPayment(it) => json(&ScheduledPaymentRecord::of(it)),
            Arrangement::Product(it) => json(it),
            Arrangement::Offer(it) => json(&OfferRecord::of(it)),
            Arrangement::Party(it) => json(&AccountPartyRecord::of(it)),
            // The bank's own words are the record.
            Arrangement::Routine(it) => it.plan.clone(),
        }
    }

    pub(crate) fn read(
        text: &str,
        kind: ArrangementKind,
        account: BankAccountId,
        id: &str,
        due_at: Option<Timestamp>,
    ) -> Result<Arrangement, Source> {
        use serde_json::from_str;
        Ok(match kind {
            ArrangementKind::Beneficiary => {
                Arrangement::Beneficiary(from_str::<BeneficiaryRecord>(text)?.into_domain(account, id))
            }
            ArrangementKind::DirectDebit => {
                Arrangement::DirectDebit(from_str::<DirectDebitRecord>(text)?.into_domain(account, id)?)
            }
            ArrangementKind::StandingOrder => {
                Arrangement::StandingOrder(from_str::<StandingOrderRecord>(text)?.into_domain(account, id)?)
            }
            ArrangementKind::ScheduledPayment => {
                Arrangement::ScheduledPayment(from_str::<ScheduledPaymentRecord>(text)?.into_domain(account, id)?)
            }
            ArrangementKind::Product => Arrangement::Product(Product { account, ..from_str(text)? }),
            ArrangementKind::Offer => Arrangement::Offer(from_str::<OfferRecord>(text)?.into_domain(account, id)?),
            ArrangementKind::Routine => {
                Arrangement::Routine(Routine { id: id.into(), account, due_at, plan: text.to_owned() })
            }
            ArrangementKind::Party => Arrangement::Party(from_str::<AccountPartyRecord>(text)?.into_domain(account)),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct BeneficiaryRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Word<BeneficiaryType>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentRecord>,
    payee: IdentificationRecord,
}

impl BeneficiaryRecord {
    fn of(it: &Beneficiary) -> Self {
        Self {
            kind: it.kind.map(Word),
            reference: it.reference.clone(),
            agent: it.agent.as_ref().map(AgentRecord::of),
            payee: IdentificationRecord::of(&it.payee),
        }
    }

    fn into_domain(self, account: BankAccountId, id: &str) -> Beneficiary {
        Beneficiary {
            id: id.into(),
            account,
            kind: self.kind.map(|word| word.0),
            reference: self.reference,
            agent: self.agent.map(AgentRecord::into_domain),
            payee: self.payee.into_domain(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct DirectDebitRecord {
    mandate: String,
    status: Word<ArrangementStatus>,
    name: String,
    frequency: Word<DirectDebitFrequency>,
    /// When and how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<(i64, AmountRecord)>,
}

impl DirectDebitRecord {
    fn of(it: &DirectDebit) -> Self {
        Self {
            mandate: it.mandate.clone(),
            status: Word(it.status),
            name: it.name.clone(),
            frequency: Word(it.frequency),
            previous: it.previous.map(|(at, amount)| (instant::to_micros(at), write_amount(amount))),
        }
    }

    fn into_domain(self, account: BankAccountId, id: &str) -> Result<DirectDebit, Source> {
        let previous = self.previous.map(|(at, amount)| Ok::<_, Source>((read_instant(at)?, read_amount(amount))));
        Ok(DirectDebit {
            id: id.into(),
            account,
            mandate: self.mandate,
            status: self.status.0,
            name: self.name,
            frequency: self.frequency.0,
            previous: previous.transpose()?,
        })
    }
}

/// When and how much.
type InstalmentRecord = (i64, AmountRecord);

fn write_instalment(it: Instalment) -> InstalmentRecord {
    (instant::to_micros(it.at), write_amount(it.amount))
}

fn read_instalment(it: Option<InstalmentRecord>) -> Result<Option<Instalment>, Source> {
    it.map(|(at, amount)| Ok(Instalment { at: read_instant(at)?, amount: read_amount(amount) })).transpose()
}

#[derive(Serialize, Deserialize)]
struct StandingOrderRecord {
    frequency: FrequencyRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<InstalmentRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<InstalmentRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<InstalmentRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<InstalmentRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payments: Option<u32>,
    status: Word<ArrangementStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentRecord>,
    payee: IdentificationRecord,
}

impl StandingOrderRecord {
    fn of(it: &StandingOrder) -> Self {
        Self {
            frequency: FrequencyRecord::of(it.frequency),
            reference: it.reference.clone(),
            first: it.first.map(write_instalment),
            next: it.next.map(write_instalment),
            last: it.last.map(write_instalment),
            end: it.end.map(write_instalment),
            payments: it.payments,
            status: Word(it.status),
            agent: it.agent.as_ref().map(AgentRecord::of),
            payee: IdentificationRecord::of(&it.payee),
        }
    }

    fn into_domain(self, account: BankAccountId, id: &str) -> Result<StandingOrder, Source> {
        Ok(StandingOrder {
            id: id.into(),
            account,
            frequency: self.frequency.into_domain()?,
            reference: self.reference,
            first: read_instalment(self.first)?,
            next: read_instalment(self.next)?,
            last: read_instalment(self.last)?,
            end: read_instalment(self.end)?,
            payments: self.payments,
            status: self.status.0,
            agent: self.agent.map(AgentRecord::into_domain),
            payee: self.payee.into_domain(),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct ScheduledPaymentRecord {
    at: i64,
    kind: Word<ScheduledType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    debtor_reference: Option<String>,
    amount: AmountRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentRecord>,
    payee: IdentificationRecord,
}

impl ScheduledPaymentRecord {
    fn of(it: &ScheduledPayment) -> Self {
        Self {
            at: instant::to_micros(it.at),
            kind: Word(it.kind),
            reference: it.reference.clone(),
            debtor_reference: it.debtor_reference.clone(),
            amount: write_amount(it.amount),
            agent: it.agent.as_ref().map(AgentRecord::of),
            payee: IdentificationRecord::of(&it.payee),
        }
    }

    fn into_domain(self, account: BankAccountId, id: &str) -> Result<ScheduledPayment, Source> {
        Ok(ScheduledPayment {
            id: id.into(),
            account,
            at: read_instant(self.at)?,
            kind: self.kind.0,
            reference: self.reference,
            debtor_reference: self.debtor_reference,
            amount: read_amount(self.amount),
            agent: self.agent.map(AgentRecord::into_domain),
            payee: self.payee.into_domain(),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct OfferRecord {
    kind: Word<OfferType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
    /// A decimal number as text: exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    term: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount: Option<AmountRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fee: Option<AmountRecord>,
}

impl OfferRecord {
    fn of(it: &Offer) -> Self {
        Self {
            kind: Word(it.kind),
            description: it.description.clone(),
            from: it.from.map(instant::to_micros),
            until: it.until.map(instant::to_micros),
            rate: it.rate.map(|rate| rate.to_string()),
            value: it.value,
            term: it.term.clone(),
            url: it.url.clone(),
            amount: it.amount.map(write_amount),
            fee: it.fee.map(write_amount),
        }
    }

    fn into_domain(self, account: BankAccountId, id: &str) -> Result<Offer, Source> {
        Ok(Offer {
            id: id.into(),
            account,
            kind: self.kind.0,
            description: self.description,
            from: self.from.map(read_instant).transpose()?,
            until: self.until.map(read_instant).transpose()?,
            rate: self.rate.map(|rate| rate.parse()).transpose()?,
            value: self.value,
            term: self.term,
            url: self.url,
            amount: self.amount.map(read_amount),
            fee: self.fee.map(read_amount),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct AccountPartyRecord {
    kind: Word<PartyType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<Word<AccountRole>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beneficial_owner: Option<bool>,
    party: PartyRecord,
}

impl AccountPartyRecord {
    fn of(it: &AccountParty) -> Self {
        Self {
            kind: Word(it.kind),
            role: it.role.map(Word),
            beneficial_owner: it.beneficial_owner,
            party: PartyRecord::of(&it.party),
        }
    }

    fn into_domain(self, account: BankAccountId) -> AccountParty {
        AccountParty {
            account,
            kind: self.kind.0,
            role: self.role.map(|word| word.0),
            beneficial_owner: self.beneficial_owner,
            party: self.party.into_domain(),
        }
    }
}
