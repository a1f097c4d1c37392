//! Parses the directories whose software may register from the text form that operators write.

use super::value::ListItem;
use std::path::PathBuf;
use url::Url;

/// A configured directory: the issuer of its software statements and its key set, separated by `=` in the text form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectorySetting {
    /// The `iss` of the directory's statements, compared byte for byte.
    pub issuer: String,
    /// The keys that sign the statements.
    pub keys: DirectoryKeysSetting,
}

/// The key set of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectoryKeysSetting {
    /// The key set is fetched from this `https` URL.
    Url(String),
    /// The key set is in this file.
    File(PathBuf),
}

impl ListItem for DirectorySetting {
    const KIND: &'static str = "a list of directories, such as `[\"OpenBanking Ltd=https://keystore.example/openbanking.jwks\"]`; instead of the address \
         the path of a file";

    fn read(text: &str) -> Option<Self> {
        let (issuer, keys) = text.split_once('=')?;
        if issuer.trim().is_empty() || keys.trim().is_empty() {
            return None;
        }
        let keys = keys.trim();
        let keys = if keys.contains("://") {
            let is_https = Url::parse(keys).is_ok_and(|url| url.scheme() == "https");
            is_https.then(|| DirectoryKeysSetting::Url(keys.to_owned()))?
        } else {
            DirectoryKeysSetting::File(keys.into())
        };
        Some(Self { issuer: issuer.trim().to_owned(), keys })
    }

    fn write(&self) -> String {
        match &self.keys {
            DirectoryKeysSetting::Url(url) => format!("{}={url}", self.issuer),
            DirectoryKeysSetting::File(file) => format!("{}={}", self.issuer, file.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dcr_020_a_directory_is_an_issuer_and_its_keys() {
        for (text, read) in [
            (
                "OpenBanking Ltd=https://keystore.example/a.jwks?b=c",
                Some("OpenBanking Ltd=https://keystore.example/a.jwks?b=c"),
            ),
            (" Test = /etc/lombard/test.jwks ", Some("Test=/etc/lombard/test.jwks")),
            ("Test=http://keystore.example/a.jwks", None),
            ("Test", None),
            ("=https://keystore.example/", None),
            ("Test=", None),
        ] {
            assert_eq!(DirectorySetting::read(text).map(|it| it.write()).as_deref(), read, "{text}");
        }
    }
}
