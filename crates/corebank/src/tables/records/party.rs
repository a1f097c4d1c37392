//! People, organisations and banks.

use lombard_database::records::{AddressRecord, json};
use lombard_domain::account::{Agent, LegalStructure, Party};
use lombard_domain::code::Word;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct PartyRecord {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    full_legal_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    legal_structure: Option<Word<LegalStructure>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mobile: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    addresses: Vec<AddressRecord>,
}

impl PartyRecord {
    pub(crate) fn write(party: &Party) -> String {
        json(&Self::of(party))
    }

    pub(crate) fn read(text: &str) -> Result<Party, Source> {
        Ok(serde_json::from_str::<Self>(text)?.into_domain())
    }

    pub(crate) fn of(it: &Party) -> Self {
        Self {
            id: it.id.to_string(),
            number: it.number.clone(),
            name: it.name.clone(),
            full_legal_name: it.full_legal_name.clone(),
            legal_structure: it.legal_structure.map(Word),
            email: it.email.clone(),
            phone: it.phone.clone(),
            mobile: it.mobile.clone(),
            addresses: it.addresses.iter().map(AddressRecord::of).collect(),
        }
    }

    pub(crate) fn into_domain(self) -> Party {
        Party {
            id: self.id.into(),
            number: self.number,
            name: self.name,
            full_legal_name: self.full_legal_name,
            legal_structure: self.legal_structure.map(|word| word.0),
            email: self.email,
            phone: self.phone,
            mobile: self.mobile,
            addresses: self.addresses.into_iter().map(AddressRecord::into_domain).collect(),
        }
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct AgentRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bic: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<AddressRecord>,
}

impl AgentRecord {
    pub(crate) fn of(it: &Agent) -> Self {
        Self { bic: it.bic.clone(), name: it.name.clone(), address: it.address.as_ref().map(AddressRecord::of) }
    }

    pub(crate) fn into_domain(self) -> Agent {
        Agent { bic: self.bic, name: self.name, address: self.address.map(AddressRecord::into_domain) }
    }
}
