//! Objects that several resources of v3.1 share.

use super::names;
use lombard_domain::account::{AccountIdentification, BankIdentification, PostalAddress};
use lombard_domain::money::Amount;
use rust_decimal::Decimal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{Error, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Source: `OBActiveOrHistoricCurrencyAndAmount`, RW-251.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct WireMoney {
    #[schemars(regex(pattern = r"^\d{1,13}$|^\d{1,13}\.\d{1,5}$"))]
    amount: DecimalAmount,
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    currency: &'static str,
}

impl From<Amount> for WireMoney {
    fn from(amount: Amount) -> Self {
        Self { amount: DecimalAmount(amount), currency: amount.currency().code() }
    }
}

/// An amount, as a decimal text.
#[derive(Debug)]
struct DecimalAmount(Amount);

impl JsonSchema for DecimalAmount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Decimal")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

impl Serialize for DecimalAmount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.decimal_text().as_str())
    }
}

/// Source: `OBCashAccount5_0`, `OBCashAccount6_0`, `OBCashAccount6_1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CashAccount<'a> {
    #[schemars(extend("enum" = names::listed::account_scheme()))]
    scheme_name: &'static str,
    identification: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_identification: Option<&'a str>,
}

impl<'a> From<&'a AccountIdentification> for CashAccount<'a> {
    fn from(identification: &'a AccountIdentification) -> Self {
        Self {
            scheme_name: names::account_scheme(identification.scheme),
            identification: &identification.number,
            name: identification.name.as_deref(),
            secondary_identification: identification.secondary.as_deref(),
        }
    }
}

/// A bank that can only be identified by its BIC: the servicer of an account, and the creditor agent of a standing
/// order or scheduled payment. Source: `OBBranchAndFinancialInstitutionIdentification5_0`, `5_1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Bic<'a> {
    #[schemars(extend("enum" = [BICFI]))]
    scheme_name: &'static str,
    identification: &'a str,
}

impl<'a> Bic<'a> {
    /// The bank with this BIC.
    pub(crate) const fn new(identification: &'a str) -> Self {
        Self { scheme_name: BICFI, identification }
    }

    /// The agent; `None` without a BIC.
    pub(crate) fn of(agent: &'a BankIdentification) -> Option<Self> {
        agent.bic.as_deref().map(Self::new)
    }
}

/// A bank, by its BIC or by name and address, never both. Source: AIS-162,
/// `OBBranchAndFinancialInstitutionIdentification6_0`, `6_1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Institution<'a> {
    #[serde(flatten)]
    bic: Option<Bic<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_address: Option<Address<'a>>,
}

impl<'a> Institution<'a> {
    /// The agent; `None` if nothing is known of it (RW-245).
    pub(super) fn of(agent: &'a BankIdentification) -> Option<Self> {
        if let bic @ Some(_) = Bic::of(agent) {
            return Some(Self { bic, name: None, postal_address: None });
        }
        let (name, postal_address) = (agent.name.as_deref(), agent.address.as_ref().map(Address::from));
        (name.is_some() || postal_address.is_some()).then_some(Self { bic: None, name, postal_address })
    }
}

const BICFI: &str = "UK.OBIE.BICFI";

/// The address of a bank. Source: `OBPostalAddress6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Address<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::address_type()))]
    address_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    department: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_department: Option<&'a str>,
    address_line: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    street_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    building_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    town_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country_sub_division: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<&'a str>,
}

impl<'a> From<&'a PostalAddress> for Address<'a> {
    fn from(address: &'a PostalAddress) -> Self {
        Self {
            address_type: address.kind.map(names::address_type),
            department: address.department.as_deref(),
            sub_department: address.sub_department.as_deref(),
            address_line: &address.lines,
            street_name: address.street.as_deref(),
            building_number: address.building.as_deref(),
            post_code: address.post_code.as_deref(),
            town_name: address.town.as_deref(),
            country_sub_division: address.county.as_deref(),
            country: address.country.as_deref(),
        }
    }
}

/// The address of a party: unlike other addresses always with a country, and without departments. Source:
/// `OBParty2/Address`, AIS-188.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PartyAddress<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::address_type()))]
    address_type: Option<&'static str>,
    address_line: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    street_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    building_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    town_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country_sub_division: Option<&'a str>,
    country: &'a str,
}

impl<'a> PartyAddress<'a> {
    /// The address; `None` without a country.
    pub(super) fn of(address: &'a PostalAddress) -> Option<Self> {
        Some(Self {
            address_type: address.kind.map(names::address_type),
            address_line: &address.lines,
            street_name: address.street.as_deref(),
            building_number: address.building.as_deref(),
            post_code: address.post_code.as_deref(),
            town_name: address.town.as_deref(),
            country_sub_division: address.county.as_deref(),
            country: address.country.as_deref()?,
        })
    }
}

/// A number that the standard defines as a JSON number; written digit by digit, without floating point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExactNumber(pub(crate) Decimal);

impl JsonSchema for ExactNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Number")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

impl Serialize for ExactNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.normalize().to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// A rate that the standard defines as a string, at most 3 digits and 4 decimals. Source: AIS-182,
/// `OBStatement2/StatementRate`.
pub(crate) fn rate(rate: Decimal) -> String {
    rate.normalize().to_string()
}
