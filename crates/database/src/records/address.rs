//! Where people and organisations can be written to.

use lombard_domain::account::{AddressType, PostalAddress};
use lombard_domain::code::Word;
use serde::{Deserialize, Serialize};

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
