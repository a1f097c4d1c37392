//! Random bytes of the operating system.

/// The operating system's cryptographically secure source of random bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl SystemEntropy {
    /// Fills the buffer. Panics if the operating system has no randomness, because weak bytes must not be returned.
    #[allow(clippy::expect_used, reason = "tokens and keys must never be made from bytes that are not random")]
    pub fn fill(self, buffer: &mut [u8]) {
        aws_lc_rs::rand::fill(buffer).expect("the operating system has a source of randomness");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_differ() {
        let mut first = [0; 32];
        let mut second = [0; 32];
        SystemEntropy.fill(&mut first);
        SystemEntropy.fill(&mut second);
        assert_ne!(first, second);
        assert_ne!(first, [0; 32]);
    }
}
