//! The security module that holds signing keys, if one is configured.

use super::StartError;
use super::blocking::blocking;
use crate::config::{Config, read_pin};
use lombard_jose::{KeyError, SecurityModule, SigningKey};
use lombard_pkcs11::{Pkcs11Module, Pkcs11Settings, ReadPin};
use lombard_ports::entropy::IdGenerator;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of a call to the module. Generating a key may take several seconds.
const DONE_WITHIN: Duration = Duration::from_secs(30);

/// A configured security module, and the label of the first key.
#[derive(Debug, Clone)]
pub(super) struct ConfiguredModule {
    pub(super) module: Arc<dyn SecurityModule>,
    /// The label of the key pair that signs first.
    pub(super) first_key: Option<String>,
}

impl ConfiguredModule {
    /// The configured module, which is called only when a key is needed.
    pub(super) fn open(config: &Config) -> Result<Option<Self>, StartError> {
        const SETTING: &str = "signing.pkcs11_pin_file";
        let signing = &config.signing;
        let (Some(module_file), Some(token_label), Some(pin_file)) =
            (&signing.pkcs11_module_file, &signing.pkcs11_token_label, &signing.pkcs11_pin_file)
        else {
            return Ok(None);
        };
        // A PIN that cannot be read is reported at the start, and not at the first signature.
        read_pin(pin_file).map_err(|reason| StartError::unusable_file(SETTING, pin_file, reason))?;
        let pin_file = pin_file.clone();
        let read_pin: ReadPin =
            Arc::new(move || read_pin(&pin_file).map_err(|reason| format!("{} {reason}", pin_file.display())));
        let module_file = module_file.clone();
        let token_label = token_label.clone();
        let module = Arc::new(Pkcs11Module::new(Pkcs11Settings { module_file, token_label, read_pin }));
        Ok(Some(Self { module, first_key: signing.pkcs11_key_label.clone() }))
    }

    /// Logs in to the module, also after a refusal.
    ///
    /// # Errors
    /// A sentence that says what the module refused.
    pub(super) async fn log_in(&self) -> Result<(), String> {
        let module = Arc::clone(&self.module);
        match tokio::time::timeout(DONE_WITHIN, blocking(move || module.log_in())).await {
            Ok(Ok(Ok(()))) => Ok(()),
            _ => Err(match self.module.refused_login() {
                Some(reason) => format!("the security module refuses the PIN: {reason}"),
                None => {
                    "the security module does not answer, or has no token with the label of signing.pkcs11_token_label"
                        .to_owned()
                }
            }),
        }
    }

    /// Finds the key pair with this label.
    pub(super) async fn find_key(&self, label: String) -> Result<SigningKey, StartError> {
        let module = Arc::clone(&self.module);
        in_time(move || {
            let public_key = module.read_public_key(&label)?;
            SigningKey::external(&public_key, module.external_key(&label))
        })
        .await
    }

    /// Generates a key pair under a new label.
    pub(super) async fn generate_key(&self, ids: &IdGenerator) -> Result<SigningKey, StartError> {
        let module = Arc::clone(&self.module);
        let label = format!("lombard-{}", ids.random_id());
        in_time(move || {
            let public_key = module.generate_key(&label)?;
            SigningKey::external(&public_key, module.external_key(&label))
        })
        .await
    }
}

/// Calls the module with a time limit.
async fn in_time(
    work: impl FnOnce() -> Result<SigningKey, KeyError> + Send + 'static,
) -> Result<SigningKey, StartError> {
    let done = tokio::time::timeout(DONE_WITHIN, blocking(work)).await;
    Ok(done.map_err(|_| StartError::Key(KeyError::Unavailable))???)
}
