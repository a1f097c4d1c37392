//! Operations: while a server runs on the same data they go through its ops listener, never behind its back.

use super::{CommandError, Place};
use crate::config::Config;
use crate::ops_client;
use crate::say::say;
use crate::server::{Endpoints, Operator, Overrides, migrate_database, operator};
use clap::{Args, Subcommand, ValueEnum};
use lombard_http::ops::{KeyRotated, NewTpp, TppAuthentication, TppCreated};
use serde_json::Value;

#[derive(Debug, Subcommand)]
pub(super) enum TppCommand {
    /// Issue certificates for a TPP, register it and write its folder.
    Create(TppCreate),
}

#[derive(Debug, Args)]
pub(super) struct TppCreate {
    /// The name of its folder: lower-case letters, digits and hyphens.
    name: String,
    /// Its roles, separated by commas; all of them unless given.
    #[arg(long, value_delimiter = ',', value_name = "aisp,pisp,cbpii")]
    roles: Vec<String>,
    /// How it proves itself.
    #[arg(long, default_value = "private_key_jwt")]
    auth: Authentication,
    /// The customer in whose name its requests are answered at once.
    #[arg(long, value_name = "PSU")]
    headless: Option<String>,
    /// Where customers are sent back to; may be given more than once.
    #[arg(long = "redirect-uri", value_name = "URL")]
    redirect_uris: Vec<String>,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Authentication {
    PrivateKeyJwt,
    TlsClientAuth,
}

#[derive(Debug, Subcommand)]
pub(super) enum KeysCommand {
    /// Publish a new signing key, which takes over in an hour.
    Rotate(Place),
}

pub(super) async fn tpp(command: TppCommand) -> Result<(), CommandError> {
    let TppCommand::Create(TppCreate { name, roles, auth, headless, redirect_uris, place }) = command;
    let auth = match auth {
        Authentication::PrivateKeyJwt => TppAuthentication::PrivateKeyJwt,
        Authentication::TlsClientAuth => TppAuthentication::TlsClientAuth,
    };
    let order = NewTpp { name, roles, auth, headless, redirect_uris };
    let created: TppCreated = match CommandTarget::on(&place).await? {
        CommandTarget::Server(ops) => serde_json::from_value(
            ops_client::operate(&ops, "/operations/tpps", &serde_json::to_value(&order)?).await?,
        )?,
        CommandTarget::Own(operator) => operator.tpp_create(order).await?,
    };
    say(&format!("Client {}\nIts keys and certificates are in {}", created.client_id, created.folder.display()));
    Ok(())
}

pub(super) async fn keys(command: KeysCommand) -> Result<(), CommandError> {
    let KeysCommand::Rotate(place) = command;
    let rotated: KeyRotated = match CommandTarget::on(&place).await? {
        CommandTarget::Server(ops) => {
            serde_json::from_value(ops_client::operate(&ops, "/operations/keys/rotate", &Value::Null).await?)?
        }
        CommandTarget::Own(operator) => operator.keys_rotate().await?,
    };
    say(&format!("Key {} is published; it signs from {}.", rotated.kid, rotated.active_from));
    Ok(())
}

pub(super) async fn migrate(place: Place) -> Result<(), CommandError> {
    let config = place.load()?;
    let applied = migrate_database(&config).await?;
    if applied.is_empty() {
        say("The database is up to date.");
    }
    for name in applied {
        say(&format!("Applied {name}"));
    }
    Ok(())
}

/// Who does it.
pub(super) enum CommandTarget {
    /// The running server, asked through its ops listener.
    Server(String),
    /// This process, because no server runs.
    Own(Box<Operator>),
}

impl CommandTarget {
    pub(super) async fn on(place: &Place) -> Result<Self, CommandError> {
        let config: Config = place.load()?;
        Ok(match Endpoints::of_running(&config.data_dir).await {
            Some(endpoints) => Self::Server(endpoints.ops),
            None => Self::Own(Box::new(operator(&config, Overrides::system()).await?)),
        })
    }
}
