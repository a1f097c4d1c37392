//! The settings of a security module.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Reads a PIN; an error says in a sentence why it cannot be read.
pub type ReadPin = Arc<dyn Fn() -> Result<Zeroizing<String>, String> + Send + Sync>;

/// The library, token and PIN of a security module.
#[derive(Clone)]
pub struct Pkcs11Settings {
    /// The path of the shared library.
    pub module_file: PathBuf,
    /// The label of the token with the keys.
    pub token_label: String,
    /// Reads the PIN of the token's user. It is called before each login, so that a new PIN is used without a restart.
    pub read_pin: ReadPin,
}

impl fmt::Debug for Pkcs11Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pkcs11Settings").field("module_file", &self.module_file).finish_non_exhaustive()
    }
}
