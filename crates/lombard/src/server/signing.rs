//! The bank's signing: its keys, its organisation id and the settings of message signatures.

use super::blocking::blocking;
use super::{CoreServices, Sandbox, StartError};
use crate::config::Config;
use jiff::Timestamp;
use lombard_domain::ids::KeyId;
use lombard_edge::app::SigningSettings;
use lombard_jose::SigningKey;
use lombard_ports::store::{StoreError, StoredKey};

/// Creates the first signing key if there is none.
pub(super) async fn add_first_key(services: &CoreServices, sandbox: Option<&Sandbox>) -> Result<(), StartError> {
    if services.keys.is_empty() {
        let first = services.security_module.as_ref().and_then(|module| Some((module, module.first_key.clone()?)));
        let key = match first {
            Some((module, label)) => module.find_key(label).await?,
            None => make_key(services).await?,
        };
        let chain = certify(services, sandbox, &key)?;
        services.keys.add_first_key(key, chain).await?;
    }
    Ok(())
}

/// Generates a signing key. In a sandbox it has certificates; elsewhere no issuer is available.
pub(super) async fn generate_key(
    services: &CoreServices,
    sandbox: Option<&Sandbox>,
) -> Result<(SigningKey, Vec<Vec<u8>>), StartError> {
    let key = make_key(services).await?;
    let chain = certify(services, sandbox, &key)?;
    Ok((key, chain))
}

fn certify(services: &CoreServices, sandbox: Option<&Sandbox>, key: &SigningKey) -> Result<Vec<Vec<u8>>, StartError> {
    sandbox.map_or(Ok(Vec::new()), |sandbox| sandbox.seal(key, services.clocks.wall_now()))
}

/// Generates a signing key without certificates, in the security module if one is configured.
pub(super) async fn make_key(services: &CoreServices) -> Result<SigningKey, StartError> {
    match &services.security_module {
        Some(module) => module.generate_key(&services.ids).await,
        None => Ok(blocking(SigningKey::generate).await??),
    }
}

/// The time from which a key signs.
pub(super) async fn key_active_from(services: &CoreServices, kid: &KeyId) -> Result<Option<Timestamp>, StoreError> {
    let kid = kid.clone();
    let from = |key: StoredKey| key.active_from;
    services.store.read(move |tx| Ok(tx.keys()?.into_iter().find(|key| key.id == kid).and_then(from))).await
}

/// The bank's organisation id. A sandbox has its own id; production does not start without one (`config::rules`).
pub(super) fn organisation(config: &Config, sandbox: Option<&Sandbox>) -> Option<String> {
    config.signing.organisation_id.clone().or_else(|| sandbox.map(Sandbox::organisation))
}

/// The settings of message signing. In production the organisation id is required (`config::rules`).
pub(super) fn message_signing(config: &Config, sandbox: Option<&Sandbox>) -> SigningSettings {
    SigningSettings {
        organisation: organisation(config, sandbox).unwrap_or_default(),
        trust_anchor: config.signing.trust_anchor.clone(),
        age_secs_max: Some(config.signing.request_age_secs_max.into()).filter(|max| *max > 0),
    }
}
