//! What a bank account is, beside the columns that say whose it is and whether it can be used.

use super::party::AgentRecord;
use lombard_database::records::{IdentificationRecord, json, read_instant};
use lombard_domain::account::{Account, AccountStatus, AccountSubType, AccountType, SwitchStatus};
use lombard_domain::code::Word;
use lombard_domain::ids::BankAccountId;
use lombard_domain::instant;
use lombard_domain::money::Currency;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct AccountRecord {
    status_changed_at: i64,
    account_type: Word<AccountType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nickname: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opened_on: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    matures_on: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    switch_status: Option<Word<SwitchStatus>>,
    identifications: Vec<IdentificationRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    servicer: Option<AgentRecord>,
}

impl AccountRecord {
    pub(crate) fn write(account: &Account) -> String {
        json(&Self {
            status_changed_at: instant::to_micros(account.status_changed_at),
            account_type: Word(account.account_type),
            description: account.description.clone(),
            nickname: account.nickname.clone(),
            opened_on: account.opened_on.map(|date| date.to_string()),
            matures_on: account.matures_on.map(|date| date.to_string()),
            switch_status: account.switch_status.map(Word),
            identifications: account.identifications.iter().map(IdentificationRecord::of).collect(),
            servicer: account.servicer.as_ref().map(AgentRecord::of),
        })
    }

    pub(crate) fn read(
        text: &str,
        id: BankAccountId,
        status: AccountStatus,
        sub_type: AccountSubType,
        currency: Currency,
    ) -> Result<Account, Source> {
        let record: Self = serde_json::from_str(text)?;
        Ok(Account {
            id,
            status,
            sub_type,
            currency,
            status_changed_at: read_instant(record.status_changed_at)?,
            account_type: record.account_type.0,
            description: record.description,
            nickname: record.nickname,
            opened_on: record.opened_on.map(|date| date.parse()).transpose()?,
            matures_on: record.matures_on.map(|date| date.parse()).transpose()?,
            switch_status: record.switch_status.map(|word| word.0),
            identifications: record.identifications.into_iter().map(IdentificationRecord::into_domain).collect(),
            servicer: record.servicer.map(AgentRecord::into_domain),
        })
    }
}
