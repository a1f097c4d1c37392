//! `lombard tpp`: the command line of TPP operations.

use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::registration::{TppRegister, register};
use super::tpps::{self, TppName, TppProfile, TppRedirectUris, TppRoles, TppStatus};
use crate::ops_client;
use crate::output::print_line;
use clap::{Args, Subcommand, ValueEnum};
use lombard_ops::{CertificateForm, NewTpp, TppAuthentication, TppCreated, TransportKeyType};

#[derive(Debug, Subcommand)]
pub(super) enum TppCommand {
    /// Issue certificates for a TPP, register it and write its folder.
    Create(TppCreate),
    /// Register a TPP that was created with `--unregistered`, at the running server over HTTP, as the TPP itself would.
    Register(TppRegister),
    /// List the registered TPPs.
    List(InstallationArguments),
    /// Show the registration of a TPP.
    Show(TppName),
    /// Refuse all requests of a TPP from now on, tokens included, until it is enabled. Its consents and tokens stay as they are.
    Disable(TppStatus),
    /// Serve the requests of a disabled TPP again. Tokens that have not expired work again.
    Enable(TppStatus),
    /// Approve the changed registration of a TPP that awaits approval (see `show`).
    Approve(TppStatus),
    /// Reject the changed registration of a TPP that awaits approval: the approved one stays in force.
    Refuse(TppStatus),
    /// Delete a TPP for good: its requests are refused, its consents end, and its client id is never used again. Orders that were
    /// accepted are carried out.
    Delete(TppStatus),
    /// Make a link, good once and for ten minutes, by which a developer of the TPP logs in to the portal.
    Login(TppName),
    /// Show the roles of a TPP, or set them: to some or all of those that its software statement grants.
    Roles(TppRoles),
    /// Show the redirect URIs of a TPP, or set them.
    RedirectUris(TppRedirectUris),
    /// Show the security profile of a TPP, or set it: FAPI 1.0 Advanced, FAPI 2.0, or FAPI 2.0 with Message Signing.
    Profile(TppProfile),
}

#[derive(Debug, Args)]
pub(super) struct TppCreate {
    /// The name of its folder: lower-case letters, digits and hyphens.
    name: String,
    /// Its roles, separated by commas. The default is all roles.
    #[arg(long, value_delimiter = ',', value_name = "aisp,pisp,cbpii")]
    roles: Vec<String>,
    /// Its client authentication method.
    #[arg(long, default_value = "private_key_jwt")]
    auth: Authentication,
    /// Make it a headless TPP: its authorisation requests are decided at once for this customer.
    #[arg(long, value_name = "PSU")]
    headless: Option<String>,
    /// The security profile that its requests are held to. The default is fapi1 (FAPI 1.0 Advanced).
    #[arg(long, value_name = "fapi1|fapi2|fapi2-message-signing")]
    profile: Option<String>,
    /// Let it ask customers over the backchannel (CIBA) and poll for the answer.
    #[arg(long)]
    ciba: bool,
    /// As `--ciba`, and notify it at this address when a customer has decided.
    #[arg(long, value_name = "URL")]
    notification_endpoint: Option<String>,
    /// A redirect URI; may be given more than once.
    #[arg(long = "redirect-uri", value_name = "URL")]
    redirect_uris: Vec<String>,
    /// The form of its certificates: those of the directory, qualified ones, or those of the directory as it was before.
    #[arg(long, value_enum, default_value = "obwac")]
    certificates: Certificates,
    /// The type of the key of its transport certificate: some test suites load RSA keys only.
    #[arg(long, value_enum, default_value = "p256")]
    transport_key: TransportKey,
    /// Make certificates and a software statement only: the TPP registers itself, as with `lombard tpp register`.
    #[arg(long)]
    unregistered: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Authentication {
    PrivateKeyJwt,
    TlsClientAuth,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TransportKey {
    P256,
    Rsa,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Certificates {
    Obwac,
    Qwac,
    Legacy,
}

pub(super) async fn tpp(command: TppCommand) -> Result<(), CommandError> {
    match command {
        TppCommand::Create(command) => create(command).await,
        TppCommand::Register(command) => register(command).await,
        TppCommand::List(place) => tpps::list(&place).await,
        TppCommand::Show(command) => tpps::show(command).await,
        TppCommand::Disable(command) => tpps::disable(command).await,
        TppCommand::Enable(command) => tpps::enable(command).await,
        TppCommand::Approve(command) => tpps::approve(command).await,
        TppCommand::Refuse(command) => tpps::refuse(command).await,
        TppCommand::Delete(command) => tpps::delete(command).await,
        TppCommand::Login(command) => tpps::login(command).await,
        TppCommand::Roles(command) => tpps::roles(command).await,
        TppCommand::RedirectUris(command) => tpps::redirect_uris(command).await,
        TppCommand::Profile(command) => tpps::profile(command).await,
    }
}

async fn create(command: TppCreate) -> Result<(), CommandError> {
    let TppCreate { name, roles, auth, headless, profile, ciba, notification_endpoint, redirect_uris, .. } = command;
    let certificates = command.certificates;
    let unregistered = command.unregistered;
    let place = command.installation;
    let auth = match auth {
        Authentication::PrivateKeyJwt => TppAuthentication::PrivateKeyJwt,
        Authentication::TlsClientAuth => TppAuthentication::TlsClientAuth,
    };
    let certificates = match certificates {
        Certificates::Obwac => CertificateForm::Obwac,
        Certificates::Qwac => CertificateForm::Qwac,
        Certificates::Legacy => CertificateForm::Legacy,
    };
    let transport_key = match command.transport_key {
        TransportKey::P256 => TransportKeyType::P256,
        TransportKey::Rsa => TransportKeyType::Rsa,
    };
    let name_of_folder = name.clone();
    let order = NewTpp {
        name,
        roles,
        auth,
        notification_endpoint,
        ciba,
        headless,
        profile,
        redirect_uris,
        certificates,
        transport_key,
        unregistered,
    };
    let created: TppCreated = match CommandTarget::select(&place).await? {
        CommandTarget::RunningServer(ops) => serde_json::from_value(
            ops_client::call_operation(&ops, "/operations/tpps", &serde_json::to_value(&order)?).await?,
        )?,
        CommandTarget::Local(operator) => operator.tpp_create(&local_act(&place, None)?, order).await?,
    };
    let folder = created.folder.display();
    let at_data = place.data_option();
    match created.client_id {
        Some(client) => print_line(&format!(
            "Client {client}\nIts keys and certificates are in {folder}\nNext: lombard tpp login {name_of_folder}{at_data} opens its \
             pages, and /portal/docs/get-started of the server has programs that use it."
        )),
        None => print_line(&format!(
            "It is not registered. Its keys, certificates and software statement are in {folder}\nlombard tpp register \
             {name_of_folder}{at_data} registers it."
        )),
    }
    Ok(())
}
