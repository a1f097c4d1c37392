//! Objects that several resources of v3.1 share.

use super::names;
use crate::parts::Bic;
use lombard_domain::account::{BankIdentification, PostalAddress};
use schemars::JsonSchema;
use serde::Serialize;

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
        let name = agent.name.as_deref();
        let postal_address = agent.address.as_ref().map(Address::from);
        (name.is_some() || postal_address.is_some()).then_some(Self { bic: None, name, postal_address })
    }
}

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
