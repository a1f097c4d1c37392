//! `operator.json`: the user, the password and the bearer token of a sandbox's operator, in its data folder.

use lombard_files::{FileAccess, FileLifetime, create_file};
use lombard_ports::entropy::Entropy;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The file's name in the data folder.
const NAME: &str = "operator.json";

/// The name of a sandbox's operator.
const USER: &str = "operator";

/// The number of random bytes in a password, which a person types, and in a token.
const PASSWORD_BYTES: usize = 12;
const TOKEN_BYTES: usize = 32;

/// The operator of a sandbox.
#[derive(Clone, Serialize, Deserialize)]
pub struct OperatorFile {
    /// The user name.
    pub user: String,
    /// The password for browsers.
    pub password: String,
    /// The bearer token for programs.
    pub token: String,
}

impl fmt::Debug for OperatorFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorFile").field("user", &self.user).finish_non_exhaustive()
    }
}

impl OperatorFile {
    /// The path of the file in this data folder.
    pub fn path(data_dir: &Path) -> PathBuf {
        data_dir.join(NAME)
    }

    /// Reads the file; `None` if there is none.
    ///
    /// # Errors
    /// The reason why it cannot be used, which continues a sentence that begins with the file.
    pub fn read(data_dir: &Path) -> Result<Option<Self>, String> {
        let text = match fs::read_to_string(Self::path(data_dir)) {
            Ok(text) => Zeroizing::new(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot be read ({error}); it belongs to the server's user")),
        };
        let fault = "must hold user, password and token; remove it, and the next start makes another";
        let file: Self = serde_json::from_str(&text).map_err(|_| fault.to_owned())?;
        let is_line = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_usable = [&file.user, &file.password, &file.token].into_iter().all(|text| is_line(text));
        if is_usable { Ok(Some(file)) } else { Err(fault.to_owned()) }
    }

    /// Makes the file if there is none, for its owner alone, and reads it.
    ///
    /// # Errors
    /// The reason why it cannot be used, as in [`Self::read`].
    pub fn open_or_create(data_dir: &Path, entropy: &dyn Entropy, lifetime: FileLifetime) -> Result<Self, String> {
        let content = || {
            let made = Self {
                user: USER.to_owned(),
                password: secret(entropy, PASSWORD_BYTES),
                token: secret(entropy, TOKEN_BYTES),
            };
            // Three texts always have a JSON form.
            format!("{}\n", serde_json::to_string(&made).unwrap_or_default()).into_bytes()
        };
        create_file(&Self::path(data_dir), content, FileAccess::Owner, lifetime)
            .map_err(|error| format!("cannot be written ({error})"))?;
        Self::read(data_dir)?.ok_or_else(|| "was removed while the server started".to_owned())
    }
}

fn secret(entropy: &dyn Entropy, bytes: usize) -> String {
    let mut chance = Zeroizing::new(vec![0; bytes]);
    entropy.fill_random(&mut chance);
    lombard_jose::base64url(&chance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SystemEntropy;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_operator_is_made_once_for_the_owner_of_the_folder_alone() {
        let folder = tempfile::tempdir().unwrap();
        let make = || OperatorFile::open_or_create(folder.path(), &SystemEntropy, FileLifetime::Durable);
        assert!(OperatorFile::read(folder.path()).unwrap().is_none());
        let (first, second) = (make().unwrap(), make().unwrap());
        assert_eq!((&first.user, &first.password, &first.token), (&second.user, &second.password, &second.token));
        assert_eq!((first.user.as_str(), first.password.len(), first.token.len()), ("operator", 16, 43));
        let mode = fs::metadata(OperatorFile::path(folder.path())).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_spoilt_file_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{}", r#"{"user":"a","password":"b"}"#, r#"{"user":"a","password":"","token":"c"}"#] {
            crate::config::testing::write_secret(&OperatorFile::path(folder.path()), text);
            let fault = OperatorFile::read(folder.path()).unwrap_err();
            assert!(fault.contains("user, password and token"), "{text}: {fault}");
        }
    }
}
