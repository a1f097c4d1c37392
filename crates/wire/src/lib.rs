#![doc = include_str!("../README.md")]
#![deny(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod code_sets;
pub mod codes;
pub mod comparison;
pub mod describe;
pub mod document;
pub mod errors;
pub mod events;
pub mod files;
pub mod patch;
pub mod paths;
pub mod payments;
pub mod time;
pub mod v3_1;
pub mod v4_0;
pub mod vrp;

mod accounts;
mod encoding;
mod envelope;
mod names;
mod parse;
mod parts;
mod response;
mod spelling;
mod status_reason;

pub use envelope::{Links, Meta, ResponseEnvelope};

use lombard_domain::refusal::Fault;
use lombard_domain::version::Version;

/// A version of the standard at the edge.
pub trait StandardVersion: Send + Sync + 'static {
    /// The version.
    const VERSION: Version;
}

/// A version that parses request bodies as a `T`.
pub trait Parse<T>: StandardVersion {
    /// Parses a body whose objects and arrays are nested at most `depth_max` deep.
    ///
    /// # Errors
    /// Every fault, at least one.
    fn parse(body: &[u8], depth_max: usize) -> Result<T, Vec<Fault>>;
}

/// A version that renders a `T`.
pub trait Render<T: ?Sized>: StandardVersion {
    /// Renders the response body.
    ///
    /// # Errors
    /// [`RenderError`] when a stored document cannot be rendered.
    fn render(view: &T, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError>;
}

/// A resource cannot be rendered, because its stored document cannot be parsed.
#[derive(Debug)]
pub struct RenderError(serde_json::Error);

impl std::fmt::Display for RenderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a stored document cannot be shown")
    }
}

impl std::error::Error for RenderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
