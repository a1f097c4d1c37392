//! Objects that several resources of v4.0 share.

use super::names;
use crate::code_sets;
use crate::parts::{Bic, CashAccount};
use lombard_domain::account::{AccountIdentification, AccountProxy, BankIdentification, IsoCode, PostalAddress};
use schemars::JsonSchema;
use serde::Serialize;

/// The text of a code.
pub(super) fn text(code: &IsoCode) -> &str {
    code.as_str()
}

/// The account of a payee or counterparty, with the alias by which payers know the account. Source: `OBCashAccount5_0`,
/// `OBCashAccount5_1`, `OBCashAccount6_0`, `OBCashAccount6_1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PayeeAccount<'a> {
    #[serde(flatten)]
    account: CashAccount<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proxy: Option<Proxy<'a>>,
}

impl<'a> From<&'a AccountIdentification> for PayeeAccount<'a> {
    fn from(account: &'a AccountIdentification) -> Self {
        Self { account: account.into(), proxy: account.proxy.as_deref().map(Proxy::from) }
    }
}

/// Source: CBP-001, `OBProxy1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Proxy<'a> {
    #[schemars(length(min = 1, max = 2048))]
    identification: &'a str,
    #[schemars(extend("enum" = code_sets::PROXY_TYPES))]
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 35))]
    r#type: Option<&'a str>,
}

impl<'a> From<&'a AccountProxy> for Proxy<'a> {
    fn from(proxy: &'a AccountProxy) -> Self {
        Self { identification: &proxy.identification, code: proxy.code.as_str(), r#type: proxy.kind.as_deref() }
    }
}

/// Source: V4-008, `LEI`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Lei<'a> {
    #[serde(rename = "LEI", skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[A-Z0-9]{18,18}[0-9]{2,2}$"))]
    lei: Option<&'a str>,
}

impl<'a> From<Option<&'a str>> for Lei<'a> {
    fn from(lei: Option<&'a str>) -> Self {
        Self { lei }
    }
}

/// The details of a bank other than its BIC.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct BankDetails<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(flatten)]
    lei: Lei<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_address: Option<Box<Address<'a>>>,
}

impl<'a> From<&'a BankIdentification> for BankDetails<'a> {
    fn from(bank: &'a BankIdentification) -> Self {
        let postal_address = Address::boxed(bank.address.as_ref());
        Self { name: bank.name.as_deref(), lei: bank.lei.as_deref().into(), postal_address }
    }
}

/// A bank, by its BIC or by name and address, never both. Source: AIS-162,
/// `OBBranchAndFinancialInstitutionIdentification6_0`, `6_1`, `6_2`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Institution<'a> {
    #[serde(flatten)]
    bic: Option<Bic<'a>>,
    #[serde(flatten)]
    details: BankDetails<'a>,
}

impl<'a> Institution<'a> {
    /// All known identifications of the bank.
    pub(super) fn whole(bank: &'a BankIdentification) -> Self {
        Self { bic: Bic::of(bank), details: bank.into() }
    }

    /// The bank; `None` if nothing is known of it (RW-245).
    pub(super) fn of(bank: &'a BankIdentification) -> Option<Self> {
        let Self { bic, details } = Self::whole(bank);
        if bic.is_some() {
            return Some(Self { bic, details: BankDetails { name: None, postal_address: None, ..details } });
        }
        let known = details.name.is_some() || details.lei.lei.is_some() || details.postal_address.is_some();
        known.then_some(Self { bic, details })
    }
}

/// The bank of a payee: its BIC, and its other known details. Source: `OBBranchAndFinancialInstitutionIdentification5_1`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Agent<'a> {
    #[serde(flatten)]
    bic: Bic<'a>,
    #[serde(flatten)]
    details: BankDetails<'a>,
}

impl<'a> Agent<'a> {
    /// The bank; `None` without a BIC.
    pub(super) fn of(bank: &'a BankIdentification) -> Option<Self> {
        Some(Self { bic: Bic::of(bank)?, details: bank.into() })
    }
}

/// Source: V4-005, RW-253, `OBPostalAddress7`.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    care_of: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    street_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    building_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    building_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_box: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    town_location_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    district_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    town_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country_sub_division: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[A-Z]{2,2}$"))]
    country: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    address_line: &'a [String],
}

impl<'a> From<&'a PostalAddress> for Address<'a> {
    fn from(address: &'a PostalAddress) -> Self {
        Self {
            address_type: address.kind.map(names::address_type),
            department: address.department.as_deref(),
            sub_department: address.sub_department.as_deref(),
            care_of: address.care_of.as_deref(),
            street_name: address.street.as_deref(),
            building_number: address.building.as_deref(),
            building_name: address.building_name.as_deref(),
            unit_number: address.unit.as_deref(),
            floor: address.floor.as_deref(),
            room: address.room.as_deref(),
            post_box: address.post_box.as_deref(),
            post_code: address.post_code.as_deref(),
            town_location_name: address.town_location.as_deref(),
            district_name: address.district.as_deref(),
            town_name: address.town.as_deref(),
            country_sub_division: address.county.as_deref(),
            country: address.country.as_deref(),
            address_line: &address.lines,
        }
    }
}

impl<'a> Address<'a> {
    /// The address in a box, because few records have an address and it is large.
    pub(super) fn boxed(address: Option<&'a PostalAddress>) -> Option<Box<Self>> {
        address.map(|address| Box::new(address.into()))
    }
}
