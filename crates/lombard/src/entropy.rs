//! The entropy port, implemented with the system's random number generator.

use lombard_ports::entropy::Entropy;

/// The operating system's cryptographically secure randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill_random(&self, buffer: &mut [u8]) {
        lombard_jose::SystemEntropy.fill(buffer);
    }
}
