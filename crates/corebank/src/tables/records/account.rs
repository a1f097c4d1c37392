//! The JSON document of a bank account: everything that is not in columns.

use jiff::Timestamp;
use jiff::civil::Date;
use lombard_database::document;
use lombard_domain::account::{
    Account, AccountIdentification, AccountStatus, AccountSubType, AccountType, BankIdentification, StatementDelivery,
    SwitchStatus,
};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use lombard_domain::stored;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// An [`Account`] without its columns.
#[derive(Serialize, Deserialize)]
pub(crate) struct AccountRecord {
    #[serde(with = "stored")]
    status_changed_at: Timestamp,
    account_type: AccountType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nickname: Option<String>,
    #[serde(default, with = "stored", skip_serializing_if = "Option::is_none")]
    opened_on: Option<Date>,
    #[serde(default, with = "stored", skip_serializing_if = "Option::is_none")]
    matures_on: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    switch_status: Option<SwitchStatus>,
    identifications: Vec<AccountIdentification>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    servicer: Option<BankIdentification>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lei: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    statement_delivery: Vec<StatementDelivery>,
}

impl AccountRecord {
    pub(crate) fn write(account: &Account) -> String {
        document::write(&Self {
            status_changed_at: account.status_changed_at,
            account_type: account.account_type,
            description: account.description.clone(),
            nickname: account.nickname.clone(),
            opened_on: account.opened_on,
            matures_on: account.matures_on,
            switch_status: account.switch_status,
            identifications: account.identifications.clone(),
            servicer: account.servicer.clone(),
            lei: account.lei.clone(),
            statement_delivery: account.statement_delivery.clone(),
        })
    }

    pub(crate) fn read(
        text: &str,
        id: BankAccountId,
        status: AccountStatus,
        sub_type: AccountSubType,
        currency: Currency,
    ) -> Result<Account, Source> {
        let record: Self = document::read(text)?;
        Ok(Account {
            id,
            status,
            sub_type,
            currency,
            status_changed_at: record.status_changed_at,
            account_type: record.account_type,
            description: record.description,
            nickname: record.nickname,
            opened_on: record.opened_on,
            matures_on: record.matures_on,
            switch_status: record.switch_status,
            identifications: record.identifications,
            servicer: record.servicer,
            lei: record.lei,
            statement_delivery: record.statement_delivery,
            core_state: None,
        })
    }
}
