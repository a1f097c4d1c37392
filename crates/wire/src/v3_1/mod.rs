//! Version 3.1.11 of the standard.

mod consents;
mod forms;
mod frequency;
pub mod names;
pub(crate) mod parts;
pub mod payments;
#[cfg(test)]
pub(crate) mod tests;

use crate::{Links, Meta, RenderError, ResponseEnvelope, StandardVersion};
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::Serialize;

/// Version 3.1.11.
#[derive(Debug, Clone, Copy)]
pub struct V3_1;

impl StandardVersion for V3_1 {
    const VERSION: Version = Version::V3_1;
}

/// A response without `Risk`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Response<'a, D> {
    data: D,
    links: &'a Links,
    meta: Meta,
}

/// Serialises a response into a buffer of about `size` bytes.
pub(crate) fn write<D: Serialize>(data: D, envelope: &ResponseEnvelope, size: usize) -> Result<Vec<u8>, RenderError> {
    let mut body = Vec::with_capacity(size);
    let response = Response { data, links: &envelope.links, meta: envelope.meta };
    serde_json::to_writer(&mut body, &response).map_err(RenderError)?;
    Ok(body)
}
