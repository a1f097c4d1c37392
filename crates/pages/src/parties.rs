//! Describes the requesting application and the customer's accounts in words that the customer knows.

use super::text;
use lombard_auth::software_statement::read_logo_uri;
use lombard_domain::account::{Account, AccountScheme, AccountSubType};
use lombard_domain::client::Client;

/// The path prefix of logos; the client id follows it.
pub(super) const LOGOS: &str = "/logos";

/// The requesting application, with texts that are safe to show. Source: AS-142.
#[derive(Debug, Clone)]
pub(super) struct RequestingParty {
    pub software: String,
    pub organisation: String,
    pub on_behalf_of: Option<String>,
    /// The URL of the logo on this server, if the application has named a logo.
    pub logo: Option<String>,
}

impl RequestingParty {
    pub(super) fn of(client: &Client) -> Self {
        Self {
            software: text::name(&client.software_name),
            organisation: text::name(&client.org_name),
            on_behalf_of: client.on_behalf_of.as_deref().map(text::name),
            logo: read_logo_uri(client).map(|_| format!("{LOGOS}/{}", client.id)),
        }
    }

    /// The letter in the round badge beside the name.
    pub(super) fn initial(&self) -> String {
        let first = self.software.chars().find(|character| character.is_alphanumeric());
        first.map_or_else(|| "?".to_owned(), |first| first.to_uppercase().collect())
    }
}

/// An account, as its holder knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AccountView {
    pub name: String,
    pub kind: String,
    pub number: String,
}

impl AccountView {
    pub(super) fn of(account: &Account) -> Self {
        let kind = sub_type(account.sub_type);
        let own_name = account.nickname.as_deref().or(account.description.as_deref());
        Self {
            name: own_name.map_or_else(|| kind.to_owned(), text::name),
            kind: format!("{kind}, {}", account.currency),
            number: number(account).unwrap_or_default(),
        }
    }
}

/// The part of an account number that is needed to recognise the account.
fn number(account: &Account) -> Option<String> {
    let known = account.identifications.first()?;
    let digits: Vec<char> = known.number.chars().collect();
    let last: String = digits.get(digits.len().saturating_sub(4)..)?.iter().collect();
    Some(match (known.scheme, digits.get(..6)) {
        (AccountScheme::SortCodeAccountNumber, Some([a, b, c, d, e, f])) => {
            format!("{a}{b}-{c}{d}-{e}{f} ending {last}")
        }
        _ => format!("ending {last}"),
    })
}

const fn sub_type(sub_type: AccountSubType) -> &'static str {
    match sub_type {
        AccountSubType::ChargeCard => "Charge card",
        AccountSubType::CreditCard => "Credit card",
        AccountSubType::CurrentAccount => "Current account",
        AccountSubType::EMoney => "E-money account",
        AccountSubType::Loan => "Loan",
        AccountSubType::Mortgage => "Mortgage",
        AccountSubType::PrePaidCard => "Prepaid card",
        AccountSubType::Savings => "Savings account",
    }
}
