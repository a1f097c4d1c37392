//! The parties to an account, its owner, and the PSU who authorised. Source: AIS-185 to AIS-189.
//!
//! `Relationships` is optional and not sent: the requested address names the account already.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::response::{Response, write};
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountParty, Aliased, Party};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadParty3/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct Parties<'a, V: AccountForms> {
    party: Vec<WireParty<'a, V>>,
}

/// One party, or `{}` if the bank has no data. Source: `OBReadParty2/Data`, AIS-189.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct OneParty<'a, V: AccountForms> {
    #[serde(skip_serializing_if = "Option::is_none")]
    party: Option<WireParty<'a, V>>,
}

/// Source: `OBParty2`, AIS-188.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct WireParty<'a, V: AccountForms> {
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
    address: Vec<V::PartyAddress<'a>>,
    #[serde(flatten)]
    lei: V::Lei<'a>,
}

/// A party without its role on an account.
impl<'a, V: AccountForms> From<&'a Party> for WireParty<'a, V> {
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
            address: party.addresses.iter().filter_map(V::party_address).collect(),
            lei: party.lei.as_deref().into(),
        }
    }
}

impl<'a, V: AccountForms> From<&'a Aliased<AccountParty>> for WireParty<'a, V> {
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

described_in_all!([Aliased<AccountParty>], Response<'static, Parties<'static, V>>);
described_in_all!(Option<Aliased<AccountParty>>, Response<'static, OneParty<'static, V>>);
described_in_all!(Option<Party>, Response<'static, OneParty<'static, V>>);

/// `/accounts/{AccountId}/parties`. Source: AIS-187.
impl<V: AccountForms> Render<[Aliased<AccountParty>]> for V {
    fn render(parties: &[Aliased<AccountParty>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Parties::<V> { party: parties.iter().map(WireParty::from).collect() };
        write(data, envelope, parties.len().saturating_mul(PARTY_BYTES).saturating_add(400))
    }
}

/// `/accounts/{AccountId}/party`. Source: AIS-185.
impl<V: AccountForms> Render<Option<Aliased<AccountParty>>> for V {
    fn render(party: &Option<Aliased<AccountParty>>, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        write(OneParty::<V> { party: party.as_ref().map(WireParty::from) }, envelope, PARTY_BYTES.saturating_add(400))
    }
}

/// `/party`. Source: AIS-186.
impl<V: AccountForms> Render<Option<Party>> for V {
    fn render(party: &Option<Party>, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        write(OneParty::<V> { party: party.as_ref().map(WireParty::from) }, envelope, PARTY_BYTES.saturating_add(400))
    }
}
