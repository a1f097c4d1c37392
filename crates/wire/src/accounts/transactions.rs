//! Entries on accounts. Source: AIS-120 to AIS-135.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::parts::{ExactNumber, WireMoney};
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{
    Aliased, BankTransactionCode, CardInstrument, CurrencyExchange, EntryBalance, Merchant, OtherParty,
    ProprietaryCode, Transaction,
};
use lombard_domain::money::CreditDebit;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::marker::PhantomData;

/// Source: `OBReadTransaction6/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct Transactions<'a, V: AccountForms> {
    #[schemars(with = "Vec<WireTransaction<'a, V>>")]
    transaction: EachTransaction<'a, V>,
}

/// The entries that the version shows. Each is built only when it is written, because an entry is large and a page has many.
#[derive(Debug)]
struct EachTransaction<'a, V> {
    entries: &'a [Aliased<Transaction>],
    version: PhantomData<V>,
}

impl<V: AccountForms> Serialize for EachTransaction<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entries.iter().filter_map(WireTransaction::<V>::of))
    }
}

/// Source: `OBTransaction6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireTransaction<'a, V: AccountForms> {
    account_id: &'a str,
    transaction_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_reference: Option<&'a str>,
    statement_reference: &'a [String],
    #[schemars(extend("enum" = names::listed::credit_debit()))]
    credit_debit_indicator: &'static str,
    #[schemars(extend("enum" = V::entry_statuses()))]
    status: &'static str,
    #[schemars(extend("enum" = names::listed::mutability()))]
    transaction_mutability: &'static str,
    booking_date_time: WireInstant,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_information: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_line: Option<&'a str>,
    amount: WireMoney,
    #[serde(skip_serializing_if = "Option::is_none")]
    charge_amount: Option<WireMoney>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency_exchange: Option<WireExchange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bank_transaction_code: Option<WireBankCode<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proprietary_bank_transaction_code: Option<WireProprietaryCode<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<WireEntryBalance<V>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant_details: Option<WireMerchant<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_agent: Option<V::Institution<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<V::Account<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_agent: Option<V::Institution<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_account: Option<V::Account<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_instrument: Option<WireCard<'a>>,
    #[serde(flatten)]
    payment: Option<Box<V::Payment<'a>>>,
}

/// Source: `OBCurrencyExchange5`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireExchange {
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    source_currency: &'static str,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    target_currency: &'static str,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    unit_currency: &'static str,
    exchange_rate: ExactNumber,
    #[serde(skip_serializing_if = "Option::is_none")]
    quotation_date: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructed_amount: Option<WireMoney>,
}

/// Source: `OBBankTransactionCodeStructure1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireBankCode<'a> {
    code: &'a str,
    sub_code: &'a str,
}

/// Source: `ProprietaryBankTransactionCodeStructure1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireProprietaryCode<'a> {
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<&'a str>,
}

/// Source: `OBTransactionCashBalance`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireEntryBalance<V: AccountForms> {
    amount: WireMoney,
    #[schemars(extend("enum" = names::listed::credit_debit()))]
    credit_debit_indicator: &'static str,
    #[schemars(extend("enum" = V::balance_types()))]
    r#type: &'static str,
    #[serde(skip)]
    version: PhantomData<V>,
}

/// Source: `OBMerchantDetails1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireMerchant<'a> {
    merchant_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant_category_code: Option<&'a str>,
}

/// Source: `OBTransactionCardInstrument1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireCard<'a> {
    #[schemars(extend("enum" = names::listed::card_scheme()))]
    card_scheme_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::card_authorisation()))]
    authorisation_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identification: Option<&'a str>,
}

