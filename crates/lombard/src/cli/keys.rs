//! `lombard keys`: lists and changes the signing keys. Source: AS-007, AS-008.

use super::columns::in_columns;
use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::ops_client;
use crate::output::print_line;
use clap::{Args, Subcommand};
use lombard_domain::ids::KeyId;
use lombard_ops::{
    KeyImportCommand, KeyListView, KeyRequestCommand, KeyRequestView, KeyRetirementCommand, KeyRetirementView,
    KeyRotated, KeyView, KeyWithdrawn, OperationError, SecretsResealed,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(Debug, Subcommand)]
pub(super) enum KeysCommand {
    /// List all signing keys: where each is, what it does now, and its certificate.
    List(KeyList),
    /// Print a request for the certificate of a key (PKCS#10, PEM). Without a KID a new key is made, which is published when its
    /// certificate is imported.
    Csr(KeyRequest),
    /// Publish a key with its certificate and the directory's id of it; it signs after an hour. A certificate for a published key is
    /// published with it at once.
    Import(KeyImportArguments),
    /// Publish a new signing key, which starts to sign after an hour.
    Rotate(InstallationArguments),
    /// Plan the end of the active key: the announced key takes over then, or a new one.
    Retire(KeyRetire),
    /// Revoke a compromised key at once; everything that it signed becomes invalid.
    Withdraw(KeyWithdraw),
    /// Log in to the security module again, after it refused the PIN of `signing.pkcs11_pin_file`. A failed login counts at the module.
    Login(InstallationArguments),
    /// Seal every stored secret with the key of `signing.key_encryption_key_file`, while the servers run.
    Reseal(InstallationArguments),
}

#[derive(Debug, Args)]
pub(super) struct KeyList {
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: InstallationArguments,
}

#[derive(Debug, Args)]
pub(super) struct KeyRequest {
    /// The `kid` of the key, as `lombard keys list` shows it.
    #[arg(value_name = "KID")]
    kid: Option<String>,
    #[command(flatten)]
    place: InstallationArguments,
}

#[derive(Debug, Args)]
pub(super) struct KeyImportArguments {
    /// The key's certificate and those of its authorities (PEM), its own first.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["private_key", "pkcs11_label"])]
    certificate: Option<PathBuf>,
    /// The `kid` of the key in the directory. Without it the key keeps its own.
    #[arg(long, value_name = "KID")]
    kid: Option<String>,
    /// The label of a key pair in the security module (`signing.pkcs11_module_file`).
    #[arg(long, value_name = "LABEL", conflicts_with = "private_key")]
    pkcs11_label: Option<String>,
    /// The private key (PEM, PKCS#8), if it was made elsewhere. It is stored sealed; the file is not needed any more.
    #[arg(long, value_name = "FILE")]
    private_key: Option<PathBuf>,
    #[command(flatten)]
    place: InstallationArguments,
}

#[derive(Debug, Args)]
pub(super) struct KeyRetire {
    /// The `kid` of the key that signs.
    #[arg(value_name = "KID")]
    kid: String,
    /// When it stops signing, such as 2027-01-31T22:00:00Z. Without it, as soon as the next key has been published for an hour.
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    #[command(flatten)]
    place: InstallationArguments,
}

#[derive(Debug, Args)]
pub(super) struct KeyWithdraw {
    /// The `kid` of the key in the published key set.
    #[arg(value_name = "KID")]
    kid: String,
    #[command(flatten)]
    place: InstallationArguments,
}

pub(super) async fn run(command: KeysCommand) -> Result<(), CommandError> {
    match command {
        KeysCommand::List(KeyList { json, place }) => list(json, &place).await,
        KeysCommand::Csr(KeyRequest { kid, place }) => request(kid, &place).await,
        KeysCommand::Import(command) => import(command).await,
        KeysCommand::Retire(KeyRetire { kid, at, place }) => retire(kid, at, &place).await,
        KeysCommand::Rotate(place) => rotate(&place).await,
        KeysCommand::Login(place) => login(&place).await,
        KeysCommand::Reseal(place) => reseal(&place).await,
        KeysCommand::Withdraw(KeyWithdraw { kid, place }) => withdraw(kid, &place).await,
    }
}

