//! Tries what the settings refer to: the key-encryption key on the database, the PIN, token and key of the security module, and the key
//! sets of directories.

use super::super::core_services::{DatabaseFile, store_options};
use super::super::secrets::{check_installation_secret, open_sealer};
use super::super::security_module::ConfiguredModule;
use super::super::{core, tpp_addresses};
use crate::config::{Config, DirectoryKeysSetting, Problem};
use crate::entropy::SystemEntropy;
use crate::output::with_causes;
use lombard_database::Database;
use lombard_files::FileLifetime;

/// Adds a problem for every connection that failed. The settings and their files must be valid. A database that lacks migrations
/// is not read.
pub(super) async fn check(config: &Config, pending: Option<&[String]>, problems: &mut Vec<Problem>) {
    let is_migrated = pending.is_some_and(<[String]>::is_empty);
    if is_migrated && !config.is_sandbox() {
        check_key_encryption_key(config, problems).await;
    }
    check_security_module(config, problems).await;
    check_directories(config, problems).await;
}

/// Whether the key-encryption key opens the secret that the database keeps. A new database keeps none.
async fn check_key_encryption_key(config: &Config, problems: &mut Vec<Problem>) {
    let Ok(options) = store_options(config, DatabaseFile::Server) else { return };
    // The database answered before, so a failure now is the key's.
    let Ok(database) = Database::open(&options, &core::schemas(config)).await else { return };
    let Ok(sealer) = open_sealer(config, &SystemEntropy, FileLifetime::Durable) else { return };
    if !check_installation_secret(&lombard_store::on_database(database), &sealer).await {
        let message = "does not open the secrets in this database, which were sealed with another key; give the key that was \
            used before, here or in signing.other_key_encryption_key_files";
        problems.push(Problem::new("signing.key_encryption_key_file", message));
    }
}

/// One login, so a wrong PIN counts once at the module.
async fn check_security_module(config: &Config, problems: &mut Vec<Problem>) {
    // The files were checked before.
    let Ok(Some(configured)) = ConfiguredModule::open(config) else { return };
    if let Err(refused) = configured.log_in().await {
        let is_pin = configured.module.refused_login().is_some();
        let setting = if is_pin { "signing.pkcs11_pin_file" } else { "signing.pkcs11_token_label" };
        problems.push(Problem::new(setting, refused));
        return;
    }
    if let Some(label) = &configured.first_key
        && let Err(error) = configured.find_key(label.clone()).await
    {
        problems.push(Problem::new("signing.pkcs11_key_label", with_causes(&error)));
    }
}

async fn check_directories(config: &Config, problems: &mut Vec<Problem>) {
    let urls = config.dcr.directories.iter().filter_map(|directory| match &directory.keys {
        DirectoryKeysSetting::Url(url) => Some(url),
        DirectoryKeysSetting::File(_) => None,
    });
    // The anchors were checked before.
    let Ok(source) = tpp_addresses::key_source(config) else { return };
    for url in urls {
        if let Err(error) = source.fetch_key_set(url).await {
            let message = format!("the key set at {url} cannot be fetched: {}", with_causes(&error));
            problems.push(Problem::new("dcr.directories", message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::testing::write_secret;
    use crate::server::{CoreServices, Overrides};
    use std::path::Path;

    /// A sandbox's configuration has all that is needed, and its files are made at the first start.
    fn configuration(folder: &Path, key: &str) -> Config {
        let file = folder.join(format!("{key}.key"));
        write_secret(&file, &key.repeat(64));
        let text = format!(
            "[database]\nurl = \"sqlite://{}\"\n[signing]\nkey_encryption_key_file = \"{}\"",
            folder.join("bank.db").display(),
            file.display()
        );
        Config::from_parts(&text, &[]).unwrap()
    }

    #[tokio::test]
    async fn the_key_encryption_key_of_another_database_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let own = configuration(folder.path(), "1");
        drop(CoreServices::open(&own, Overrides::system()).await.unwrap());
        for (key, expected) in [("1", None), ("2", Some("signing.key_encryption_key_file"))] {
            let mut problems = Vec::new();
            check_key_encryption_key(&configuration(folder.path(), key), &mut problems).await;
            assert_eq!(problems.first().map(|problem| problem.at.as_str()), expected, "{key}");
        }
    }
}
