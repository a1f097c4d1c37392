//! The parties to an account, its owner, and the PSU who authorised. Source: AIS-185 to AIS-189.
//!
//! `Relationships` is optional and not sent: the requested address names the account already.

use super::{Response, V3_1, names, write};
use crate::describe::described;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountParty, Aliased, Party, PostalAddress};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadParty3/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Parties<'a> {
    party: Vec<WireParty<'a>>,
}

/// One party, or `{}` if the bank has no data. Source: `OBReadParty2/Data`, AIS-189.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct OneParty<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    party: Option<WireParty<'a>>,
}

/// Source: `OBParty2`, AIS-188.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireParty<'a> {
    party_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    party_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::party_type()))]
    party_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_legal_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::legal_structure()))]
    legal_structure: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beneficial_ownership: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = names::listed::account_role()))]
    account_role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_address: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mobile: Option<&'a str>,
    address: Vec<WireAddress<'a>>,
}

/// The address of a party: unlike other addresses always with a country, and without departments. Source:
/// `OBParty2/Address`, AIS-188.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireAddress<'a> {
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

impl<'a> WireAddress<'a> {
    /// The address; `None` without a country.
    fn of(address: &'a PostalAddress) -> Option<Self> {
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

/// A party without its role on an account.
impl<'a> From<&'a Party> for WireParty<'a> {
    fn from(party: &'a Party) -> Self {
        Self {
            party_id: party.id.as_str(),
            party_number: party.number.as_deref(),
            party_type: None,
            name: party.name.as_deref(),
            full_legal_name: party.full_legal_name.as_deref(),
            legal_structure: party.legal_structure.map(names::legal_structure),
            beneficial_ownership: None,
            account_role: None,
            email_address: party.email.as_deref(),
            phone: party.phone.as_deref(),
            mobile: party.mobile.as_deref(),
            address: party.addresses.iter().filter_map(WireAddress::of).collect(),
        }
    }
}

impl<'a> From<&'a Aliased<AccountParty>> for WireParty<'a> {
    fn from(Aliased { record, .. }: &'a Aliased<AccountParty>) -> Self {
        Self {
            party_type: Some(names::party_type(record.kind)),
            beneficial_ownership: record.beneficial_owner,
            account_role: record.role.map(names::account_role),
            ..Self::from(&record.party)
        }
    }
}

/// The approximate size of a party in bytes.
const PARTY_BYTES: usize = 600;

described!(V3_1, [Aliased<AccountParty>], Response<'static, Parties<'static>>);
described!(V3_1, Option<Aliased<AccountParty>>, Response<'static, OneParty<'static>>);
described!(V3_1, Option<Party>, Response<'static, OneParty<'static>>);

/// `/accounts/{AccountId}/parties`. Source: AIS-187.
impl Render<[Aliased<AccountParty>]> for V3_1 {
    fn render(parties: &[Aliased<AccountParty>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Parties { party: parties.iter().map(WireParty::from).collect() };
        write(data, envelope, parties.len().saturating_mul(PARTY_BYTES).saturating_add(400))
    }
}

/// `/accounts/{AccountId}/party`. Source: AIS-185.
impl Render<Option<Aliased<AccountParty>>> for V3_1 {
    fn render(party: &Option<Aliased<AccountParty>>, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        write(OneParty { party: party.as_ref().map(WireParty::from) }, envelope, PARTY_BYTES.saturating_add(400))
    }
}

/// `/party`. Source: AIS-186.
impl Render<Option<Party>> for V3_1 {
    fn render(party: &Option<Party>, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        write(OneParty { party: party.as_ref().map(WireParty::from) }, envelope, PARTY_BYTES.saturating_add(400))
    }
}