async fn list(json: bool, place: &InstallationArguments) -> Result<(), CommandError> {
    let listed: KeyListView = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            serde_json::from_value(ops_client::fetch_from_ops(&ops, "/operations/keys").await?)?
        }
        CommandTarget::Local(operator) => operator.list_keys().await?,
    };
    if json {
        print_line(&serde_json::to_string_pretty(&listed)?);
    } else {
        print_line(table(&listed).trim_end());
    }
    Ok(())
}

async fn request(kid: Option<String>, place: &InstallationArguments) -> Result<(), CommandError> {
    let order = KeyRequestCommand { kid: kid.map(KeyId::new) };
    let request: KeyRequestView = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            let order = serde_json::to_value(&order)?;
            serde_json::from_value(ops_client::call_operation(&ops, "/operations/keys/csr", &order).await?)?
        }
        CommandTarget::Local(operator) => operator.key_request(&local_act(place, None)?, order).await?,
    };
    print_line(request.request.trim_end());
    Ok(())
}

async fn import(command: KeyImportArguments) -> Result<(), CommandError> {
    let KeyImportArguments { certificate, kid, private_key, pkcs11_label, place } = command;
    let order = KeyImportCommand {
        kid: kid.map(KeyId::new),
        certificate: certificate.as_deref().map(read).transpose()?,
        private_key: private_key.as_deref().map(read).transpose()?,
        label: pkcs11_label,
    };
    let imported: KeyView = match CommandTarget::select(&place).await? {
        CommandTarget::RunningServer(ops) => {
            let order = serde_json::to_value(&order)?;
            serde_json::from_value(ops_client::call_operation(&ops, "/operations/keys/import", &order).await?)?
        }
        CommandTarget::Local(operator) => operator.key_import(&local_act(&place, None)?, order).await?,
    };
    print_line(&format!("Key {} is published: it {}.", imported.kid, doing(&imported)));
    Ok(())
}

fn read(file: &Path) -> Result<String, CommandError> {
    std::fs::read_to_string(file).map_err(|source| CommandError::File { path: file.to_owned(), source })
}

async fn retire(kid: String, at: Option<String>, place: &InstallationArguments) -> Result<(), CommandError> {
    let order = KeyRetirementCommand { at };
    let planned: KeyRetirementView = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            let path = path_of(&kid, "retire")?;
            let order = serde_json::to_value(&order)?;
            serde_json::from_value(ops_client::call_operation(&ops, &path, &order).await?)?
        }
        CommandTarget::Local(operator) => {
            operator.key_retire(&local_act(place, None)?, &KeyId::new(kid), order).await?
        }
    };
    let KeyRetirementView { kid, until, successor } = planned;
    print_line(&format!("Key {kid} signs until {until}; {successor} signs from then on."));
    Ok(())
}

async fn reseal(place: &InstallationArguments) -> Result<(), CommandError> {
    let resealed: SecretsResealed = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            serde_json::from_value(ops_client::call_operation(&ops, "/operations/keys/reseal", &Value::Null).await?)?
        }
        CommandTarget::Local(operator) => operator.keys_reseal(&local_act(place, None)?).await?,
    };
    let SecretsResealed { resealed, unchanged, unopened } = resealed;
    print_line(&format!("{resealed} secret(s) are sealed again; {unchanged} were sealed with the current key before."));
    if unopened.is_empty() {
        return Ok(());
    }
    let unopened: Vec<_> = unopened.iter().map(|kid| kid.as_str().escape_debug().to_string()).collect();
    let message =
        format!("no key-encryption key opens the signing keys {}; they stay as they are", unopened.join(", "));
    Err(OperationError::Refused(message).into())
}

async fn login(place: &InstallationArguments) -> Result<(), CommandError> {
    match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            ops_client::call_operation(&ops, "/operations/keys/login", &Value::Null).await?;
        }
        CommandTarget::Local(operator) => operator.keys_login(&local_act(place, None)?).await?,
    }
    print_line("The security module accepts the PIN.");
    Ok(())
}

async fn rotate(place: &InstallationArguments) -> Result<(), CommandError> {
    let rotated: KeyRotated = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            serde_json::from_value(ops_client::call_operation(&ops, "/operations/keys/rotate", &Value::Null).await?)?
        }
        CommandTarget::Local(operator) => operator.keys_rotate(&local_act(place, None)?).await?,
    };
    print_line(&format!("Key {} is published; it signs from {}.", rotated.kid, rotated.active_from));
    Ok(())
}

