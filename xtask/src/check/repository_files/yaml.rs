//! Reads YAML documents.

use yaml_rust2::{Yaml, YamlLoader};

/// Parses a text that contains one document, which must be a mapping.
///
/// # Errors
/// A description of the fault of the text.
pub(super) fn document(text: &str) -> Result<Yaml, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|error| error.to_string())?;
    match <[Yaml; 1]>::try_from(documents) {
        Ok([document]) if document.is_hash() => Ok(document),
        Ok(_) => Err("is no mapping".to_owned()),
        Err(documents) => Err(format!("has {} documents instead of one", documents.len())),
    }
}

/// A member of a mapping.
pub(super) fn member<'a>(mapping: &'a Yaml, name: &str) -> Option<&'a Yaml> {
    members(mapping).find(|(member, _)| *member == name).map(|(_, value)| value)
}

/// The members of a mapping that have text keys.
pub(super) fn members(mapping: &Yaml) -> impl Iterator<Item = (&str, &Yaml)> {
    let members = mapping.as_hash().into_iter().flatten();
    members.filter_map(|(name, value)| Some((name.as_str()?, value)))
}

/// The text of a member.
pub(super) fn text<'a>(mapping: &'a Yaml, name: &str) -> Option<&'a str> {
    member(mapping, name)?.as_str().filter(|text| !text.trim().is_empty())
}

/// The elements of a member that is a list; empty for any other member.
pub(super) fn list<'a>(mapping: &'a Yaml, name: &str) -> &'a [Yaml] {
    member(mapping, name).and_then(Yaml::as_vec).map(Vec::as_slice).unwrap_or_default()
}