impl<'a, V: AccountForms> WireTransaction<'a, V> {
    /// The entry; `None` if the version leaves it out. Source: AIS-135.
    fn of(Aliased { alias, record }: &'a Aliased<Transaction>) -> Option<Self> {
        let status = V::entry_status(record.status)?;
        let direction = record.sum.direction();
        // The counterparty of a debit is its creditor, that of a credit its debtor (AIS-130).
        let (creditor, debtor) = match direction {
            CreditDebit::Debit => (record.other_party.as_ref(), None),
            CreditDebit::Credit => (None, record.other_party.as_ref()),
        };
        let agent = |party: &'a OtherParty| party.agent.as_ref().and_then(V::institution);
        let account = |party: &'a OtherParty| party.account.as_ref().map(V::Account::from);
        Some(Self {
            account_id: alias.as_str(),
            transaction_id: record.id.as_str(),
            transaction_reference: record.reference.as_deref(),
            statement_reference: &record.statement_references,
            credit_debit_indicator: names::credit_debit(direction),
            status,
            transaction_mutability: names::mutability(record.mutability),
            booking_date_time: WireInstant(record.booked_at),
            value_date_time: record.value_at.map(WireInstant),
            transaction_information: record.information.as_deref(),
            address_line: record.address_line.as_deref(),
            amount: record.sum.amount().into(),
            charge_amount: record.charge.map(WireMoney::from),
            currency_exchange: record.exchange.as_ref().map(WireExchange::from),
            bank_transaction_code: record.bank_code.as_ref().map(WireBankCode::of::<V>),
            proprietary_bank_transaction_code: record.proprietary_code.as_ref().map(WireProprietaryCode::from),
            balance: record.balance.as_ref().map(WireEntryBalance::from),
            merchant_details: record.merchant.as_ref().map(WireMerchant::from),
            creditor_agent: creditor.and_then(agent),
            creditor_account: creditor.and_then(account),
            debtor_agent: debtor.and_then(agent),
            debtor_account: debtor.and_then(account),
            card_instrument: record.card.as_ref().map(WireCard::from),
            payment: record.payment.as_deref().map(|payment| Box::new(payment.into())),
        })
    }
}

impl From<&CurrencyExchange> for WireExchange {
    fn from(exchange: &CurrencyExchange) -> Self {
        Self {
            source_currency: exchange.source.code(),
            target_currency: exchange.target.code(),
            unit_currency: exchange.unit.code(),
            exchange_rate: ExactNumber(exchange.rate.0),
            quotation_date: exchange.quoted_at.map(WireInstant),
            instructed_amount: exchange.instructed.map(WireMoney::from),
        }
    }
}

impl<'a> WireBankCode<'a> {
    fn of<V: AccountForms>(code: &'a BankTransactionCode) -> Self {
        let (code, sub_code) = V::bank_code(code);
        Self { code, sub_code }
    }
}

impl<'a> From<&'a ProprietaryCode> for WireProprietaryCode<'a> {
    fn from(code: &'a ProprietaryCode) -> Self {
        Self { code: &code.code, issuer: code.issuer.as_deref() }
    }
}

impl<V: AccountForms> From<&EntryBalance> for WireEntryBalance<V> {
    fn from(balance: &EntryBalance) -> Self {
        Self {
            amount: balance.sum.amount().into(),
            credit_debit_indicator: names::credit_debit(balance.sum.direction()),
            r#type: V::balance_type(balance.kind),
            version: PhantomData,
        }
    }
}

impl<'a> From<&'a Merchant> for WireMerchant<'a> {
    fn from(merchant: &'a Merchant) -> Self {
        Self { merchant_name: &merchant.name, merchant_category_code: merchant.category.as_deref() }
    }
}

impl<'a> From<&'a CardInstrument> for WireCard<'a> {
    fn from(card: &'a CardInstrument) -> Self {
        Self {
            card_scheme_name: names::card_scheme(card.scheme),
            authorisation_type: card.authorisation.map(names::card_authorisation),
            name: card.name.as_deref(),
            identification: card.number.as_deref(),
        }
    }
}

described_in_all!([Aliased<Transaction>], Response<'static, Transactions<'static, V>>);

impl<V: AccountForms> Render<[Aliased<Transaction>]> for V {
    fn render(transactions: &[Aliased<Transaction>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Transactions::<V> { transaction: EachTransaction { entries: transactions, version: PhantomData } };
        write(data, envelope, transactions.len().saturating_mul(900).saturating_add(600))
    }
}
