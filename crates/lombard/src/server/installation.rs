//! Checks that the data was created in the present mode: a sandbox's data must never be used in production.

use super::{CoreServices, StartError};
use crate::config::{Config, Mode};
use lombard_ports::store::StoreError;

/// The setting with the mode in which the data was created.
const MODE_SETTING: &str = "installation_mode";
const SANDBOX: &str = "sandbox";
const PRODUCTION: &str = "production";

/// Marks new data with the mode. Refuses data of the other mode, and clients that production does not allow.
pub(super) async fn check(config: &Config, services: &CoreServices) -> Result<(), StartError> {
    let own = match config.mode {
        Mode::Sandbox => SANDBOX,
        Mode::Production => PRODUCTION,
    };
    let made_as = services
        .store
        .write(move |tx| {
            if let Some(made_as) = tx.setting(MODE_SETTING)? {
                return Ok::<_, StoreError>(made_as);
            }
            tx.setting_put(MODE_SETTING, own)?;
            Ok(own.to_owned())
        })
        .await?;
    match config.mode {
        Mode::Sandbox if made_as != SANDBOX => Err(StartError::NotForSandbox),
        Mode::Sandbox => Ok(()),
        Mode::Production => production(services, &made_as).await,
    }
}

async fn production(services: &CoreServices, made_as: &str) -> Result<(), StartError> {
    let mut found = Vec::new();
    if made_as != PRODUCTION {
        found.push(
            "the database was made by a sandbox, with its keys and customers: see database.url or database.url_file"
                .to_owned(),
        );
    }
    let clients = services.store.read(|tx| tx.clients()).await?;
    for client in clients.into_iter().filter(|client| client.headless.is_some()) {
        found.push(format!("client {} is headless: it would be answered without its customer", client.id));
    }
    if found.is_empty() { Ok(()) } else { Err(StartError::NotForProduction(found)) }
}
