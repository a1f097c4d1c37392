//! The settings of a security module.

use std::fmt;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// The library, token and PIN of a security module.
#[derive(Clone)]
pub struct Pkcs11Settings {
    /// The path of the shared library.
    pub module_file: PathBuf,
    /// The label of the token with the keys.
    pub token_label: String,
    /// The PIN of the token's user.
    pub pin: Zeroizing<String>,
}

impl fmt::Debug for Pkcs11Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pkcs11Settings").field("module_file", &self.module_file).finish_non_exhaustive()
    }
}
