//! A temporary SoftHSM2 token, for benchmarks of a server that signs in a security module.

use crate::command::output;
use crate::error::TaskError;
use crate::test::find_softhsm;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The folders in which distributions install the library.
const LIBRARY_FOLDERS: [&str; 4] =
    ["/usr/lib/softhsm", "/usr/lib64/softhsm", "/usr/local/lib/softhsm", "/opt/homebrew/lib/softhsm"];
const LIBRARY: &str = "libsofthsm2.so";
/// The label of the token. The next constant is the PIN of its user, which protects nothing.
const LABEL: &str = "bench";
const PIN: &str = "1234";

/// A token without keys, which is removed when the value is dropped.
pub(crate) struct ThrowAwayToken {
    folder: TempDir,
    library: PathBuf,
}

impl ThrowAwayToken {
    /// Creates the token.
    pub(crate) fn create() -> Result<Self, TaskError> {
        let util = find_softhsm()?;
        let library = LIBRARY_FOLDERS.iter().map(|folder| Path::new(folder).join(LIBRARY)).find(|file| file.is_file());
        let library = library.ok_or_else(|| format!("{LIBRARY} of SoftHSM2 is missing"))?;
        let token = Self { folder: tempfile::tempdir()?, library };
        let tokens = token.path("tokens");
        fs::create_dir(&tokens)?;
        let conf = format!("directories.tokendir = {}\nobjectstore.backend = file\n", tokens.display());
        fs::write(token.path("softhsm2.conf"), conf)?;
        fs::write(token.path("pin"), PIN)?;
        // The server refuses a secret file that others can read.
        fs::set_permissions(token.path("pin"), fs::Permissions::from_mode(0o600))?;
        let mut init = Command::new(util);
        init.args(["--init-token", "--free", "--label", LABEL, "--so-pin", PIN, "--pin", PIN]);
        output(init.env("SOFTHSM2_CONF", token.path("softhsm2.conf")))?;
        Ok(token)
    }

    /// The environment variables by which a server signs with the token.
    pub(crate) fn environment(&self) -> [(&'static str, PathBuf); 4] {
        [
            ("SOFTHSM2_CONF", self.path("softhsm2.conf")),
            ("LOMBARD__SIGNING__PKCS11_MODULE_FILE", self.library.clone()),
            ("LOMBARD__SIGNING__PKCS11_TOKEN_LABEL", LABEL.into()),
            ("LOMBARD__SIGNING__PKCS11_PIN_FILE", self.path("pin")),
        ]
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}
