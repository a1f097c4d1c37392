//! `lombard tpp list`, `show`, `disable`, `enable`, `approve`, `refuse`, `delete`, `login`, `roles`, `redirect-uris` and `profile`: manages registered TPPs.

use super::columns::in_columns;
use super::command_target::{CommandTarget, local_act};
use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::ops_client::{self, OpsMethod};
use crate::output::print_line;
use clap::Args;
use lombard_domain::ids::ClientId;
use lombard_ops::{
    TppChange, TppListView, TppLoginView, TppProfileCommand, TppRedirectUrisCommand, TppRolesCommand,
    TppSignedMessagesCommand, TppStatusCommand, TppSummaryView, TppView,
};
use std::fmt::Write;

/// The number of TPPs in a page that is fetched.
const PAGE: u32 = 100;

#[derive(Debug, Args)]
pub(super) struct TppName {
    /// The client id, the software id, or the name of the TPP or, in a sandbox, of its folder.
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    installation: InstallationArguments,
}

#[derive(Debug, Args)]
pub(super) struct TppStatus {
    #[command(flatten)]
    tpp: TppName,
    #[command(flatten)]
    why: Reason,
}

#[derive(Debug, Clone, Args)]
struct Reason {
    /// Why, for the audit line and for other operators: one line of at most 200 characters, without personal data.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct TppRoles {
    #[command(flatten)]
    tpp: TppName,
    /// All roles of the TPP from now on, separated by commas. Without it the roles are shown.
    #[arg(long, value_delimiter = ',', value_name = "aisp,pisp,cbpii")]
    set: Vec<String>,
    #[command(flatten)]
    why: Reason,
}

#[derive(Debug, Args)]
pub(super) struct TppRedirectUris {
    #[command(flatten)]
    tpp: TppName,
    /// A redirect URI of the TPP from now on; given once for each. Without it the redirect URIs are shown.
    #[arg(long, value_name = "URL")]
    set: Vec<String>,
    #[command(flatten)]
    why: Reason,
}

#[derive(Debug, Args)]
pub(super) struct TppProfile {
    #[command(flatten)]
    tpp: TppName,
    /// The security profile from now on. Without it the profile is shown.
    #[arg(long, value_name = "fapi1|fapi2|fapi2-message-signing")]
    set: Option<String>,
    /// What is signed from now on beyond what the profile demands; given once for each.
    #[arg(long, value_name = "requests|responses|introspection")]
    sign: Vec<String>,
    /// Nothing is signed beyond what the profile demands.
    #[arg(long, conflicts_with = "sign")]
    sign_nothing: bool,
    #[command(flatten)]
    why: Reason,
}

pub(super) async fn list(place: &InstallationArguments) -> Result<(), CommandError> {
    let target = CommandTarget::select(place).await?;
    let mut tpps = Vec::new();
    let mut after = None;
    loop {
        let TppListView { tpps: page, next } = list_page(&target, after).await?;
        tpps.extend(page);
        let Some(last) = next else { break };
        after = Some(last);
    }
    print_line(table(&tpps).trim_end());
    Ok(())
}

async fn list_page(target: &CommandTarget, after: Option<ClientId>) -> Result<TppListView, CommandError> {
    match target {
        CommandTarget::RunningServer(ops) => {
            let from = after.map(|id| format!("&after={}", segment(id.as_str()))).unwrap_or_default();
            let path = format!("/operations/tpps?limit={PAGE}{from}");
            Ok(serde_json::from_value(ops_client::fetch_from_ops(ops, &path).await?)?)
        }
        CommandTarget::Local(operator) => Ok(operator.list_tpps(after, PAGE).await?),
    }
}

pub(super) async fn show(tpp: TppName) -> Result<(), CommandError> {
    print_line(description(&find(&tpp).await?).trim_end());
    Ok(())
}

async fn find(TppName { name, installation }: &TppName) -> Result<TppView, CommandError> {
    match CommandTarget::select(installation).await? {
        CommandTarget::RunningServer(ops) => {
            let path = format!("/operations/tpps/{}", segment(name));
            Ok(serde_json::from_value(ops_client::fetch_from_ops(&ops, &path).await?)?)
        }
        CommandTarget::Local(operator) => Ok(operator.find_tpp(name).await?),
    }
}

pub(super) async fn disable(TppStatus { tpp, why }: TppStatus) -> Result<(), CommandError> {
    let changed = change(&tpp, TppChange::Disable, why).await?;
    print_line(&format!("{} is disabled: all its requests are refused from now on.", called(&changed)));
    Ok(())
}

pub(super) async fn enable(TppStatus { tpp, why }: TppStatus) -> Result<(), CommandError> {
    let changed = change(&tpp, TppChange::Enable, why).await?;
    print_line(&format!("{} is active: its requests are served.", called(&changed)));
    Ok(())
}

pub(super) async fn approve(TppStatus { tpp, why }: TppStatus) -> Result<(), CommandError> {
    let changed = change(&tpp, TppChange::Approve, why).await?;
    print_line(&format!("The changed registration of {} is in force.", called(&changed)));
    Ok(())
}

