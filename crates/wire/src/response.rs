//! The response body that most resources have in every version: `Data`, `Links` and `Meta`. Source: RW-240.

use crate::{Links, Meta, RenderError, ResponseEnvelope};
use schemars::JsonSchema;
use serde::Serialize;

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