async fn withdraw(kid: String, place: &InstallationArguments) -> Result<(), CommandError> {
    let withdrawn: KeyWithdrawn = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            let path = path_of(&kid, "withdraw")?;
            serde_json::from_value(ops_client::call_operation(&ops, &path, &Value::Null).await?)?
        }
        CommandTarget::Local(operator) => operator.key_withdraw(&local_act(place, None)?, &KeyId::new(kid)).await?,
    };
    print_line(&format!("Key {} is withdrawn; {} signs from now on.", withdrawn.kid, withdrawn.signs_now));
    Ok(())
}

/// The path of an operation on a key.
fn path_of(kid: &str, operation: &str) -> Result<String, CommandError> {
    if is_kid(kid) {
        return Ok(format!("/operations/keys/{kid}/{operation}"));
    }
    Err(OperationError::Refused("there is no signing key with this id".to_owned()).into())
}

/// Whether a text can be a `kid` and needs no escaping in a path.
fn is_kid(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// The present role of a key, as a part of a sentence.
fn doing(key: &KeyView) -> String {
    let at = |time: &Option<String>| time.clone().unwrap_or_default();
    match (key.state.as_str(), &key.until) {
        ("announced", _) => format!("signs from {}", at(&key.signs_from)),
        ("signing", Some(until)) => format!("signs until {until}"),
        ("signing", None) => "signs".to_owned(),
        ("verifying", until) => format!("verifies until {}", at(until)),
        ("waiting", _) => "waits for its certificate".to_owned(),
        (_, _) => "cannot be used here".to_owned(),
    }
}

/// Formats the keys in columns, one line for each key. Control characters in values from certificates are escaped.
fn table(listed: &KeyListView) -> String {
    if listed.keys.is_empty() {
        return "There are no signing keys.".to_owned();
    }
    let head = ["KID", "PRIVATE KEY", "STATE", "CERTIFICATE UNTIL", "SUBJECT"].map(str::to_owned);
    let rows = listed.keys.iter().map(|key| {
        let place = match (key.origin.as_str(), &key.label) {
            ("made", _) => "made here".to_owned(),
            ("file", _) => "from a file".to_owned(),
            (_, Some(label)) => format!("PKCS#11 {}", label.escape_debug()),
            (_, None) => "PKCS#11".to_owned(),
        };
        let certificate = |of: fn(&lombard_ops::KeyCertificateView) -> &str| {
            key.certificate.as_ref().map_or_else(|| "none".to_owned(), |it| of(it).escape_debug().to_string())
        };
        let until = certificate(|it| &it.not_after);
        let subject = certificate(|it| &it.subject);
        [key.kid.as_str().escape_debug().to_string(), place, doing(key), until, subject]
    });
    in_columns(&[head].into_iter().chain(rows).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_ops::KeyCertificateView;

    #[test]
    fn as_008_the_list_says_where_each_key_is_and_what_it_does() {
        assert_eq!(table(&KeyListView { keys: Vec::new() }), "There are no signing keys.");
        let at = |day: u32| Some(format!("2027-01-{day:02}T00:00:00Z"));
        let key = |kid: &str, origin: &str, state: &str, signs_from, until| KeyView {
            kid: kid.into(),
            origin: origin.to_owned(),
            label: None,
            state: state.to_owned(),
            signs_from,
            until,
            certificate: None,
        };
        let mut signing = key("k-2", "token", "signing", None, at(3));
        signing.label = Some("seal\u{1b}".to_owned());
        signing.certificate = Some(KeyCertificateView {
            subject: "C=GB, CN=bank".to_owned(),
            serial: "0a".to_owned(),
            not_after: "2027-02-01T00:00:00Z".to_owned(),
        });
        let keys = vec![
            key("k-1", "file", "verifying", None, at(2)),
            signing,
            key("k-3", "made", "announced", at(3), None),
            key("k-4", "made", "waiting", None, None),
            key("k-5", "made", "unusable", None, None),
        ];
        let text = table(&KeyListView { keys });
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "KID  PRIVATE KEY         STATE                                CERTIFICATE UNTIL     SUBJECT",
                "k-1  from a file         verifies until 2027-01-02T00:00:00Z  none                  none",
                "k-2  PKCS#11 seal\\u{1b}  signs until 2027-01-03T00:00:00Z     2027-02-01T00:00:00Z  C=GB, CN=bank",
                "k-3  made here           signs from 2027-01-03T00:00:00Z      none                  none",
                "k-4  made here           waits for its certificate            none                  none",
                "k-5  made here           cannot be used here                  none                  none",
            ]
        );
    }
}