pub(super) async fn refuse(TppStatus { tpp, why }: TppStatus) -> Result<(), CommandError> {
    let changed = change(&tpp, TppChange::Refuse, why).await?;
    print_line(&format!(
        "The changed registration of {} is dropped; the approved one stays in force.",
        called(&changed)
    ));
    Ok(())
}

pub(super) async fn delete(TppStatus { tpp, why }: TppStatus) -> Result<(), CommandError> {
    let changed = change(&tpp, TppChange::Delete, why).await?;
    print_line(&format!(
        "{} is deleted: all its requests are refused for good, and its consents end.",
        called(&changed)
    ));
    Ok(())
}

pub(super) async fn login(TppName { name, installation }: TppName) -> Result<(), CommandError> {
    let made = match CommandTarget::select(&installation).await? {
        CommandTarget::RunningServer(ops) => {
            let path = format!("/operations/tpps/{}/login", segment(&name));
            serde_json::from_value(ops_client::call_operation(&ops, &path, &serde_json::Value::Null).await?)?
        }
        CommandTarget::Local(operator) => operator.tpp_login(&local_act(&installation, None)?, &name).await?,
    };
    let TppLoginView { client_id, url, expires_at } = made;
    print_line(&format!("This link logs in to the portal as client {client_id}, once, until {expires_at}:\n{url}"));
    Ok(())
}

pub(super) async fn roles(TppRoles { tpp, set, why }: TppRoles) -> Result<(), CommandError> {
    let shown = if set.is_empty() { find(&tpp).await? } else { change(&tpp, TppChange::SetRoles(set), why).await? };
    let roles = shown.roles.join(", ");
    let allowed = shown.allowed_roles.join(", ");
    print_line(&format!("{} has the roles {roles}; it can have {allowed}.", called(&shown)));
    Ok(())
}

pub(super) async fn redirect_uris(TppRedirectUris { tpp, set, why }: TppRedirectUris) -> Result<(), CommandError> {
    let shown =
        if set.is_empty() { find(&tpp).await? } else { change(&tpp, TppChange::SetRedirectUris(set), why).await? };
    let uris: Vec<_> = shown.redirect_uris.iter().map(|uri| format!("\n  {}", uri.escape_debug())).collect();
    print_line(&format!("{} has the redirect URIs{}", called(&shown), uris.concat()));
    Ok(())
}

pub(super) async fn profile(order: TppProfile) -> Result<(), CommandError> {
    let TppProfile { tpp, set, sign, sign_nothing, why } = order;
    let mut changed = None;
    if let Some(profile) = set {
        changed = Some(change(&tpp, TppChange::SetProfile(profile), why.clone()).await?);
    }
    if sign_nothing || !sign.is_empty() {
        changed = Some(change(&tpp, TppChange::SetSignedMessages(sign), why).await?);
    }
    let shown = match changed {
        Some(changed) => changed,
        None => find(&tpp).await?,
    };
    let signed = match shown.signed_messages.as_slice() {
        [] => String::new(),
        names => format!(" Signed beyond that: {}.", names.join(", ")),
    };
    print_line(&format!("{} is held to the security profile {}.{signed}", called(&shown), shown.profile));
    Ok(())
}

async fn change(tpp: &TppName, change: TppChange, Reason { reason }: Reason) -> Result<TppView, CommandError> {
    let TppName { name, installation } = tpp;
    match CommandTarget::select(installation).await? {
        CommandTarget::RunningServer(ops) => {
            let at = |what: &str| format!("/operations/tpps/{}/{what}", segment(name));
            let (method, path, order) = match change {
                TppChange::Disable => {
                    (OpsMethod::Post, at("disable"), serde_json::to_value(TppStatusCommand { reason })?)
                }
                TppChange::Approve => {
                    (OpsMethod::Post, at("approve"), serde_json::to_value(TppStatusCommand { reason })?)
                }
                TppChange::Refuse => {
                    (OpsMethod::Post, at("refuse"), serde_json::to_value(TppStatusCommand { reason })?)
                }
                TppChange::Enable => {
                    (OpsMethod::Post, at("enable"), serde_json::to_value(TppStatusCommand { reason })?)
                }
                TppChange::Delete => {
                    let path = format!("/operations/tpps/{}", segment(name));
                    (OpsMethod::Delete, path, serde_json::to_value(TppStatusCommand { reason })?)
                }
                TppChange::SetRoles(roles) => {
                    (OpsMethod::Put, at("roles"), serde_json::to_value(TppRolesCommand { roles, reason })?)
                }
                TppChange::SetRedirectUris(redirect_uris) => {
                    let order = TppRedirectUrisCommand { redirect_uris, reason };
                    (OpsMethod::Put, at("redirect-uris"), serde_json::to_value(order)?)
                }
                TppChange::SetProfile(profile) => {
                    (OpsMethod::Put, at("profile"), serde_json::to_value(TppProfileCommand { profile, reason })?)
                }
                TppChange::SetSignedMessages(signed_messages) => {
                    let order = TppSignedMessagesCommand { signed_messages, reason };
                    (OpsMethod::Put, at("signed-messages"), serde_json::to_value(order)?)
                }
            };
            Ok(serde_json::from_value(ops_client::send_operation(&ops, method, &path, &order).await?)?)
        }
        CommandTarget::Local(operator) => {
            let act = local_act(installation, reason.as_deref())?;
            Ok(operator.tpp_change(&act, name, change).await?)
        }
    }
}

