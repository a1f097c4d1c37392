//! The JSON of the standard: read into domain types with every fault at its path, written once as bytes.
//!
//! One module per version of the standard; conversion is wire to domain and back, never wire to wire. Nothing here
//! knows HTTP, storage or a clock. Structs that mirror the standard stay inside the crate.
#![deny(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod codes;
pub mod describe;
pub mod document;
pub mod errors;
pub mod events;
pub mod paths;
pub mod payments;
pub mod time;
pub mod v3_1;
pub mod v4_0;

mod envelope;
mod parse;

pub use envelope::{Links, Meta, ResponseEnvelope};

use lombard_domain::refusal::Fault;
use lombard_domain::version::Version;

/// A version of the standard, as the edge speaks it.
pub trait StandardVersion: Send + Sync + 'static {
    /// Which version it is.
    const VERSION: Version;
}

/// A version that reads request bodies as a `T`.
pub trait Parse<T>: StandardVersion {
    /// Reads a body whose objects and arrays nest at most `depth_max` deep.
    ///
    /// # Errors
    /// Every fault found, at least one.
    fn parse(body: &[u8], depth_max: usize) -> Result<T, Vec<Fault>>;
}

/// A version that shows a `T`.
pub trait Render<T: ?Sized>: StandardVersion {
    /// Writes the response body.
    ///
    /// # Errors
    /// [`RenderError`] when what was stored cannot be shown.
    fn render(view: &T, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError>;
}

/// A resource could not be written, because what was stored of it cannot be read.
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
