//! People and organisations, and where they can be written to.

use super::json;
use lombard_domain::account::{AddressType, LegalStructure, Party, PostalAddress};
use lombard_domain::code::Word;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct PartyRecord {
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
    pub fn write(party: &Party) -> String {
        json(&Self::of(party))
    }

    pub fn read(text: &str) -> Result<Party, Source> {
        Ok(serde_json::from_str::<Self>(text)?.into_domain())
    }

    pub fn of(it: &Party) -> Self {
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

    pub fn into_domain(self) -> Party {
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
pub struct AddressRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Word<AddressType>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    department: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sub_department: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    street: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    building: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    post_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    town: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    county: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    country: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<String>,
}

impl AddressRecord {
    pub fn of(it: &PostalAddress) -> Self {
        let PostalAddress {
            kind,
            department,
            sub_department,
            street,
            building,
            post_code,
            town,
            county,
            country,
            lines,
        } = it.clone();
        let kind = kind.map(Word);
        Self { kind, department, sub_department, street, building, post_code, town, county, country, lines }
    }

    pub fn into_domain(self) -> PostalAddress {
        let Self { kind, department, sub_department, street, building, post_code, town, county, country, lines } = self;
        let kind = kind.map(|word| word.0);
        PostalAddress { kind, department, sub_department, street, building, post_code, town, county, country, lines }
    }
}
