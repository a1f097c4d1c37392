//! The services that tests and embedding programs replace.

use super::Core;
use crate::entropy::SystemEntropy;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::Entropy;
use std::sync::Arc;

/// Replaceable services: clocks, random numbers and an embedded core.
#[derive(Debug, Clone)]
pub struct Overrides {
    /// The bank's clock and the wall clock.
    pub clocks: Clocks,
    /// The source of ids and secrets.
    pub entropy: Arc<dyn Entropy>,
    /// The core and the identity provider of a program that embeds this server, for `bank.kind = "embedded"`.
    pub core: Option<Core>,
}

impl Overrides {
    /// The machine's clocks and random number generator, without an embedded core.
    pub fn system() -> Self {
        Self { clocks: Clocks::system(), entropy: Arc::new(SystemEntropy), core: None }
    }
}
