//! The members beside `Data` in every response. Source: RW-240 to RW-244.

use crate::time::WireInstant;
use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use std::borrow::Cow;

/// `Links` and `Meta`; both are always present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseEnvelope {
    /// The links to this page and its neighbours.
    pub links: Links,
    /// The number of pages, and the available period.
    pub meta: Meta,
}

impl ResponseEnvelope {
    /// The envelope of a resource that is not a list, at this address. Source: PIS-156.
    pub fn unpaged(this: String) -> Self {
        Self { links: Links::self_only(this), meta: Meta::ONE_PAGE }
    }
}

/// Absolute addresses. Source: RW-241, `Links`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Links {
    /// The address of this resource or page.
    #[serde(rename = "Self")]
    pub this: String,
    /// The address of the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The address of the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prev: Option<String>,
    /// The address of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl Links {
    /// The links of a response without pages.
    pub fn self_only(this: String) -> Self {
        Self { this, first: None, prev: None, next: None }
    }
}

/// The metadata of a response. Source: RW-242, `Meta`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// The number of pages, if it can be determined cheaply. Source: RW-244, RW-275.
    pub total_pages: Option<u32>,
    /// The first and last booking times available under the consent. Source: AIS-096.
    pub available: Option<(Timestamp, Timestamp)>,
}

impl Meta {
    /// The metadata of a response without pages.
    pub const ONE_PAGE: Self = Self { total_pages: Some(1), available: None };
}

impl JsonSchema for Meta {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Meta")
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let instant = WireInstant::json_schema(generator);
        json_schema!({
            "type": "object",
            "properties": {
                "TotalPages": { "type": "integer", "format": "int32", "minimum": 1 },
                "FirstAvailableDateTime": instant,
                "LastAvailableDateTime": instant
            }
        })
    }
}

impl Serialize for Meta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut meta = serializer.serialize_struct("Meta", 3)?;
        if let Some(pages) = self.total_pages {
            meta.serialize_field("TotalPages", &pages)?;
        }
        if let Some((first, last)) = self.available {
            meta.serialize_field("FirstAvailableDateTime", &WireInstant(first))?;
            meta.serialize_field("LastAvailableDateTime", &WireInstant(last))?;
        }
        meta.end()
    }
}