/// Escapes text for use as a path segment or a query value.
pub(super) fn segment(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// The text by which messages refer to a TPP.
fn called(tpp: &TppView) -> String {
    format!("{} (client {})", tpp.software_name.escape_debug(), tpp.client_id.as_str().escape_debug())
}

/// Formats the TPPs in columns, one line for each TPP. Control characters in values from the database are escaped.
fn table(tpps: &[TppSummaryView]) -> String {
    if tpps.is_empty() {
        return "No TPP is registered.".to_owned();
    }
    let head = ["CLIENT", "STATUS", "ROLES", "SOFTWARE", "ORGANISATION", "REASON"].map(str::to_owned);
    let rows = tpps.iter().map(|tpp| {
        [
            tpp.client_id.as_str().escape_debug().to_string(),
            tpp.status.clone(),
            tpp.roles.join(","),
            tpp.software_name.escape_debug().to_string(),
            tpp.org_name.escape_debug().to_string(),
            tpp.status_reason.as_deref().unwrap_or_default().escape_debug().to_string(),
        ]
    });
    in_columns(&[head].into_iter().chain(rows).collect::<Vec<_>>())
}

/// Formats the facts of a TPP, one line for each fact.
fn description(tpp: &TppView) -> String {
    let status = match (&tpp.status_changed_at, &tpp.status_reason) {
        (Some(since), Some(reason)) => format!("{} since {since}: {reason}", tpp.status),
        (Some(since), None) => format!("{} since {since}", tpp.status),
        (None, _) => tpp.status.clone(),
    };
    let keys = tpp.jwks_uri.clone().unwrap_or_else(|| "stored here".to_owned());
    let mut facts = vec![
        ("Client id", tpp.client_id.to_string()),
        ("Status", status),
        ("Software", format!("{} ({})", tpp.software_name, tpp.software_id)),
        ("Organisation", format!("{} ({})", tpp.org_name, tpp.org_id)),
        ("Roles", tpp.roles.join(", ")),
        ("Roles allowed", tpp.allowed_roles.join(", ")),
        ("Authentication", tpp.token_endpoint_auth_method.clone()),
        ("Profile", tpp.profile.clone()),
        (
            "Signed beyond",
            if tpp.signed_messages.is_empty() { "nothing".to_owned() } else { tpp.signed_messages.join(", ") },
        ),
        ("Keys", keys),
        ("Registered", tpp.registered_at.clone()),
    ];
    facts.extend(tpp.redirect_uris.iter().map(|uri| ("Redirect URI", uri.clone())));
    let certificates = tpp.certificates.iter();
    facts.extend(certificates.map(|it| ("Certificate", format!("{} {}, ends {}", it.purpose, it.kid, it.not_after))));
    if let Some(pending) = &tpp.pending {
        facts.push(("Waits", pending.changes.join(", ")));
        facts.push(("  Software", pending.software_name.clone()));
        facts.push(("  Organisation", pending.org_name.clone()));
        facts.push(("  Roles", pending.roles.join(", ")));
        facts.extend(pending.redirect_uris.iter().map(|uri| ("  Redirect URI", uri.clone())));
    }
    let lines = facts.iter().map(|(name, value)| format!("{name:<16}{}\n", value.escape_debug()));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(id: &str, name: &str, reason: Option<&str>) -> TppSummaryView {
        TppSummaryView {
            client_id: id.into(),
            software_name: name.to_owned(),
            org_name: format!("{name} Limited"),
            status: if reason.is_some() { "disabled" } else { "active" }.to_owned(),
            status_reason: reason.map(str::to_owned),
            roles: vec!["AISP".to_owned(), "PISP".to_owned()],
        }
    }

    #[test]
    fn the_list_is_a_table_without_control_characters() {
        assert_eq!(table(&[]), "No TPP is registered.");
        let text = table(&[summary("1", "Long Name", None), summary("22", "A\u{1b}[2J", Some("fraud"))]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "CLIENT  STATUS    ROLES      SOFTWARE    ORGANISATION        REASON");
        assert_eq!(lines[1], "1       active    AISP,PISP  Long Name   Long Name Limited");
        assert_eq!(lines[2], "22      disabled  AISP,PISP  A\\u{1b}[2J  A\\u{1b}[2J Limited  fraud");
    }

    #[test]
    fn a_name_is_escaped_as_a_segment_of_a_path() {
        assert_eq!(segment("my-shop_1.~"), "my-shop_1.~");
        assert_eq!(segment("../A b?é"), "..%2FA%20b%3F%C3%A9");
    }
}
