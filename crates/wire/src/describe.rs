//! JSON Schemas (2020-12) of a version's bodies, generated from the types that serialise them.
//!
//! Facts that a type does not express, such as the names of an enumeration or the length of a text, are stated at its
//! field by the tables that are used for serialising. Source: RW-252.

mod glossary;

use crate::StandardVersion;
pub use glossary::describe_members;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::collections::HashSet;

/// A version that has a schema for a `T`.
pub trait Describe<T: ?Sized>: StandardVersion {
    /// The body's schema: self-contained, without references.
    fn schema() -> Value;
}

/// The schema of a serialised type: self-contained, without references.
pub fn schema_of<T: JsonSchema>() -> Value {
    schema_with::<T>(SchemaSettings::draft2020_12().for_serialize())
}

/// The schema from which a type is parsed: self-contained, without references.
pub fn schema_of_request<T: JsonSchema>() -> Value {
    schema_with::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

fn schema_with<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(members) = schema.as_object_mut() {
        members.remove("title");
    }
    schema
}

/// The names of a table, each once, because several values may have one name.
pub(crate) fn each_once(mut names: Vec<&'static str>) -> Vec<&'static str> {
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(*name));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v3_1::V3_1;
    use crate::v4_0::V4_0;
    use lombard_domain::account::{Account, Aliased, Balance};
    use lombard_domain::consent::{ConsentDraft, ConsentView};

    fn names<'a>(schema: &'a Value, pointer: &str) -> Vec<&'a str> {
        schema.pointer(pointer).unwrap().as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
    }

    #[test]
    fn rw_240_every_body_has_data_links_and_meta() {
        for schema in [
            <V3_1 as Describe<[Aliased<Account>]>>::schema(),
            <V4_0 as Describe<[Aliased<Account>]>>::schema(),
            <V3_1 as Describe<ConsentView>>::schema(),
        ] {
            let required = names(&schema, "/required");
            assert!(["Data", "Links", "Meta"].iter().all(|name| required.contains(name)), "{schema}");
            assert_eq!(names(&schema, "/properties/Links/required"), ["Self"]);
        }
    }

    #[test]
    fn ais_111_a_versions_balances_are_described_in_its_own_words() {
        let pointer = "/properties/Data/properties/Balance/items/properties/Type/enum";
        let old = <V3_1 as Describe<[Aliased<Balance>]>>::schema();
        let new = <V4_0 as Describe<[Aliased<Balance>]>>::schema();
        assert!(names(&old, pointer).contains(&"InterimBooked"));
        assert!(names(&new, pointer).iter().all(|name| name.len() == 4), "{new}");
    }

    #[test]
    fn ais_050_detail_members_are_optional_and_always_sent_ones_are_required() {
        let schema = <V3_1 as Describe<[Aliased<Account>]>>::schema();
        let account = schema.pointer("/properties/Data/properties/Account/items").unwrap();
        let required = names(account, "/required");
        assert!(required.contains(&"AccountId") && !required.contains(&"Account"), "{required:?}");
    }

    #[test]
    fn ais_011_the_request_lists_the_permissions_there_are() {
        let schema = <V3_1 as Describe<ConsentDraft>>::schema();
        let pointer = "/properties/Data/properties/Permissions/items/enum";
        assert_eq!(names(&schema, pointer).len(), lombard_domain::consent::Permission::ALL.len());
    }
}
