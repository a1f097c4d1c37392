//! Postal addresses. Source: `OBPostalAddress6`, `OBPostalAddress7`.

use serde::{Deserialize, Serialize};

/// The type of an address. Source: `OBAddressTypeCode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressType {
    /// A business address.
    Business,
    /// The address for business correspondence.
    Correspondence,
    /// The delivery address.
    DeliveryTo,
    /// The mailing address.
    MailTo,
    /// A post office box.
    PoBox,
    /// The complete postal address.
    Postal,
    /// The home address.
    Residential,
    /// The address for statements.
    Statement,
}

/// A postal address; at least one part is present.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostalAddress {
    /// Its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<AddressType>,
    /// A department, at most 70 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub department: Option<String>,
    /// A part of a department, at most 70 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_department: Option<String>,
    /// The person or organisation through whom mail is sent, at most 140 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub care_of: Option<String>,
    /// The street, at most 70 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    /// The building number, at most 16 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building: Option<String>,
    /// The name of the building, at most 140 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building_name: Option<String>,
    /// The number of the unit in the building, at most 16 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The floor, at most 70 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<String>,
    /// The room, at most 70 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// The post office box, at most 16 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_box: Option<String>,
    /// The post code, at most 16 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_code: Option<String>,
    /// The location within the town, at most 140 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub town_location: Option<String>,
    /// The district, at most 140 characters. Source: V4-005.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// The town, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub town: Option<String>,
    /// The county, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub county: Option<String>,
    /// The country, two letters of ISO 3166.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Unstructured address lines of at most 70 characters: up to 7 for an agent, up to 5 for a party.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}
